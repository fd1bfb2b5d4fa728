// SPDX-License-Identifier: Apache-2.0
// What every screen stands on: how something is done, what is said about it, and where somebody is, in words.

import { fill, h, lift, pass, say, set, show, topmost } from "./dom.js"
import { look, now, served } from "./served.js"
import { changed, me, member, people, state } from "./state.js"
import * as store from "./store.js"
import { age, distance, near, refusal, t } from "./words.js"

let line
/** The line that requests go over. */
export function useLine(one) { line = one }

/** Asks the daemon something. */
export const asked = (method, params) => line.request(method, params)

/** Whether the daemon said that there is none, or none for this member. Whatever else it said may be otherwise a moment later. */
export const isNone = error => error.code === 1403 || error.code === 1404
/** Asks again after a while what was not answered. */
export const retry = work => setTimeout(work, 5_000)

/** Whether the daemon said nothing of it, or that it can do nothing now. */
const isUnanswered = error => error.code === 0 || error.code === 1503
/** Why nothing came of it: the page is not connected yet or no longer, or the daemon refused. */
export const why = (error, away = "act.not-reached") => isUnanswered(error)
  ? t(state.line === "starting" ? "line.starting" : away) : refusal(error.message ?? t("act.failed"))

/** The last act of which nobody knows what came, because its answer was lost: done again soon, it is the same one, and happens once. */
let unsure = null
/** What is done next is another act, whatever was lost. */
export const anew = () => { unsure = null }
const opOf = what => unsure?.what === what && Date.now() - unsure.at < 120_000 ? unsure.op : crypto.randomUUID?.() ?? random()
const isAlreadyDone = error => error.code === 1409 && error.data?.kind === "already-done"

/** Does what a form asks for, which says itself what came of it: once, however often it is sent in vain. */
export async function once(method, params) {
  const what = JSON.stringify([method, params]), op = opOf(what)
  unsure = null
  try { return await line.request(method, { ...params, op }) } catch (error) {
    if (isUnanswered(error)) unsure = { what, op, at: Date.now() }
    throw error
  }
}

/** What takes back what is shown of something that waits, by its `op`: the daemon may still refuse it. */
const backs = new Map()

/**
 * Sends something, or has it wait in the browser: the daemon's answer, and whether it was taken or waits. `back` takes back
 * what is shown of it, where it is refused, be it later. Where nobody knows what came of it the answer has its `op`: who does
 * it again by that as `again` does the same, whatever was done in between.
 */
export async function tried(method, params, { mayWait = true, isLeaving = false, back = () => {}, again } = {}) {
  const what = JSON.stringify([method, params]), op = again ?? opOf(what), isAgain = op === again || unsure?.op === op
  const waits = { op, method, params, at: Date.now() }
  unsure = null
  // Whoever leaves hears no answer: it waits until there is one, for a line may be dead and not know it.
  const kept = isLeaving ? store.enqueue(waits) : null
  try {
    const result = await line.request(method, { ...params, op })
    if (kept) await kept.then(() => store.dequeue(op)).then(count)
    return { result, isTaken: true }
  } catch (error) {
    if (isUnanswered(error)) {
      // Where nothing can be kept, nothing waits.
      const isKept = mayWait ? await (kept ?? store.enqueue(waits)) : null
      if (isKept === null) {
        unsure = { what, op, at: Date.now() }
        told(t("act.not-reached"), { isWrong: true })
        back()
        return { result: null, isTaken: false, op }
      }
      backs.set(op, back)
      await count()
      line.waits?.()
      sendSoon()
      told(t("act.waits"))
      return { result: null, isTaken: true }
    }
    if (kept) await kept.then(() => store.dequeue(op)).then(count)
    // What it made holds a secret that nobody has, or is gone: one is made anew.
    if (isAgain && (isAlreadyDone(error) || isNone(error))) return tried(method, params, { mayWait, isLeaving, back })
    told(refusal(error.message ?? t("act.failed")), { isWrong: true })
    back()
    return { result: null, isTaken: false }
  }
}

/**
 * Does something. What cannot be sent now waits in the browser and is sent when the daemon is reached again. The `op`
 * makes a repeat harmless (PROTOCOL: a repeat changes nothing). Answers the result; or null when it was refused or
 * waits, and the screen then says so.
 */
export const act = async (method, params = {}, how = {}) => (await tried(method, params, how)).result

/** The same for what was typed: whether it was done, or waits. What is neither stays where it was typed. */
export const acted = async (method, params) => (await tried(method, params)).isTaken

