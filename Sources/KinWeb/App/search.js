// SPDX-License-Identifier: Apache-2.0
// One search over everything that the member sees: the latest first, a page at a time. Each hit leads to its thing.

import { asked, button, field, retry, why } from "./base.js"
import { h, say, show, sync } from "./dom.js"
import { state } from "./state.js"
import { day, near, t } from "./words.js"

/** Where a hit leads to. */
const leads = {
  post: hit => `#/posts/${hit.id}`, comment: hit => `#/posts/${inside(hit)}`, news: hit => `#/posts/news?q=${words(hit)}`,
  room: hit => `#/chat/${hit.id}`, menu: hit => `#/meals/${hit.at.slice(0, 10)}`,
  message: hit => `#/chat/${inside(hit)}`, picture: hit => `#/pictures/${hit.id}`, list: hit => `#/lists/${hit.id}`,
  item: hit => `#/lists/${inside(hit)}`, entry: hit => `#/calendar/${hit.id}`, meeting: hit => `#/meetings/${hit.id}`,
  meal: hit => `#/meals/${hit.at.slice(0, 10)}`, dish: hit => `#/meals/dishes?dish=${hit.id}`,
  place: hit => `#/map/${hit.id}`, contact: hit => `#/family/contacts?q=${words(hit)}`,
  announcement: hit => `#/inbox/${hit.id}`, saying: hit => `#/inbox/${hit.id}`, profile: hit => `#/family/${hit.author}`,
  // Alarms that go on are shown above every screen.
  alarm: () => "#/home",
}
/** What a screen with a search of its own is to look for. */
const words = hit => encodeURIComponent((hit.title ?? hit.snippet ?? "").split(/\s+/).slice(0, 6).join(" ").slice(0, 90))
const inside = hit => hit.within?.split("/")[1] ?? ""
const name = id => state.snapshot?.members?.find(one => one.id === id)?.displayName ?? null

/** When it was, or is; a whole day is the same day everywhere. */
function when(hit) {
  if (!hit.isDay) return near(hit.at)
  const at = new Date(hit.at)
  return day({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() })
}

/** A text with its matches highlighted; `highlights` count UTF-16 code units, as JavaScript does. */
function highlighted(text, highlights) {
  const parts = []
  let at = 0
  for (const [from, to] of highlights) {
    if (from < at) continue
    parts.push(text.slice(at, from), h("mark", {}, text.slice(from, to)))
    at = to
  }
  return [...parts, text.slice(at)]
}

class Search extends HTMLElement {
  connectedCallback() {
    if (this.words) return
    Object.assign(this, { hits: [], next: null, asking: null })
    this.words = h("input", { type: "search", name: "words", id: "search-words", maxlength: 200, autocomplete: "off", enterkeyhint: "search" })
    this.words.addEventListener("input", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.lookFor(), 250) })
    this.form = h("form", { role: "search", onsubmit: event => { event.preventDefault(); clearTimeout(this.timer); this.lookFor() } }, field(t("search.words"), this.words))
    this.said = h("p", { class: "empty", role: "status" })
    this.list = h("ul", { class: "rows", "aria-label": t("search.found") })
    this.further = h("p", {}, button(t("act.more"), () => this.ask(this.next), { class: "quiet", id: "search-more" }))
    this.append(h("h1", {}, t("tab.search")), this.form, this.said, this.list, this.further)
    this.show()
  }

  /** The words stand in the address, so that the way back from a hit leads here again. */
  open(_, query) {
    const words = query?.get("q") ?? ""
    if (this.words.value.trim() !== words) { this.words.value = words; this.ask() }
    this.words.focus({ preventScroll: true })
  }

  update({ line }) {
    // What was asked for in vain is asked for again.
    if (line === "live" && this.isAway) this.ask()
  }

  lookFor() {
    const words = this.words.value.trim()
    history.replaceState(history.state, "", `#search${words ? `?q=${encodeURIComponent(words)}` : ""}`)
    this.ask()
  }

  async ask(before = null) {
    const words = this.words.value.trim(), mine = this.asking = {}
    if (!before) Object.assign(this, { hits: [], next: null, answer: null })
    Object.assign(this, { isAway: false, trouble: null })
    if (!words) return this.show()
    try {
      const answer = await asked("search.find", { words, ...(before ? { before } : {}) })
      if (this.asking !== mine) return
      this.answer = answer
      this.hits = [...this.hits, ...answer.hits]
      this.next = answer.next ?? null
    } catch (error) {
      if (this.asking !== mine) return
      this.isAway = error.code === 0
      if (!this.isAway) this.trouble = why(error)
      // What can be answered a little later is asked again then.
      if (error.code === 1503 || error.code === 1429) retry(() => { if (this.isConnected && this.asking === mine) this.ask(before) })
    }
    this.show()
  }

  show() {
    sync(this.list, this.hits, hit => `${hit.kind}/${hit.id}`, hit => h("li", {}, h("a", { class: "row", href: leads[hit.kind]?.(hit) ?? "#/home" },
      h("span", { class: "grow" }, hit.title ? h("strong", {}, highlighted(hit.title, hit.titleHighlights)) : null,
        hit.snippet ? h("span", { class: "words" }, highlighted(hit.snippet, hit.highlights)) : null,
        h("span", { class: "soft" }, [t(`search.kind.${hit.kind}`), name(hit.author), when(hit)].filter(Boolean).join(" · "))))))
    const none = this.hits.length ? "" : this.next ? t("search.none-yet") : t("search.none")
    say(this.said, this.trouble ? this.trouble : this.isAway ? t(state.line === "starting" ? "line.starting" : "search.away") : !this.words.value.trim() ? t("search.empty")
      : !this.answer ? "" : [none, this.answer.isWhole ? "" : t("search.filling")].filter(Boolean).join(" "))
    show(this.said, this.said.textContent)
    show(this.list, this.hits.length)
    show(this.further, this.next)
  }
}
customElements.define("kin-search", Search)
