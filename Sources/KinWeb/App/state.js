// SPDX-License-Identifier: Apache-2.0
// What the page holds of the family, and who wants to hear when it changes.

import { fold } from "./fold.js"

/** The snapshot as of the last event, and how the line to the daemon is. */
export const state = {
  snapshot: null,
  /** `starting`, `live`, `away`: not reached at the moment; what is shown is as of `asOf`. */
  line: "starting",
  asOf: null,
  /** Whether the snapshot has all that came while nothing was reached: a line is live before it was told of that. */
  isWhole: false,
  /** How much was done while away and waits to be sent; `queue` is another number each time that it is other things. */
  waiting: 0,
  queue: 0,
}

const listeners = new Set()
let isDue = false

/** Calls when something changed: once a frame at most, however much came. */
export function whenChanged(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function changed() {
  if (isDue) return
  isDue = true
  const tell = () => {
    if (!isDue) return
    isDue = false
    for (const listener of [...listeners]) listener(state)
  }
  // A hidden page has no frames; what it holds has to be right when it is looked at.
  if (document.hidden) setTimeout(tell, 250)
  else requestAnimationFrame(tell)
}

/** Those who hold more than the snapshot does: they hear each event before it is folded, and null with a new snapshot. */
export const hearers = new Set()
const hear = event => { for (const hearer of hearers) hearer(event) }
export function takeSnapshot(snapshot) { hear(null); state.snapshot = snapshot; changed() }
export function takeEvent(event) { hear(event); state.snapshot = fold(state.snapshot, event); changed() }
export function takeLine(line, asOf = state.asOf) { Object.assign(state, { line, asOf }); changed() }

// Reading it -------------------------------------------------------------------------------------------------------

const by = (list, id) => (list ?? []).find(one => one.id === id)
export const me = () => by(state.snapshot?.members, state.snapshot?.me)
/** Those who are people: a screen on a wall is nobody. */
export const people = () => (state.snapshot?.members ?? []).filter(one => one.kind !== "wall")
export const member = id => by(state.snapshot?.members, id)
export const household = id => by(state.snapshot?.households, id)
export const place = id => by(state.snapshot?.places, id)
export const position = id => (state.snapshot?.positions ?? []).find(one => one.member === id)
export const meeting = id => (state.snapshot?.meetings ?? []).find(one => one.meeting.id === id)
export const settings = () => state.snapshot?.settings ?? {}
