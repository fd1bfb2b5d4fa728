// SPDX-License-Identifier: Apache-2.0
// Who is at which place: the daemon's own judgement, asked once and kept up by who comes and goes.

import { asked, metres } from "./base.js"
import { changed, state } from "./state.js"
import * as store from "./store.js"

let stays = new Map(), isAsking = false, isStale = false, timer

/** Whether a dot lies in the circle of a place, or so little beyond it that nobody would say "left". */
const isWithin = (dot, place, beyond) => !!place?.radius && metres(place, dot) <= place.radius + beyond
const slack = dot => (dot.accuracy ?? 0) + 100

/** The name of the place that somebody is at, as long as the shown dot agrees with it; null for none. */
export function stay(dot) {
  const one = stays.get(dot.member), place = one && state.snapshot?.places?.find(place => place.id === one.place)
  return one && (!place || isWithin(dot, place, slack(dot))) ? one.name : null
}

/** Whether a dot says something else than what was last heard: it lies in a circle, or in its place's no more. */
const isNews = dot => stays.has(dot.member) ? !stay(dot)
  : (state.snapshot?.places ?? []).some(place => place.kind === "place" && isWithin(dot, place, 0))

/** What is kept with the snapshot, so that the page names places when it opens without the daemon. */
export const heldStays = () => [...stays.values()]

/** Keeps, of earlier stays, those that the current snapshot supports: an exact dot, and a visible place. */
export function recallStays(all) {
  const exact = new Set((state.snapshot?.positions ?? []).filter(one => !one.precision && "lat" in one).map(one => one.member))
  const places = new Set((state.snapshot?.places ?? []).map(one => one.id))
  stays = new Map((all ?? []).filter(one => exact.has(one.member) && places.has(one.place)).map(one => [one.member, one]))
}

/** Asks anew: one question at a time. */
export async function askStays() {
  clearTimeout(timer)
  if (isAsking) { isStale = true; return }
  isAsking = true
  try {
    const { stays: all } = await asked("position.latest", {})
    stays = new Map((all ?? []).map(one => [one.member, one]))
    store.keepStays(heldStays())
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
  // Somebody is seen exactly only now, or came or went where nothing was told of it.
  else if (type === "position" && "lat" in data && !data.precision && (!known.has(data.member) || isNews(data))) soon()
  if (type === "position") known[!data.precision && "lat" in data ? "add" : "delete"](data.member)
}
const known = new Set()

/** After a snapshot nothing of before counts but what it bears out, until the daemon has answered. */
export function resetStays() {
  recallStays(heldStays())
  known.clear()
  for (const one of state.snapshot?.positions ?? []) if (!one.precision && "lat" in one) known.add(one.member)
  askStays()
}
