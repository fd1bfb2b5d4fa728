// SPDX-License-Identifier: Apache-2.0
// What one has on at the times of a meeting, and to its host, who else has: asked once for each meeting on the screen, and
// anew when a calendar or the meeting is another.

import { asked } from "./base.js"
import { changed, hearers, state } from "./state.js"
import { name } from "./voice.js"
import { civil, list, range, t } from "./words.js"

/** Of each meeting, by slot; null while it is asked. */
const known = new Map(), hearMs = 300
let timer = null

/** What stands against a slot; null where nothing does, or nothing is known yet. */
export function conflicts(meeting, slot) {
  if (!known.has(meeting)) {
    if (state.line !== "live") return null
    known.set(meeting, null)
    asked("meeting.conflicts", { meeting }).then(({ slots }) => {
      known.set(meeting, new Map(slots.map(one => [one.slot, one])))
      changed()
    }, () => known.delete(meeting))
  }
  return known.get(meeting)?.get(slot) ?? null
}

/** When something is: from midnight to midnight, it is on all day. */
function during({ start, end }) {
  const isMidnight = one => { const { hour, minute } = civil(one); return hour + minute === 0 }
  return isMidnight(start) && isMidnight(end) && start !== end ? t("cal.all-day") : range(start, end)
}

/** The same in words. */
export function against(meeting, slot) {
  const one = conflicts(meeting, slot)
  if (!one) return ""
  return [...one.own.map(each => t("meetings.conflict", { entry: each.subject ?? t("cal.busy"), time: during(each) })),
    one.busy.length ? t("meetings.busy", { names: list(one.busy.map(name)) }) : null,
    one.unknown.length && one.busy.length + one.free.length ? t("meetings.unknown", { names: list(one.unknown.map(name)) }) : null].filter(Boolean).join(" · ")
}

hearers.add(event => {
  if (event !== null && !/^(entry|meeting|calendar)\./.test(event.type)) return
  clearTimeout(timer)
  timer = setTimeout(() => { known.clear(); changed() }, hearMs)
})
