// SPDX-License-Identifier: Apache-2.0
// What the page keeps in the browser: the last view, so that it opens at once and offline, and what was done while
// away. It never keeps trails. It keeps others' positions for an hour at most, and nothing after 30 days without the
// daemon. It works without storage, too (private windows, a full disk), and says so. What another sign-in left here is
// erased before anything of it is shown or sent.

import * as early from "./early.js"
import { served } from "./served.js"

export const signIn = early.signIn
export const isShared = early.isShared
export const isStillIn = early.isStillIn

const positionsMs = 3_600_000
/** Without the daemon nothing is kept for longer. */
export const allMs = 30 * 86_400_000
const keepAfterMs = 5_000

/** Why nothing can be kept here, as the key of a sentence; null where it can. On a shared computer nothing is meant to be kept. */
export let trouble = null
let hearTrouble = () => {}
/** Calls when nothing can be kept any more. */
export function whenTroubled(listener) { hearTrouble = listener; if (trouble) listener(trouble) }

function failed(error) {
  // The browser closed it; it is opened anew.
  if (error?.name === "InvalidStateError") database = undefined
  const kind = error?.name === "QuotaExceededError" ? "store.full" : "store.forbidden"
  if (isShared || trouble === kind) return
  trouble = kind
  hearTrouble(kind)
}

let database = early.database
const open = () => database ??= early.openDatabase()

/** Runs `what` on a store; null where nothing can be kept. What was written is kept when all of it is on the disk, and not before. */
async function on(name, mode, what) {
  try {
    const work = (await open()).transaction(name, mode), asked = what(work.objectStore(name))
    const result = await new Promise((resolve, reject) => {
      work.oncomplete = () => resolve(asked.result ?? null)
      work.onabort = () => reject(work.error ?? asked.error)
    })
    if (mode === "readwrite") trouble = null
    return result
  } catch (error) {
    failed(error)
    return null
  }
}

/** A browser's small store of texts, or where it has none or no room, the page's own memory. */
function pocket(name) {
  let own = null
  const held = new Map()
  try { own = window[name] } catch { /* The browser forbids it. */ }
  return {
    getItem(key) { try { return held.get(key) ?? own.getItem(key) } catch { return null } },
    setItem(key, text) { try { own.setItem(key, text); held.delete(key) } catch { held.set(key, text) } },
    removeItem(key) { held.delete(key); try { own.removeItem(key) } catch { /* There is none. */ } },
    clear() { held.clear(); try { own.clear() } catch { /* There is none. */ } },
  }
}
/** Kept until this tab is closed. */
export const ofTab = pocket("sessionStorage")
/** Kept until somebody signs out. */
export const ofBrowser = pocket("localStorage")

// Whoever signs in where another did not sign out --------------------------------------------------------------------

/** Whether something was kept by another sign-in, which another member may have made. */
const isOthers = one => (one.signIn ?? early.signIn) !== early.signIn
/** Whether something of another sign-in was here, and is erased. */
export let wasOthers = false

// What was typed in this tab belongs to the sign-in under which it was typed.
const typedBy = "kinwire.sign-in"
if (signIn && (ofTab.getItem(typedBy) ?? signIn) !== signIn) ofTab.clear()
if (signIn) ofTab.setItem(typedBy, signIn)
// Where nothing may be kept, nothing stays of whoever did not say so either.
if (isShared) {
  ofBrowser.clear()
  try { indexedDB.deleteDatabase("kinwire") } catch { /* The browser forbids it, and keeps nothing. */ }
}

/** A snapshot without others' positions of more than an hour, those of alarms among them; `now` by the daemon's clock. */
function withoutOld(snapshot, now) {
  const isOld = (one, who) => who !== snapshot.me && !(now - new Date(one.at) < positionsMs)
  const calm = one => { const { position, ...rest } = one; return position && isOld(position, one.by) ? rest : one }
  const left = { positions: snapshot?.positions?.filter(one => !isOld(one, one.member)), alarms: snapshot?.alarms?.map(calm) }
  // What is as it was stays the same object.
  for (const [name, some] of Object.entries(left)) if (!some || some.length === snapshot[name].length && some.every((one, at) => one === snapshot[name][at])) delete left[name]
  return Object.keys(left).length ? { ...snapshot, ...left } : snapshot
}

