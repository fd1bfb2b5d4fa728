// SPDX-License-Identifier: Apache-2.0
// What rings, and when: which kinds are told at all, quiet hours, whose doings wait, and whose make a sound.

import { act, asked, field, told, why } from "./base.js"
import { firstDay } from "./days.js"
import { ask, h, show } from "./dom.js"
import { me, people, settings, state } from "./state.js"
import { t, zoneName } from "./words.js"

/** What inboxes tell, by what it is about. A test has every kind that may be muted be here. */
export const groups = {
  meetings: ["invited", "meetingChanged", "voted", "allReplied", "deadlineNear", "closed", "confirmed", "cancelled", "nudged", "goingChanged"],
  calendars: ["entryInvited", "entryChanged", "entryCancelled", "entryAnswered", "reminder", "calendarStopped"],
  chat: ["message", "addressed"],
  posts: ["posted", "mentioned", "commented", "answered", "liked", "newsStopped"],
  pictures: ["pictures", "pictured", "pictureLiked"],
  meals: ["cooks"],
  lists: ["listed"],
  said: ["said"],
  places: ["arrived", "left", "pinned", "placeAsked", "positionAsked"],
  house: ["house"],
  family: ["memberJoined", "memberLeft"],
  own: ["newDevice", "phoneSilent", "quotaNear"],
}

/** What only waits until one looks, unless one has it ring. */
export const waiting = ["posted", "liked", "pictures", "pictureLiked"]

const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** The member's own rules; with a device, those of that device alone. */
export async function rules(device = null) {
  const own = device ? { device: device.id } : {}
  let now
  try { ({ rules: now } = await asked("activity.rules", own)) } catch (error) { return told(why(error), { isWrong: true }) }
  await ask(device ? t("rules.device.title", { device: device.name }) : t("family.rules"), close => {
    const tick = (text, checked, props = {}) => {
      const box = h("input", { type: "checkbox", checked, ...props })
      return { box, row: h("label", { class: "check" }, box, " ", text) }
    }
    // What is muted in part stays so, unless its box is touched.
    const parts = Object.entries(groups).map(([name, kinds]) => {
      const muted = kinds.filter(one => now.mute.includes(one)).length
      const one = { name, kinds, ...tick(t(`rules.kind.${name}`), !muted, { "data-kinds": name }) }
      one.box.indeterminate = muted > 0 && muted < kinds.length
      return one
    })
    const ring = waiting.map(kind => ({ kind, ...tick(t(`rules.ring.${kind}`), now.ring?.includes(kind) ?? false, { "data-ring": kind }) }))
    const quiet = tick(t("rules.quiet"), !!now.quiet, { id: "rules-quiet" })
    const from = h("input", { type: "time", id: "rules-from" }), to = h("input", { type: "time", id: "rules-to" })
    from.value = now.quiet?.from ?? "22:00"
    to.value = now.quiet?.to ?? "07:00"
    const on = days.map((day, at) => ({ day, ...tick(t(`weekday.${at + 1}`), now.quiet?.days?.includes(day) ?? true, { "data-day": day }) }))
    // They stand in the order of the member's weeks.
    const first = (firstDay() + 6) % 7
    const end = field(t("rules.to"), to)
    const hours = h("div", {}, h("div", { class: "pair" }, field(t("rules.from"), from), end),
      h("fieldset", {}, h("legend", {}, t("rules.on")), h("div", { class: "ticks" }, [...on.slice(first), ...on.slice(0, first)].map(one => one.row))), h("p", { class: "hint" }, t(device ? "rules.device.quiet-hint" : "rules.quiet-hint")))
    quiet.box.onchange = () => show(hours, quiet.box.checked)
    quiet.box.onchange()
    const others = people().filter(one => one.id !== me().id).sort((a, b) => a.displayName.localeCompare(b.displayName))
    const ticks = (attribute, chosen) => others.map(one => ({ id: one.id, ...tick(one.displayName, chosen.includes(one.id), { [attribute]: one.id }) }))
    const still = ticks("data-still", now.still), sound = ticks("data-sound", now.soundFrom ?? [])
    // Who does not ring makes no sound either, so that nobody is ticked in both.
    still.forEach(({ box }, at) => {
      const other = sound[at].box
      box.onchange = () => { other.checked &&= !box.checked }
      other.onchange = () => { box.checked &&= !other.checked }
    })
    const some = tick(t("rules.some"), now.soundFrom !== null, { id: "rules-some" })
    const chosen = h("div", { class: "ticks" }, sound.map(one => one.row))
    some.box.onchange = () => show(chosen, some.box.checked)
    some.box.onchange()
    const of = list => list.filter(one => one.box.checked).map(one => one.id)
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      if (quiet.box.checked && from.value === to.value) return end.refuse(t("rules.same-time"))
      const begins = on.filter(one => one.box.checked).map(one => one.day)
      // What this page does not know of is left as it is.
      const known = parts.filter(one => !one.box.indeterminate)
      const mute = [...now.mute.filter(kind => !known.some(one => one.kinds.includes(kind))), ...known.filter(one => !one.box.checked).flatMap(one => one.kinds)]
      const result = await act("activity.setRules", {
        ...own, mute, ...device ? {} : { ring: ring.filter(one => one.box.checked).map(one => one.kind) }, still: of(still), soundFrom: some.box.checked ? of(sound) : null,
        quiet: quiet.box.checked && begins.length ? { from: from.value, to: to.value, zone: now.quiet?.zone ?? settings().zone ?? zoneName(), ...begins.length < 7 && { days: begins } } : null,
      }, { mayWait: false })
      if (result) { close(true); told(t("rules.done")) }
    } }, h("p", {}, t(device ? "rules.device.about" : "rules.about")),
    device ? h("p", {}, h("button", { type: "button", class: "quiet small", id: "own-rules", onclick: () => { close(null); rules() } }, t("rules.device.own"))) : null,
    h("fieldset", {}, h("legend", {}, t(device ? "rules.device.kinds" : "rules.kinds")), h("p", { class: "hint" }, t(device ? "rules.device.kinds-hint" : "rules.kinds-hint")), parts.map(one => one.row)),
    device ? null : h("fieldset", {}, h("legend", {}, t("rules.ring")), h("p", { class: "hint" }, t("rules.ring-hint")), ring.map(one => one.row)),
    h("fieldset", {}, h("legend", {}, t("rules.when")), quiet.row, hours),
    others.length ? [h("fieldset", {}, h("legend", {}, t("rules.still")), h("p", { class: "hint" }, t(device ? "rules.device.still-hint" : "rules.still-hint")), h("div", { class: "ticks" }, still.map(one => one.row))),
      h("fieldset", {}, h("legend", {}, t("rules.sound")), some.row, chosen)] : null,
    h("div", { class: "actions" }, h("button", { type: "submit", id: "save-rules" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  })
}
