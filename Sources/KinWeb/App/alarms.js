// SPDX-License-Identifier: Apache-2.0
// Alarms: somebody calls others. Open alarms are shown above every screen.

import { act, anew, asked, button, field, told, tried, whereabouts } from "./base.js"
import { ask, fill, h, say, set, show, sync } from "./dom.js"
import { now as present } from "./served.js"
import { changed, hearers, me, member, people, place, state, whenChanged } from "./state.js"
import { queued } from "./store.js"
import { name } from "./voice.js"
import { age, local, moment, t } from "./words.js"

const kinds = ["sos", "come", "onTheWay", "check"]
/** What one answers to each kind; what silences comes last. */
const answers = { sos: ["coming", "cannot"], come: ["coming", "cannot", "seen"], onTheWay: ["seen"], check: ["allWell", "seen"] }

/** So old may a position be, in milliseconds. */
const oldMax = 60_000
/** Where this browser is, where it may say so within a few seconds. */
function here() {
  return new Promise(resolve => {
    if (!navigator.geolocation || !window.isSecureContext) return resolve(null)
    navigator.geolocation.getCurrentPosition(({ coords, timestamp }) => {
      // How old it is the device knows; when that was, its clock may not.
      const old = Date.now() - timestamp, at = present() - (old > 0 && old <= oldMax ? old : 0)
      resolve({ lat: coords.latitude, lon: coords.longitude, at: new Date(at).toISOString(), accuracy: coords.accuracy ?? 0 })
    }, () => resolve(null), { enableHighAccuracy: true, maximumAge: oldMax, timeout: 5_000 })
  })
}

/** A map outside this page: Android's own app, else one on the internet. Opened by a tap, and by nothing else. */
const mapOf = (lat, lon) => /android/i.test(navigator.userAgent) ? `geo:${lat},${lon}?q=${lat},${lon}`
  : `https:${"//"}www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`

/**
 * A call whose answer was lost. Tried again it is the same call, from where one was then. After two minutes that is too long
 * ago, and it is another one.
 */
let lost = null
const lostMs = 120_000

/** Whom one reaches without the daemon: the emergency number, and the numbers of others that this browser has. */
const phones = () => [{ value: "112" }, ...(state.snapshot?.profiles ?? []).filter(one => one.kind === "phone" && one.member !== me()?.id)]
  .map(({ member, value }) => h("p", {}, member && `${name(member)} `, h("a", { href: `tel:${value.replace(/[^\d+]/g, "")}` }, value)))