/** What was kept when the page began; it was read while the modules were on their way. */
const first = () => early.kept.catch(error => {
  failed(error)
  return { held: null, queue: [] }
})
/** How much waited then to be sent. */
export const waited = async () => (await first()).queue.filter(one => !isOthers(one)).length

/** What was held last: `{ snapshot, cursor, view, stays, at }`; null when there is nothing, or nothing that may still be shown. */
export async function load() {
  const begun = await first(), { held } = begun
  // It is held no longer than it is good.
  begun.held = null
  return held ? good(held) : null
}

/** The same for a page that is left open without the daemon since `asOf`. When nothing may be shown any more, it begins anew. */
export async function expire(asOf) {
  const held = isStillIn() ? await on("held", "readonly", store => store.get("family")) : null
  if (held ? !await good(held) : asOf && Date.now() - asOf > allMs) location.reload()
}

/** What is kept, as far as it may still be shown; what may not is erased. */
async function good(held, now = Date.now()) {
  if (isOthers(held)) {
    wasOthers = true
    ofBrowser.clear()
    await erase()
    return null
  }
  if (!(now - held.at < allMs)) {
    ofBrowser.clear()
    await erase()
    return null
  }
  // Until the daemon is reached its clock is known from the last time. A clock that went back was set right meanwhile.
  if (now >= held.at) {
    served.skewMs ||= held.skew ?? 0
    if (!served.isAsked) served.offMs = held.off ?? 0
  }
  const snapshot = withoutOld(held.snapshot, now - (held.off ?? 0))
  if (snapshot !== held.snapshot) {
    held.snapshot = snapshot
    // What is left out is in no event that is to come: all of it is asked for.
    held.cursor = null
    on("held", "readwrite", store => store.put(held, "family"))
  }
  return held
}

let pending, timer, last, keptAt = -Infinity

/** Keeps what is held: at once, and then every few seconds at most, for many events are one writing. */
export function keep(snapshot, cursor, view, stays) {
  pending = last = { snapshot, cursor, view, stays, at: Date.now(), off: served.offMs, skew: served.skewMs }
  const wait = keptAt + keepAfterMs - performance.now()
  if (wait <= 0) flush()
  else timer ??= setTimeout(flush, wait)
}

/**
 * Keeps stays that changed without an event, beside what is kept already. It writes at once, since they change seldom
 * and a page that is left may write no more.
 */
export function keepStays(stays) {
  if (!last || JSON.stringify(stays) === JSON.stringify(last.stays)) return
  keep(last.snapshot, last.cursor, last.view, stays)
  flush()
}

/** Keeps at once what was asked for besides, and is of use without the daemon; what it has goes on by events as all else. */
export function keepFound(snapshot) {
  if (!last) return
  keep(snapshot, last.cursor, last.view, last.stays)
  flush()
}

/** Keeps how far this device's clock is off, which the page needs that is opened without the daemon. */
export function keepSkew() {
  // Two answers differ by what was on its way.
  if (last && Math.abs(last.skew - served.skewMs) > 1_000) keep(last.snapshot, last.cursor, last.view, last.stays)
}

/** Writes now what waits to be kept. */
export function flush() {
  clearTimeout(timer)
  timer = undefined
  const held = pending
  pending = undefined
  // What is kept belongs to whoever signed in last.
  if (!held || !isStillIn()) return Promise.resolve()
  keptAt = performance.now()
  if (!isShared && signIn) ofBrowser.setItem("kinwire.own", signIn)
  const snapshot = withoutOld(held.snapshot, held.at - held.off)
  return on("held", "readwrite", store => store.put({ ...held, signIn: early.signIn, snapshot, cursor: snapshot === held.snapshot ? held.cursor : null }, "family"))
}

/** Forgets everything. */
export async function erase() {
  clearTimeout(timer)
  timer = pending = last = undefined
  await on("held", "readwrite", store => store.clear())
  await on("queue", "readwrite", store => store.clear())
}

/** What waits to be sent, the oldest first; nothing once another has signed in, in whose name it would be sent. */
export async function queued() {
  const all = (await on("queue", "readonly", store => store.getAll())) ?? []
  return isStillIn() ? all.filter(one => !isOthers(one)).sort((a, b) => a.at - b.at) : []
}
export const enqueue = async act => isStillIn() ? on("queue", "readwrite", store => store.put({ ...act, signIn: early.signIn })) : null
export const dequeue = op => on("queue", "readwrite", store => store.delete(op))
