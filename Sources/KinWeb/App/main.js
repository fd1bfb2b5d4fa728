// SPDX-License-Identifier: Apache-2.0
// The page: begins with what was seen last, connects, and shows one screen at a time.

import { askStays, forgo, hearStays, heldStays, recallStays, recount, resetStays, sendWaiting, takeBack, told, useLine } from "./base.js"
import { fill, h, say, set, show } from "./dom.js"
import { seen } from "./early.js"
import { connect } from "./line.js"
import * as reporting from "./report.js"
import { loadNewer, look, now, served } from "./served.js"
import { changed, me, settings, state, takeEvent, takeLine, takeSnapshot, whenChanged } from "./state.js"
import * as store from "./store.js"
import { near, span, speak, t } from "./words.js"
import "./alarms.js"
import "./home.js"
import "./meetings.js"

/**
 * The screens, one line each: their address, their element, the word that the settings' tabs know them by, and the module
 * of those that the first look does without. A screen with `named` shows a guest only what names the guest: its tab is
 * offered to guests when that part of the snapshot has something.
 */
const screens = [
  { name: "home", element: "kin-home", view: "home" },
  { name: "chat", element: "kin-chat", view: "chat", named: "rooms", load: () => import("./chat.js") },
  { name: "map", element: "kin-map", view: "map", load: () => import("./map.js") },
  { name: "meetings", element: "kin-meetings", view: "meetings" },
  { name: "calendar", element: "kin-calendar", view: "calendar", load: () => import("./calendar.js") },
  { name: "lists", element: "kin-lists", view: "lists", named: "lists", load: () => import("./lists.js") },
  { name: "meals", element: "kin-meals", view: "meals", named: "meals", load: () => import("./meals.js") },
  { name: "posts", element: "kin-posts", view: "posts", load: () => import("./posts.js") },
  { name: "pictures", element: "kin-gallery", view: "pictures", named: "pictures", load: () => import("./pictures.js") },
  { name: "inbox", element: "kin-inbox", view: "activity", load: () => import("./inbox.js") },
  { name: "family", element: "kin-family", view: "members", load: () => import("./family.js") },
]
/** The screen of no tab, which every other one leads to. */
const search = { name: "search", element: "kin-search", load: () => import("./search.js") }

// The words are had while the store is opened; most browsers have the member's language.
const [held, waiting] = await Promise.all([store.load(), store.waited(), speak()])
if (held) {
  Object.assign(state, { snapshot: held.snapshot, asOf: held.at - (held.off ?? 0) })
  recallStays(held.stays)
  state.waiting = state.queue = waiting
} else {
  // The first look need not wait until the line is this tab's.
  const snapshot = seen()
  if (snapshot?.members.some(one => one.id === snapshot.me && one.kind !== "wall")) Object.assign(state, { snapshot, asOf: now() })
}
/** Ringing is of no use to the first look: it is loaded behind it. */
const ringing = what => import("./ringing.js").then(what).catch(() => {})
// It rings for nobody who was here before.
if (store.wasOthers || store.isShared) ringing(one => one.end())
await speak(settings())
tellLanguage()

// The frame --------------------------------------------------------------------------------------------------------

const family = h("p", { class: "family" })
const line = h("p", { class: "line", role: "status", hidden: true })
const clockLine = h("p", { class: "line clock-wrong", role: "status", hidden: true })
const newer = h("p", { class: "line newer", role: "status", hidden: true }, h("span"), " ", h("button", { type: "button", class: "quiet small", id: "load-newer", onclick: loadNewer }))
const alarms = h("kin-alarms", { role: "region", "aria-label": t("alarm.all"), hidden: true })
const main = h("main", { id: "main", tabindex: "-1" })
const tabs = h("nav", { class: "tabs" })
/** Screens that have no room in the bar of a small screen, behind one button of it. */
const rest = h("div", { class: "rest", id: "rest", hidden: true })
const more = h("button", { type: "button", class: "more", id: "more", "aria-expanded": "false", "aria-controls": "rest", onclick: () => unfold(rest.hidden) },
  h("span", { class: "sign more", "aria-hidden": "true" }), h("span", { class: "label" }), h("span", { class: "count" }))
