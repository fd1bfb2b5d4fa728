// SPDX-License-Identifier: Apache-2.0
// The screen on a wall: who is where, the map, and what is open to vote, in turn, for everybody who passes by. It is a
// viewer of its own and does nothing: there is no command here, and the daemon takes none from it.

import { askStays, condition, hearStays, isOld, resetStays, seenWhen, useLine, whereabouts } from "./base.js"
import { fill, h, say, set, show, sync } from "./dom.js"
import { Line } from "./line.js"
import { Ballot, when } from "./meetings.js"
import { look as lookAtServed, loadNewer, now, served } from "./served.js"
import { changed, me, member, state, takeEvent, takeLine, takeSnapshot, whenChanged } from "./state.js"
import * as store from "./store.js"
import { face } from "./voice.js"
import { civil, clock, day, near, span, speak, t, weekday } from "./words.js"

const turnMs = 20_000, awakeMs = 60_000
// It keeps nothing itself; what a member left in this browser goes.
store.load()
await speak()
document.head.append(h("link", { rel: "stylesheet", href: new URL("./wall.css", import.meta.url).pathname }))

// What this device was told on its own screen; nobody else knows of it.
const own = { nightFrom: "22:00", nightTo: "06:00", ...JSON.parse(store.ofBrowser.getItem("kinwire.wall") ?? "{}") }
const keepOwn = () => store.ofBrowser.setItem("kinwire.wall", JSON.stringify(own))

// The frame --------------------------------------------------------------------------------------------------------

const family = h("h1", {}), time = h("p", { class: "clock" }), date = h("p", { class: "date" }), line = h("p", { class: "line", role: "status", hidden: true })
const people = h("ul", { class: "rows people" }), nobody = h("p", { class: "empty" }), next = h("ul", { class: "rows" }), nextPart = h("section", {}, h("h2", {}, t("home.next")), next)
const ballots = h("div", { class: "stack" }), noVotes = h("p", { class: "empty" }, t("home.no-votes"))
const map = h("section", { class: "map-view", "aria-label": t("wall.map") })
const views = { people: h("section", { "aria-label": t("wall.people") }, people, nobody, nextPart), map, votes: h("section", { "aria-label": t("wall.votes") }, ballots, noVotes) }
const buttons = Object.fromEntries(Object.keys(views).map(name => [name, h("button", { type: "button", class: "quiet", "data-view": name, onclick: () => { stay(true); look(name) } }, t(`wall.${name}`))]))
const pause = h("button", { type: "button", class: "quiet", id: "pause", onclick: () => stay(!isStaying) })
const night = h("details", { class: "night" }, h("summary", {}, t("wall.night")),
  h("p", { class: "hint" }, t("wall.night-hint")),
  ...[["nightFrom", "wall.night-from"], ["nightTo", "wall.night-to"]].map(([key, text]) => h("label", {}, t(text), " ",
    h("input", { type: "time", name: key, value: own[key], onchange: event => { own[key] = event.target.value; keepOwn(); tick() } }))))
const dark = h("div", { class: "dark", hidden: true, onclick: () => wake() }, h("p", { class: "clock" }))
fill(document.body,
  h("header", {}, h("div", { class: "grow" }, family, date), time), line,
  h("main", { id: "main", tabindex: "-1" }, ...Object.values(views)),
  h("nav", { "aria-label": t("wall.views") }, ...Object.values(buttons), pause, night),
  h("div", { id: "told", role: "status" }), dark)
document.body.className = "wall"

// In turn ----------------------------------------------------------------------------------------------------------

let shown = null, isStaying = false, timer
const hasSomething = {
  people: () => true,
  map: () => (state.snapshot?.positions ?? []).some(one => one.lat !== undefined) && !!document.querySelector('meta[name="leaflet"]').content,
  votes: () => openVotes().length > 0,
}
const openVotes = () => (state.snapshot?.meetings ?? []).filter(one => one.meeting.state === "open")

/** Shows one of the three. The map is made when it is looked at first, and is let go of with the next look. */
async function look(name) {
  shown = name
  for (const [each, element] of Object.entries(views)) show(element, each === name)
  for (const [each, button] of Object.entries(buttons)) set(button, { "aria-pressed": String(each === name) })
  if (name === "map") {
    await import("./map.js")
    if (shown === "map" && !map.firstChild) map.append(document.createElement("kin-map"))
  } else fill(map)
  paint()
}

function turn() {
  if (isStaying || document.hidden || !dark.hidden) return
  const names = Object.keys(views).filter(name => hasSomething[name]())
  look(names[(names.indexOf(shown) + 1) % names.length])
}