/** `crypto.randomUUID` is for secure origins only; a home's own root may not be trusted yet. */
function random() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(one => one.toString(16).padStart(2, "0")).join("")
}

/** Looks how much waits. */
export async function recount() {
  state.waiting = (await store.queued()).length
  state.queue += 1
  changed()
}
/** The same, where it changed: what waits is of all tabs. */
async function count() {
  await recount()
  line.tell?.("queue")
}

/** Says why something that waited was refused, and takes back what this tab shows of it. */
export function takeBack(op, message) {
  told(refusal(message), { isWrong: true })
  backs.get(op)?.()
  backs.delete(op)
}

let isSending = false, soon
/** The daemon is there and takes nothing just now: what waits is sent a little later, on the same line. */
function sendSoon() {
  clearTimeout(soon)
  if (state.line === "live" && line.leads !== false) soon = retry(sendWaiting)
}

/** Sends what waits, in its order. */
export async function sendWaiting() {
  if (isSending) return
  isSending = true
  try {
    for (const { op, method, params } of await store.queued()) {
      try { await line.request(method, { ...params, op }) } catch (error) {
        if (isUnanswered(error) || error.code === 1429) return sendSoon()
        if (!isAlreadyDone(error)) {
          takeBack(op, error.message)
          // It may have been done in another tab, which shows it.
          line.tell?.("refused", op, error.message)
        }
      }
      backs.delete(op)
      await store.dequeue(op)
    }
  } finally { isSending = false; await count() }
}

// What is said ----------------------------------------------------------------------------------------------------

let held = null
const area = () => document.querySelector("#told")

/** Says something at the edge of the screen, for a while; what a dialog asked for in vain, in that dialog. */
export function told(text, { isWrong = false, button = null } = {}) {
  const wrong = isWrong && topmost()?.querySelector(":scope > .wrong")
  // The same once more is said once more.
  if (wrong) return void fill(show(wrong, true), text)
  lift()
  const shown = h("div", { class: isWrong ? "told wrong" : "told" }, h("span", {}, text), button)
  fill(area(), shown)
  told.at = Date.now()
  clearTimeout(told.timer)
  told.timer = setTimeout(() => { if (shown.parentNode) shown.remove() }, isWrong ? 12_000 : 7_000)
}

/** Takes away what was said on the screen before. What was said this second belongs to the new one; what can be undone stays. */
addEventListener("hashchange", () => { if (Date.now() - told.at > 1_000 && !area().querySelector("button")) fill(area()) })

/**
 * Does something after 7 s, in which it can be undone, instead of asking "are you sure". `before` shows it as done, and
 * `after` takes that back. Leaving the page does it at once.
 */
export function undoable(text, method, params, before = () => {}, after = () => {}) {
  settle()
  const from = document.activeElement
  before()
  const undo = h("button", { class: "quiet small", type: "button", onclick: () => mine.undo() }, t("act.undo"))
  const mine = held = {
    send: async isLeaving => {
      mine.end()
      // What is sent is undone no more, however long its sentence stands there.
      undo.remove()
      await tried(method, params, { isLeaving, back: after })
    },
    undo: () => {
      mine.end()
      fill(area())
      after()
      // Back to where it was asked for, as far as that is there.
      for (const one of [document.querySelector("main"), from]) one?.focus({ preventScroll: true })
    },
    end: () => {
      if (held === mine) held = null
      clearTimeout(mine.timer)
    },
  }
  told(text, { button: undo })
  mine.timer = setTimeout(() => mine.send(false), 7_000)
}

/** The same for what a row of a list stands for: the row is out of sight until that is sent. */
export const ends = (row, text, method, params, then = () => {}) =>
  undoable(text, method, params, () => { pass(row); show(row, false); then() }, () => { show(row, true); then() })

/** Whether a list has a row in sight. */
export const hasRows = rows => [...rows.children].some(row => !row.hidden)

/** Does now what is held back. */
export function settle(isLeaving = false) { held?.send(isLeaving) }
addEventListener("pagehide", () => settle(true))
// A phone ends a page that nobody looks at without a word.
document.addEventListener("visibilitychange", () => { if (document.hidden) settle(true) })
/** Leaves undone what is held back: whose it was is signed in no more. */
export function forgo() { held?.end() }