function unfold(isOpen) {
  show(rest, isOpen)
  set(more, { "aria-expanded": isOpen ? "true" : "false" })
  if (isOpen) rest.querySelector("a")?.focus()
}
addEventListener("keydown", event => { if (event.key === "Escape" && !rest.hidden) { unfold(false); more.focus() } })
document.addEventListener("click", event => { if (!rest.hidden && !more.contains(event.target)) unfold(false) })
// The focus goes on to the next row: a key that is held presses once.
addEventListener("keydown", event => { if (event.repeat && event.key === "Enter" && event.target.localName === "button") event.preventDefault() })
/** What was seen last is shown at once; where the daemon takes longer than this to answer, it is said how old that is. */
const slowMs = 2_000, begun = performance.now()
setTimeout(changed, slowMs + 50)
const isSlow = () => state.line === "starting" && state.asOf && performance.now() - begun > slowMs
/** What fits beside the button; on a wide screen all of them stand in the bar. */
const barMost = 5, wide = matchMedia("(min-width: 64rem)")
wide.addEventListener("change", () => changed())
const seek = h("a", { class: "seek", id: "to-search", href: "#search", "aria-keyshortcuts": "/" }, h("span", { class: "sign search", "aria-hidden": "true" }), " ", h("span"))
addEventListener("keydown", event => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select, [contenteditable], dialog")) return
  event.preventDefault()
  if (route().screen === search) document.querySelector("#search-words")?.focus()
  else location.hash = "#search"
})
const head = h("header", {}, seek, family, line, clockLine, newer)
fill(document.body,
  h("a", { class: "skip", href: "#main", onclick: event => { event.preventDefault(); main.focus() } }, t("frame.skip")),
  head, h("div", { id: "over" }, alarms, h("div", { id: "told", role: "status", "aria-live": "polite" })), main, tabs)

function isOffered({ name, named: part }) {
  const { snapshot } = state
  return !part || me()?.role !== "guest" || !!snapshot[part]?.length || !!snapshot.more?.includes(part) || route().screen.name === name
}

/** The tabs in the member's own order; what is not named comes behind. */
function order() {
  const own = settings().tabs ?? []
  const place = screen => { const at = own.indexOf(screen.view); return at < 0 ? own.length + screens.indexOf(screen) : at }
  return [screens[0], ...screens.slice(1).sort((a, b) => place(a) - place(b))].filter(isOffered)
}

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?"), [name, id] = path.split("/")
  return { screen: [...screens, search].find(one => one.name === name) ?? screens[0], id: id || null, query: new URLSearchParams(query) }
}

let current = null
async function go() {
  const { screen, id, query } = route()
  if (screen.load && !customElements.get(screen.element)) {
    try { await screen.load() } catch {
      // What this page never loaded is served no more where a newer one is.
      await look()
      changed()
      return told(t(served.isNewer ? "line.newer" : "act.not-reached"), { isWrong: true })
    }
    // Meanwhile somebody may have gone elsewhere.
    if (route().screen !== screen || route().id !== id) return
  }
  if (current?.localName !== screen.element) {
    current = document.createElement(screen.element)
    fill(main, current)
    if (go.wasThere) { scrollTo(0, 0); main.focus({ preventScroll: true }) }
  }
  go.wasThere = true
  current.open?.(id, query)
  paint()
}

