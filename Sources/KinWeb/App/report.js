// SPDX-License-Identifier: Apache-2.0
// "Show where I am": the page reports the browser's position while it is open, where the member wants that.

import { act, asked, button, told } from "./base.js"
import { ask, h, say, set, sync } from "./dom.js"
import { look, now, served } from "./served.js"
import { changed, me, position, state } from "./state.js"
import { isShared, ofBrowser, ofTab } from "./store.js"
import { list, t } from "./words.js"

/** `off`, `asking`, `on`, `lost` (the device does not know where it is), `refused`, `impossible`; `last` is when something was reported last. */
export const report = { state: "off", last: null, keepsAwake: false }
/** What was switched on stays on; on a shared computer until the tab is closed. */
const kept = isShared ? ofTab : ofBrowser
const everyMs = 10_000, againMs = 5_000, stillMs = 60_000, farMetres = 25
/** Nothing from before: what comes is where the browser is now. */
const exactly = { enableHighAccuracy: true, maximumAge: 0, timeout: 55_000 }
let watch = null, beat = null, late = null, battery = null, lock = null, sent = null

/** Goes on where it was left: what the member switched on stays on in this browser. */
export async function begin() {
  try { battery = await navigator.getBattery?.() } catch { battery = null }
  if (kept.getItem("kinwire.report") === "on") start()
  document.addEventListener("visibilitychange", () => { if (!document.hidden && report.keepsAwake) stayAwake() })
}

/** Lets the others see where one is, by one's rules, and asks first who that is; whether they may now. */
export async function share() {
  if (state.line !== "live") return void told(t("act.not-reached"), { isWrong: true })
  const { sharing } = await asked("sharing.show", {})
  if (sharing.state === "on") return true
  if (sharing.heldBy) return void told(t("report.held"), { isWrong: true })
  if (!await widen(sharing)) return false
  return !!await act("sharing.set", { state: "on", confirms: sharing.seenBy.map(one => one.id) }, { mayWait: false })
}

/** Asks who is to see it, where nobody sees anything yet; then begins. */
export async function showMe() { if (await share()) start() }

/** Widening asks: who will see what from now on. */
function widen(sharing) {
  const seers = sharing.seenBy.filter(one => one.id !== me()?.id && one.precision !== "off")
  const by = new Map()
  for (const one of seers) by.set(one.precision, [...(by.get(one.precision) ?? []), one.displayName])
  const lines = [...by].map(([precision, names]) => h("li", {}, h("strong", {}, list(names)), ` – ${t(`share.${precision}`)}`))
  return ask(t("report.who"), close => h("form", { onsubmit: event => { event.preventDefault(); close(true) } },
    lines.length ? [h("p", {}, t("report.will-see")), h("ul", {}, lines)] : sharing.others ? null : h("p", {}, t("report.nobody")),
    sharing.others ? h("p", {}, t("report.others")) : null,
    h("p", { class: "hint" }, t("report.change-later")),
    h("button", { type: "submit" }, t("report.show")),
    h("button", { type: "button", class: "quiet", onclick: () => close(false) }, t("act.leave"))))
}

function start() {
  if (!navigator.geolocation || !window.isSecureContext) { report.state = "impossible"; return changed() }
  if (watch !== null) return
  report.state = "asking"
  changed()
  watch = navigator.geolocation.watchPosition(found, failed, exactly)
  // Whoever stands still moves no watch: told all the same, or the age would say that nothing is known.
  beat = setInterval(() => { if (!document.hidden) navigator.geolocation.getCurrentPosition(found, failed, exactly) }, stillMs)
}

/** Ends reporting from this browser. Who sees the last position stays as it is. */
export function stop() {
  end()
  report.state = "off"
  kept.removeItem("kinwire.report")
  changed()
}

function end() {
  if (watch !== null) navigator.geolocation.clearWatch(watch)
  clearInterval(beat)
  clearTimeout(late)
  watch = null
}