/** Loads a module that few ask for, and goes on with it; where it cannot be had, it is said why. */
export async function lazily(load, use) {
  let one
  try { one = await load() } catch {
    // What this page never loaded is served no more where a newer one is.
    await look()
    changed()
    told(t(served.isNewer ? "line.newer" : "act.not-reached"), { isWrong: true })
    return null
  }
  return use(one)
}

/** A button whose work shows, and which cannot be pressed twice meanwhile. */
export function button(text, work, props = {}) {
  const element = h("button", { type: "button", ...props, onclick: async () => {
    if (element.getAttribute("aria-busy") === "true") return
    set(element, { "aria-busy": "true" })
    try { await work(element) } catch (error) {
      if (error instanceof Error) throw error
      told(why(error), { isWrong: true })
    } finally { set(element, { "aria-busy": null }) }
  } }, text)
  return element
}

/** What is done at a terminal; nobody but an admin is told of one. */
export const terminal = command => me()?.role === "admin" ? h("details", {}, h("summary", {}, t("act.terminal")), h("p", { class: "link" }, command)) : null

/** A form's field with its label, and a sentence beside it where something is wrong. */
export function field(label, input, hint = null) {
  const id = input.id || (input.id = `field-${++field.number}`)
  const wrong = h("p", { class: "wrong", hidden: true, role: "alert", id: `${id}-wrong` })
  const element = h("div", { class: "field" }, h("label", { for: id }, label), hint && h("p", { class: "hint" }, hint), input, wrong)
  element.refuse = text => {
    say(wrong, text ?? "")
    wrong.hidden = !text
    set(input, { "aria-invalid": text ? "true" : null, "aria-describedby": text ? wrong.id : null })
    if (text) input.focus()
  }
  return element
}
field.number = 0

/** Who sees it: everybody, the household, those one chooses; with `alone` also nobody else. */
export function whom(audience, owner = null, { alone = false } = {}) {
  const named = Array.isArray(audience) ? audience : [], chosen = named === audience ? (alone && !named.length ? "me" : "some") : audience
  const choice = h("select", {}, ["everyone", "household", "some"].concat(alone ? ["me"] : []).map(value => h("option", { value, selected: value === chosen }, t(`list.for.${value}`))))
  const those = h("fieldset", {}, h("legend", {}, t("list.for.whom")))
  choice.onchange = () => {
    show(those, choice.value === "some")
    // Who there is may be known only by now.
    if (those.children.length === 1) those.append(...people().filter(one => one.id !== (owner ?? state.snapshot?.me))
      .map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id, checked: named.includes(one.id) }), one.displayName)))
  }
  choice.onchange()
  const value = () => choice.value === "some" ? those.children.length > 1 ? [...those.querySelectorAll("input:checked")].map(one => one.value) : named : choice.value === "me" ? [] : choice.value
  // A line that says it before the choice is opened.
  const how = () => {
    const line = h("summary"), tell = () => say(line, t("gallery.how", { who: choice.selectedOptions[0].textContent }))
    choice.addEventListener("change", tell)
    tell()
    return line
  }
  return { choice, people: those, value, how }
}

/** Whether somebody sees what its owner shares so; where nobody says how, whoever is no guest. */
export const isFor = (one, audience, owner) => one.id === owner || one.id === state.snapshot.me || (Array.isArray(audience) ? audience.includes(one.id)
  : audience === "household" && owner ? one.household === member(owner)?.household : one.role !== "guest")

// Where somebody is, in words --------------------------------------------------------------------------------------

const radius = 6_371_009, rad = Math.PI / 180

/** Metres between two spots (haversine on the mean sphere, which is good to 0.5 %). */
export function metres(a, b) {
  const north = Math.sin((b.lat - a.lat) * rad / 2) ** 2
  const east = Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin((b.lon - a.lon) * rad / 2) ** 2
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(north + east)))
}

const compass = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
function direction(from, to) {
  const north = to.lat - from.lat, east = (to.lon - from.lon) * Math.cos(from.lat * rad)
  return t(`direction.${compass[Math.round(Math.atan2(east, north) / (Math.PI / 4) + 8) % 8]}`)
}