function paint() {
  const { snapshot } = state
  say(family, snapshot?.family?.name ?? "Kinwire")
  say(set(seek, { "aria-label": t("search.open") }).lastChild, t("tab.search"))
  const { screen } = route()
  alarms.update(state)
  document.title = [alarms.call ? `⚠ ${alarms.call}` : null, t(`tab.${screen.name}`), snapshot?.family?.name ?? "Kinwire"].filter(Boolean).join(" · ")
  const unread = snapshot?.inbox?.unread ?? 0
  const said = (snapshot?.rooms ?? []).reduce((sum, one) => sum + (new Date(one.own.mutedUntil ?? 0) > now() ? 0 : one.own.unread), 0)
  const counts = { inbox: unread, chat: said }, all = order()
  const bar = wide.matches || all.length <= barMost + 1 ? all : all.slice(0, barMost), behind = all.slice(bar.length)
  const wanted = [...bar, "|", ...behind].map(one => one.name ?? one).join()
  if (tabs.dataset.order !== wanted) {
    tabs.dataset.order = wanted
    const link = one => h("a", { href: `#/${one.name}`, "data-tab": one.name },
      h("span", { class: `sign ${one.name}`, "aria-hidden": "true" }), h("span", {}, t(`tab.${one.name}`)), h("span", { class: "count" }))
    fill(rest, ...behind.map(link))
    fill(tabs, ...bar.map(link), behind.length ? [more, rest] : [])
    say(more.querySelector(".label"), t("frame.more"))
    unfold(false)
  }
  tabs.setAttribute("aria-label", t("frame.tabs"))
  const counted = (badge, n) => {
    say(badge, n ? (n > 99 ? "99+" : String(n)) : "")
    set(badge, { "aria-label": n ? t("inbox.unread", { n }) : null })
  }
  for (const one of all) {
    const link = tabs.querySelector(`[data-tab="${one.name}"]`)
    set(link, { "aria-current": one === screen ? "page" : null })
    counted(link.querySelector(".count"), counts[one.name] ?? 0)
  }
  set(more, { "data-current": behind.includes(screen) ? "true" : null })
  counted(more.querySelector(".count"), behind.reduce((sum, one) => sum + (counts[one.name] ?? 0), 0))
  const waits = state.waiting ? t("line.waiting", { n: state.waiting }) : ""
  const away = state.line === "away" ? t(state.asOf ? "line.away-as-of" : "line.away", { time: state.asOf ? near(state.asOf) : "" })
    : !snapshot ? t("line.starting") : isSlow() ? t("line.starting-as-of", { time: near(state.asOf) }) : ""
  say(line, [away, waits].filter(Boolean).join(" "))
  show(line, away || waits)
  // However far down one is: what is seen is old, and that stays in sight.
  if (head.classList.toggle("away", state.line === "away")) head.style.setProperty("--head", `${line.offsetTop}px`)
  const off = Math.abs(served.offMs) / 1000
  say(clockLine, off ? t(served.offMs > 0 ? "line.clock-ahead" : "line.clock-behind", { span: span(Math.round(off)) }) : "")
  // What is known from the last time may be right by now.
  show(clockLine, off && served.isAsked)
  say(newer.firstChild, t("line.newer"))
  say(newer.lastChild, t("line.load-newer"))
  show(newer, served.isNewer)
  dress(settings())
  if (snapshot || state.line === "away") current?.update?.(state)
  // For who measures: when there was something to see first.
  if (snapshot && !paint.wasUsable) {
    paint.wasUsable = true
    performance.mark("kin-usable")
    ringing(one => one.begin())
    for (const { load } of screens) load?.().catch(() => {})
  }
}

/** Light or dark, and how large, as the member set it. */
function dress({ theme, textSize }) {
  set(document.documentElement, { "data-theme": theme && theme !== "device" ? theme : null })
  const size = textSize ? `${textSize / 17 * 106.25}%` : ""
  if (document.documentElement.style.fontSize !== size) document.documentElement.style.fontSize = size
}

// A dialog belongs to the screen that it was opened on.
addEventListener("hashchange", () => { for (const one of document.querySelectorAll("dialog[open]")) one.close() })
addEventListener("hashchange", go)
// The daemon's other pages are not kept here: while it is away, a way to them would be a dead end.
document.addEventListener("click", event => {
  if (state.line !== "away" || !event.target.closest?.('a[href^="/"]:not([target])')) return
  event.preventDefault()
  told(t("act.not-reached"), { isWrong: true })
})
whenChanged(paint)
go()
// Ages grow older by themselves, and what is kept for a while only goes after it.
setInterval(() => {
  if (state.line === "away") store.expire(state.asOf)
  if (!document.hidden) changed()
}, 20_000)