function found({ coords }) {
  report.state = "on"
  kept.setItem("kinwire.report", "on")
  const moment = Date.now()
  const isFar = !sent || Math.hypot(coords.latitude - sent.lat, coords.longitude - sent.lon) * 111_000 > farMetres
  const wait = sent ? sent.at + (isFar ? 1_000 : everyMs) - moment : 0
  clearTimeout(late)
  // Too soon after the one before: this one is told a little later, unless a newer one comes.
  if (wait > 0) { late = setTimeout(() => { if (watch !== null) found({ coords }) }, wait); return }
  sent = { lat: coords.latitude, lon: coords.longitude, at: moment }
  const known = (name, value) => value === null || value === undefined || Number.isNaN(value) ? {} : { [name]: value }
  const at = new Date(now()).toISOString()
  asked("position.report", {
    lat: coords.latitude, lon: coords.longitude, at, device: t("report.device"),
    ...known("accuracy", coords.accuracy), ...known("altitude", coords.altitude),
    ...known("speed", coords.speed), ...known("course", coords.heading),
    ...(battery ? { battery: Math.round(battery.level * 100), charging: battery.charging } : {}),
  }).then(() => { report.last = Date.now(); changed() }, async error => {
    // A clock that is wrong, and was not known to be: then told by the daemon's.
    const isMoment = error.data?.field === "at", before = served.offMs
    if (isMoment) await look()
    // Not reached, or too much at once: this one is told again, unless a newer one comes. Anything else is worth a sentence.
    if (!(isMoment && served.offMs !== before) && error.code !== 0 && error.code !== 1429 && error.code !== 1503) return told(t("report.failed"), { isWrong: true })
    sent = null
    clearTimeout(late)
    late = setTimeout(() => { if (watch !== null) found({ coords }) }, againMs)
  })
  changed()
}

function failed(error) {
  if (error.code !== error.PERMISSION_DENIED) {
    // One that is missed is not said, and it goes on looking.
    if (watch === null || sent && Date.now() - sent.at < 2 * stillMs) return
    report.state = "lost"
    return changed()
  }
  end()
  report.state = "refused"
  kept.removeItem("kinwire.report")
  changed()
}

async function stayAwake() {
  try { lock = await navigator.wakeLock?.request("screen") ?? null } catch { lock = null }
}

/** Keeps the screen on, on request: a browser reports nothing while it sleeps. */
export async function keepAwake(isOn) {
  report.keepsAwake = isOn
  if (isOn) await stayAwake()
  else { await lock?.release(); lock = null }
  changed()
}

/** The card of the first screen. */
export class ReportCard extends HTMLElement {
  connectedCallback() { this.draw() }

  update() {
    const key = JSON.stringify([report.state, !!report.last, report.keepsAwake, !!position(state.snapshot?.me), state.snapshot?.sharing])
    if (key !== this.key) this.draw(key)
  }

  /** What is there stays what it is, and so keeps the focus. */
  draw(key = "") {
    this.key = key
    const isOn = ["on", "asking", "lost"].includes(report.state), isImpossible = report.state === "impossible"
    const isHidden = state.snapshot?.sharing?.state !== "on"
    const sentence = report.state === "refused" ? t("report.refused") : isImpossible ? t("report.impossible")
      : report.state === "asking" ? t("report.asking") : report.state === "lost" ? t("report.lost")
      : isOn ? t(isHidden ? "report.on-hidden" : "report.on") : (isHidden ? "" : `${t(!position(state.snapshot.me) ? "map.unreported" : state.snapshot.sharing.heldBy ? "map.shown-held" : "map.shown")} `) + t("report.why")
    const hadFocus = this.contains(document.activeElement)
    sync(this, [
      ["title", () => h("h2", {}, t("report.title"))],
      ["says", () => h("p"), text => set(say(text, sentence), { role: isOn ? null : "note" })],
      isImpossible && ["ways", () => h("p", {}, h("a", { class: "button", href: "/phone" }, t("report.other-ways")))],
      isOn && "wakeLock" in navigator && ["awake", () => h("label", { class: "check" }, h("input", { type: "checkbox", checked: report.keepsAwake,
        onchange: event => keepAwake(event.target.checked) }), t("report.awake"))],
      isOn && isHidden && ["show", () => button(t("report.show"), showMe)],
      isOn ? ["stop", () => button(t("report.stop"), stop, { class: "quiet" })]
        : !isImpossible && ["begin", () => button(t("report.show-me"), showMe, { id: "show-me" })],
      ["more", () => h("p", { class: "hint" }, t("report.limits"), " ", h("a", { href: "/phone" }, t("report.app")), " · ",
        h("a", { href: "/sharing" }, t("report.who-sees")))],
    ].filter(Boolean), ([name]) => name, ([, make]) => make(), (part, [, , tell]) => tell?.(part))
    // What had it is there no more: the way on has it.
    if (hadFocus && !this.contains(document.activeElement)) this.querySelector("button:last-of-type, a")?.focus({ preventScroll: true })
  }
}
customElements.define("kin-report", ReportCard)
