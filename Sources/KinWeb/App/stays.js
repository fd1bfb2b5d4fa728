// SPDX-License-Identifier: Apache-2.0
// Who is at which place: the daemon's own judgement, asked once and kept up by who comes and goes.

import { asked } from "./base.js"
import { changed, state } from "./state.js"

let stays = new Map(), isAsking = false, isStale = false, timer

/** The place that somebody is at, by its name; null for none. */
export const stay = member => stays.get(member)?.name ?? null

/** Asks anew: one question at a time. */
export async function askStays() {
  clearTimeout(timer)
  if (isAsking) { isStale = true; return }
  isAsking = true
  try {
    const { stays: all } = await asked("position.latest", {})
    stays = new Map((all ?? []).map(one => [one.member, one]))
    changed()
  } catch { /* Asked again when the daemon is reached again. */ } finally {
    isAsking = false
    if (isStale) { isStale = false; askStays() }
  }
}

const soon = () => { clearTimeout(timer); timer = setTimeout(askStays, 500) }

/** What is told of those who come and go; where that may not be all, it is asked for. */
export function hearStays({ type, data }) {
  if (type === "place.entered") stays.set(data.member, { member: data.member, place: data.place, name: data.name })
  else if (type === "place.left") { if (stays.get(data.member)?.place === data.place) stays.delete(data.member); soon() }
  else if (type === "position.hidden" || type === "position.deleted") stays.delete(data.member)
  else if (type.startsWith("place.")) soon()
  // Somebody is seen exactly only now.
  else if (type === "position" && "lat" in data && !data.precision && !known.has(data.member)) soon()
  if (type === "position") known[!data.precision && "lat" in data ? "add" : "delete"](data.member)
}
const known = new Set()

/** After a snapshot nothing of before counts. */
export function resetStays() {
  stays = new Map()
  known.clear()
  for (const one of state.snapshot?.positions ?? []) if (!one.precision && "lat" in one) known.add(one.member)
  askStays()
}