function stay(isSo) {
  isStaying = isSo
  say(pause, t(isSo ? "wall.go-on" : "wall.pause"))
  set(pause, { "aria-pressed": String(isSo) })
  clearInterval(timer)
  if (!isSo) timer = setInterval(turn, turnMs)
}

// Day and night ----------------------------------------------------------------------------------------------------

let awakeUntil = 0
const minutes = text => { const [hour, minute] = text.split(":").map(Number); return hour * 60 + minute }
function isNight(wall) {
  // A time that was taken away says that there is none.
  if (!own.nightFrom || !own.nightTo) return false
  const now = wall.hour * 60 + wall.minute, from = minutes(own.nightFrom), to = minutes(own.nightTo)
  return from <= to ? now >= from && now < to : now >= from || now < to
}
function wake() { awakeUntil = performance.now() + awakeMs; tick() }

function tick() {
  const wall = civil(now())
  for (const one of [time, dark.firstChild]) say(one, clock(wall))
  say(date, `${weekday(wall)} ${day(wall)}`)
  show(dark, isNight(wall) && performance.now() > awakeUntil)
}
setInterval(() => { tick(); if (!document.hidden) changed() }, 5_000)

/** The screen stays on while the page is looked at, where the browser lets it. */
async function keepOn() { if (!document.hidden) try { await navigator.wakeLock?.request("screen") } catch { /* It sleeps as the device is set. */ } }
document.addEventListener("visibilitychange", keepOn)
keepOn()

// What is to be seen -----------------------------------------------------------------------------------------------

function paint() {
  const { snapshot } = state
  if (!snapshot) return
  const name = me()?.displayName ?? ""
  say(family, snapshot.family?.name ?? "Kinwire")
  document.title = `${name} · ${snapshot.family?.name ?? "Kinwire"}`
  show(line, state.line === "away")
  say(line, state.line === "away" ? t("wall.away", { time: near(state.asOf ?? now()) }) : "")
  if (shown === "map") map.firstChild?.update?.(state)
  const seen = (snapshot.positions ?? []).filter(one => member(one.member)).sort((a, b) => (a.at < b.at ? 1 : -1))
  sync(people, seen, one => one.member, one => h("li", { class: "row" }, face(one.member), h("span", { class: "grow" }, h("strong"), h("span", { class: "place" }), h("span", { class: "soft" }))), (row, one) => {
    say(row.querySelector("strong"), member(one.member).displayName)
    say(row.querySelector(".place"), whereabouts(one))
    say(row.querySelector(".soft"), [seenWhen(one), condition(one, span)].filter(Boolean).join(" · "))
    row.classList.toggle("old", isOld(one))
    row.querySelector(".face")?.update?.()
  })
  say(nobody, t("wall.none-shows"))
  show(nobody, !seen.length)
  const coming = (snapshot.meetings ?? []).filter(one => one.meeting.confirmed)
    .map(one => ({ ...one, slot: one.meeting.slots.find(slot => slot.id === one.meeting.confirmed) }))
    .filter(one => one.slot && new Date(one.slot.end) > now()).sort((a, b) => (a.slot.start < b.slot.start ? -1 : 1)).slice(0, 3)
  sync(next, coming, one => one.meeting.id, () => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" }))), (row, one) => {
    say(row.querySelector("strong"), one.meeting.title)
    say(row.querySelector(".soft"), [when(one.slot), one.meeting.place].filter(Boolean).join(" · "))
  })
  show(nextPart, coming.length)
  sync(ballots, openVotes(), one => one.meeting.id, one => new Ballot(one.meeting.id, 2), ballot => ballot.update())
  show(noVotes, !openVotes().length)
}

tick()
stay(false)
look("people")
whenChanged(paint)

// The line ---------------------------------------------------------------------------------------------------------

useLine(new Line({
  reset(snapshot) {
    takeSnapshot(snapshot)
    // Somebody's own sign-in has a page of its own, and shows nothing here.
    if (me() && me().kind !== "wall") return location.replace("/")
    resetStays()
  },
  event(event) {
    if (!state.snapshot) return
    takeEvent(event)
    hearStays(event)
  },
  upto() { takeLine("live", now()) },
  live() { takeLine("live", now()); askStays(); lookAtServed().then(() => {
    // Nobody who passes by would press a button for it.
    if (served.isNewer) loadNewer()
  }) },
  away() { takeLine("away") },
  /** The pairing was ended, or another device took this one's place. */
  async gone() {
    await store.erase()
    store.ofBrowser.clear()
    await fetch("/signout", { method: "POST" }).catch(() => {})
    location.replace("/wall")
  },
}))