/** Metres: farther than that nobody would say "near"; nearer than that nobody asks for the direction. */
const townMax = 30_000, closeMax = 25
const towns = new Map(), townsMax = 500
/** The town around a spot, asked once for each square of a kilometre; null while nobody knows. */
function town(spot) {
  const key = `${spot.lat.toFixed(2)},${spot.lon.toFixed(2)}`
  if (!towns.has(key) && state.line === "live") {
    if (towns.size >= townsMax) towns.delete(towns.keys().next().value)
    towns.set(key, null)
    asked("place.near", { lat: +spot.lat.toFixed(2), lon: +spot.lon.toFixed(2), limit: 1 })
      .then(answer => { if (answer.town && answer.town.metres <= townMax) { towns.set(key, answer.town.name); changed() } }, () => towns.delete(key))
  }
  return towns.get(key) ?? null
}

/**
 * Where somebody is: at a place, as the daemon decided; otherwise the distance to the nearest visible place; otherwise
 * the town. A position that is known only to a kilometre is told without a direction.
 */
export function whereabouts(seen) {
  if (seen.precision === "place") return seen.place ? t("position.at", { place: seen.place }) : t("position.nowhere")
  if (seen.precision === "home") {
    return seen.home === null || seen.home === undefined ? t("position.home-unknown") : t(seen.home ? "position.home" : "position.not-home")
  }
  const isCoarse = seen.precision === "coarse", at = isCoarse ? null : stay(seen)
  if (at) return t("position.at", { place: at })
  const nearest = (state.snapshot?.places ?? []).filter(one => one.kind === "place")
    .map(one => ({ one, far: metres(one, seen) })).sort((a, b) => a.far - b.far)[0]
  if (nearest && nearest.far <= 5_000) {
    // Within what the phone itself is unsure of there is no direction.
    if (!isCoarse && nearest.far <= Math.max(closeMax, seen.accuracy ?? 0)) return t("position.close", { place: nearest.one.name })
    return isCoarse ? t("position.about-from", { far: distance(Math.max(1, Math.round(nearest.far / 1000)) * 1000), place: nearest.one.name })
      : t("position.from", { far: distance(Math.max(10, nearest.far)), direction: direction(nearest.one, seen), place: nearest.one.name })
  }
  const known = town(seen)
  return known ? t("position.town", { town: known }) : t("position.somewhere")
}

/** Whether somebody's position is old: nothing was heard for an hour, or it is another's, and the daemon is away. */
export const isOld = seen => now() - new Date(seen.at) > oldMs || (state.line === "away" && seen.member !== state.snapshot?.me)
const oldMs = 3_600_000

/** How old that is: a time that is rounded, since one sees no more, is no age. */
export const seenWhen = seen => seen.precision && seen.precision !== "exact" ? t("position.around", { time: near(seen.at) }) : age(seen.at)

/** Moving or still, battery: what stands beside the age. */
export function condition(seen, span) {
  const parts = []
  const since = seen.movingSince ?? seen.stillSince
  if (since) {
    const seconds = Math.max(0, Math.trunc((now() - new Date(since)) / 1000))
    parts.push(t(seen.movingSince ? "motion.moving" : "motion.still", { span: span(seconds) }))
  }
  if (seen.battery !== undefined) parts.push(`${t("map.battery", { percent: Math.round(seen.battery) })}${seen.charging ? ` (${t("charge.charging")})` : ""}`)
  return parts.join(" · ")
}

// Who is at which place: the daemon's own judgement, asked once and kept up by who comes and goes ------------------

let stays = new Map(), isAsking = false, isStale = false, staysTimer

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
  clearTimeout(staysTimer)
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

const askSoon = () => { clearTimeout(staysTimer); staysTimer = setTimeout(askStays, 500) }

/** What is told of those who come and go; where that may not be all, it is asked for. */
export function hearStays({ type, data }) {
  if (type === "place.entered") stays.set(data.member, { member: data.member, place: data.place, name: data.name })
  else if (type === "place.left") { if (stays.get(data.member)?.place === data.place) stays.delete(data.member); askSoon() }
  else if (type === "position.hidden" || type === "position.deleted") stays.delete(data.member)
  else if (type.startsWith("place.")) askSoon()
  // Somebody is seen exactly only now, or came or went where nothing was told of it.
  else if (type === "position" && "lat" in data && !data.precision && (!exactOnes.has(data.member) || isNews(data))) askSoon()
  if (type === "position") exactOnes[!data.precision && "lat" in data ? "add" : "delete"](data.member)
}
const exactOnes = new Set()

/** After a snapshot nothing of before counts but what it bears out, until the daemon has answered. */
export function resetStays() {
  recallStays(heldStays())
  exactOnes.clear()
  for (const one of state.snapshot?.positions ?? []) if (!one.precision && "lat" in one) exactOnes.add(one.member)
  askStays()
}