/**
 * The daemon's other pages are in the member's language too, and say times in the same way: they read it from cookies.
 * Those last as long as all that is kept, from each time that the daemon is reached.
 */
function tellLanguage() {
  const days = store.isShared ? "" : `; Max-Age=${store.allMs / 1_000}`
  for (const name of ["language", "clock", "zone"]) {
    const own = settings()[name]
    document.cookie = `kinwire-${name}=${encodeURIComponent(own ?? "")}; Path=/; SameSite=Strict${own ? days : "; Max-Age=0"}`
  }
}

// The line ---------------------------------------------------------------------------------------------------------

/** The tab that has the line keeps what is held, and no other. */
function keep(cursor, view = wire.view) { if (wire.leads !== false) store.keep(state.snapshot, cursor, view, heldStays()) }

const manner = () => JSON.stringify([settings().language, settings().zone, settings().clock])
let spoken = manner()
async function respeak() {
  const now = manner()
  if (now === spoken) return
  spoken = now
  await speak(settings())
  tellLanguage()
  tabs.dataset.order = ""
  current = null
  go()
}

const wire = connect({
  /** What a tab that follows begins with. */
  held: () => state.snapshot,
  async reset(snapshot, cursor, view) {
    // Another member signed in, in another tab. Nothing of the one before is shown, typed, reported or sent any longer: the
    // page begins anew.
    if (state.snapshot && state.snapshot.me !== snapshot.me) {
      forgo()
      state.snapshot = null
      // Where the cookie tells them apart, the page erases what is not theirs as it begins.
      if (store.isStillIn()) await store.erase()
      return location.reload()
    }
    state.isWhole = true
    takeSnapshot(snapshot)
    // A screen on a wall has a page of its own.
    if (me()?.kind === "wall") return location.replace("/wall")
    resetStays()
    keep(cursor, view)
    respeak()
  },
  event(event) {
    if (!state.snapshot) return
    takeEvent(event)
    hearStays(event)
    dispatchEvent(new CustomEvent("kin-event", { detail: event }))
    keep(event.cursor)
    if (event.type === "settings.changed") respeak()
  },
  upto(cursor) {
    state.isWhole = true
    takeLine("live", now())
    if (state.snapshot) keep(cursor)
  },
  queue: recount,
  refused: takeBack,
  passing(what) { dispatchEvent(new CustomEvent("kin-passing", { detail: what })) },
  live() { takeLine("live", now()); tellLanguage(); askStays(); look().then(() => { if (wire.leads !== false) store.keepSkew(); changed() }); if (wire.leads !== false) sendWaiting() },
  away() {
    state.isWhole = false
    takeLine("away")
    // What there is stays for whoever opens the page without the daemon: nothing comes for now.
    store.flush()
  },
  async gone() { await leave() },
}, held?.cursor ?? null, held?.view ?? "all")
useLine(wire)
reporting.begin()

let hasLeft = false
/** The sign-in is good no more: nothing of it stays in this browser. Once: the line ends too when the daemon takes the form. */
export async function leave() {
  if (hasLeft) return
  hasLeft = true
  forgo()
  await store.erase()
  await ringing(one => one.end())
  store.ofBrowser.clear()
  store.ofTab.clear()
  for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name)
  const form = h("form", { method: "post", action: "/signout", hidden: true })
  document.body.append(form)
  form.submit()
}
addEventListener("kin-leave", leave)
addEventListener("pagehide", () => { store.flush() })
document.addEventListener("visibilitychange", () => { if (document.hidden) store.flush() })

store.whenTroubled(why => told(t(why), { isWrong: true }))

addEventListener("unhandledrejection", event => {
  if (event.reason?.code !== 0) told(t(state.line === "away" ? "act.not-reached" : "act.failed"), { isWrong: true })
})