/** Asks what for and whom, and calls. */
export async function call() {
  const text = h("input", { type: "text", maxlength: 500, id: "alarm-text", autocomplete: "off" })
  const whom = h("select", { id: "alarm-whom" }, h("option", { value: "" }, t("alarm.household")))
  const where = h("select", { id: "alarm-where" }, h("option", { value: "" }, t("alarm.nowhere")))
  const goals = field(t("alarm.where"), where)
  // Who opens the page in a hurry is here before the family is: it is named as soon as it comes.
  let isNamed = false
  const fill = () => {
    if (isNamed || !state.snapshot) return
    isNamed = true
    const others = people().filter(one => one.id !== state.snapshot.me), places = state.snapshot.places ?? []
    whom.append(...others.map(one => h("option", { value: one.id }, one.displayName)))
    where.append(...places.map(one => h("option", { value: one.id }, one.name)))
    show(goals, places.length)
  }
  show(goals, false)
  fill()
  const stop = whenChanged(fill)
  const by = h("input", { type: "time", id: "alarm-by" })
  const fields = [field(t("alarm.text"), text), field(t("alarm.whom"), whom), goals, field(t("alarm.by"), by, t("alarm.by-hint"))]
  try {
    for (let isUrgent = false; ;) {
      const kind = await ask(t("alarm.call"), close => h("form", { class: "stack", onsubmit: event => event.preventDefault() },
        isUrgent && h("div", { id: "alarm-phones" }, t("alarm.phone"), phones()),
        kinds.map(one => h("button", { type: "button", class: one === "sos" ? "alarm" : "quiet", "data-alarm": one, onclick: () => close(one) },
          t(`alarm.do.${one}`))),
        h("p", { class: "hint" }, t("alarm.lends")), fields,
        h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
      if (!kind) return
      const said = JSON.stringify([kind, text, whom, where, by].map(one => one.value ?? one))
      if (lost?.said !== said || present() - lost.at > lostMs) {
        const params = { kind }
        if (text.value.trim()) params.text = text.value.trim()
        if (whom.value) params.to = [whom.value]
        if ((kind === "onTheWay" || kind === "check") && by.value) params.expected = next(by.value).toISOString()
        const goal = kind === "onTheWay" ? place(where.value) : null
        if (goal) params.place = { name: goal.name, lat: goal.lat, lon: goal.lon, radius: goal.radius }
        const at = kind === "check" ? null : await here()
        if (at) params.position = at
        lost = { said, at: present(), params }
        anew()
      }
      // A call for help must not arrive an hour later: what was typed stands there to be called again.
      const { result, op } = await tried("alarm.raise", lost.params, { mayWait: false, again: lost.op })
      lost = op ? { ...lost, op } : null
      if (result) return told(t(kind === "check" ? "alarm.asked" : kind === "onTheWay" ? "alarm.mine.onTheWay" : "alarm.sent"))
      isUrgent = kind === "sos" || kind === "come"
    }
  } finally { stop() }
}

/** When it is that time of day next. */
function next(time) {
  const today = local(present()).slice(0, 10), soon = moment(`${today}T${time}`)
  if (soon > present()) return new Date(soon)
  return new Date(moment(`${new Date(Date.parse(`${today}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)}T${time}`))
}

class Alarms extends HTMLElement {
  update({ snapshot }) {
    if (!this.list) {
      this.list = h("ul", { class: "alarms", role: "list" })
      // Read aloud once; what changes of it later is not.
      this.aloud = h("p", { class: "hidden", role: "alert" })
      this.known = new Set()
      this.taken = new Set()
      // What another member ended while it was shown here does not vanish without a word.
      hearers.add(event => {
        if (event?.type === "alarm.ended" && event.data.cause === "ended" && event.by !== me()?.id) import("./alarm-over.js").then(all => all.over(this, event), () => {})
      })
      /** What waits in this browser to be sent, by the alarm: its last answer, or that it is over. */
      this.unsent = new Map()
      this.append(this.aloud, this.list)
      // It stands above the page, and the page begins below it.
      new ResizeObserver(() => document.documentElement.style.setProperty("--over", `${this.offsetHeight}px`)).observe(this)
      document.addEventListener("visibilitychange", () => this.take())
    }
    if (state.queue !== this.waited) { this.waited = state.queue; this.askWaiting() }
    // One that ended by itself meanwhile nobody tells of, where the daemon is away.
    const alarms = (snapshot?.alarms ?? []).filter(one => state.line === "live" || new Date(one.until) > present()).sort((a, b) => (a.at < b.at ? 1 : -1))
    sync(this.list, alarms, one => one.id, card, (element, one) => updateCard(element, one, this.unsent.get(one.id)))
    show(this.list, alarms.length)
    show(this, alarms.length || this.children[2])
    const fresh = alarms.filter(one => !this.known.has(one.id))
    if (fresh.length) say(this.aloud, fresh.map(heading).join(". "))
    this.known = new Set(alarms.map(one => one.id))
    const open = alarms.find(one => one.called.some(call => call.member === me()?.id && !call.answer))
    /** What waits for the member's answer, for the tab's title. */
    this.call = open ? heading(open) : null
    this.take()
  }

  async askWaiting() {
    const waits = (await queued()).filter(one => one.method === "alarm.answer" || one.method === "alarm.end")
    this.unsent = new Map(waits.map(({ method, params }) => [params.alarm, method === "alarm.end" ? "end" : params.answer]))
    changed()
  }

  /** Who called sees whom it has reached: this page shows it, once it is looked at. */
  take() {
    if (document.hidden) return
    for (const one of state.snapshot?.alarms ?? []) {
      if (this.taken.has(one.id) || !one.called.some(call => call.member === me()?.id && !call.reached)) continue
      this.taken.add(one.id)
      asked("alarm.take", { alarm: one.id }).catch(() => this.taken.delete(one.id))
    }
  }
}
customElements.define("kin-alarms", Alarms)

function card(alarm) {
  const isMine = alarm.by === me()?.id
  const answer = one => button(t(`button.${one}`), () => act("alarm.answer", { alarm: alarm.id, answer: one }),
    { class: one === "seen" ? "quiet small" : "small", "data-answer": one })
  return h("li", { class: "card alarm", "data-kind": alarm.kind }, h("details", { open: true }, h("summary", {}, h("h2"), " · ", h("span")),
    h("p", { class: "text" }), h("p", { class: "place" }), h("ul", { class: "called" }), h("p", { class: "unsent", hidden: true }),
    h("div", { class: "bar" }, isMine
      ? button(t("alarm.end"), () => act("alarm.end", { alarm: alarm.id }), { class: "small", "data-end": "" })
      : answers[alarm.kind].map(answer))))
}

function heading(alarm) {
  if (alarm.by === me()?.id) return t(`alarm.mine${alarm.overdue ? "-overdue" : ""}.${alarm.kind}`)
  return t(`alarm.${alarm.overdue ? "overdue." : ""}${alarm.kind}`, { by: name(alarm.by) })
}

function updateCard(element, alarm, unsent) {
  const mine = unsent ?? alarm.called.find(one => one.member === me()?.id)?.answer
  // Who said so has said all that is asked: it is shown, and nothing is left to be pressed.
  const isDone = !unsent && ["check allWell", "onTheWay seen"].includes(`${alarm.kind} ${mine}`)
  say(element.querySelector("h2"), heading(alarm) + (isDone ? ` · ${name(me().id)}: ${t(`alarm.answer.${mine}`)}` : ""))
  show(element.querySelector(".bar"), !isDone)
  say(element.querySelector("summary span"), age(alarm.at))
  const text = element.querySelector(".text"), place = element.querySelector(".place")
  say(text, alarm.text ?? "")
  show(text, alarm.text)
  show(place, alarm.kind !== "check")
  if (!alarm.position) say(place, t("alarm.no-place"))
  else {
    const { lat, lon, at } = alarm.position, numbers = `${lat.toFixed(5)}, ${lon.toFixed(5)}`
    const words = `${whereabouts({ ...alarm.position, member: alarm.by })} (${age(at)})`
    if (!place.firstElementChild) {
      fill(place, h("span"), " ", h("a", { class: "inside", onclick: () => { element.firstChild.open = false } }, t("family.on-map")), " · ",
        h("a", { class: "outside", target: "_blank", rel: "noopener noreferrer" }))
    }
    say(place.querySelector("span"), words)
    place.querySelector(".inside").href = `#/map/${lat},${lon}`
    set(say(place.querySelector(".outside"), t("alarm.outside", { at: numbers })), { href: mapOf(lat, lon) })
  }
  sync(element.querySelector(".called"), alarm.called.filter(one => member(one.member) || one.answer || one.reached), one => one.member,
    () => h("li", {}), (row, one) => say(row, `${name(one.member)}: ${t(`alarm.answer.${one.answer ?? (one.reached ? "reached" : "none")}`)}`))
  const waits = element.querySelector(".unsent")
  say(waits, unsent ? t("alarm.not-sent", { answer: t(unsent === "end" ? "alarm.end" : `button.${unsent}`) }) : "")
  show(waits, unsent)
  // Who has answered has done their part: one line is left of it.
  if (mine && !unsent && element.dataset.answered !== mine) element.firstChild.open = false
  set(element, { "data-answered": unsent ? null : mine })
  for (const one of element.querySelectorAll("[data-answer]")) one.setAttribute("aria-pressed", String(one.dataset.answer === mine))
}
