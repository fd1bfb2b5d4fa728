// SPDX-License-Identifier: Apache-2.0
// News from outside: what sources tell that an admin named, apart from what the family itself tells. Nothing of them is
// fetched by a browser: they are plain text, and a link is opened only when somebody follows it.

import { act, asked, button, told, why } from "./base.js"
import { fill, h, say, set, show } from "./dom.js"
import { Endless } from "./endless.js"
import { reactions } from "./reactions.js"
import { hearers, me, state, whenChanged } from "./state.js"
import { name } from "./voice.js"
import { near, t } from "./words.js"

const pageMost = 20
/** After so long on the screen, news are seen. */
const seenMs = 1_500

class News extends HTMLElement {
  connectedCallback() {
    Object.assign(this, { news: [], sources: [], next: undefined, seen: undefined, isKnown: false })
    this.from = h("select", { id: "news-source", "aria-label": t("news.source"), onchange: () => this.ask() })
    this.starred = h("input", { type: "checkbox", id: "news-starred", onchange: () => this.ask() })
    this.words = h("input", { type: "search", maxlength: 100, "aria-label": t("news.search"), placeholder: t("news.search"), id: "search-news" })
    this.words.value = this.dataset.words ?? ""
    this.words.oninput = () => { clearTimeout(this.waits); this.waits = setTimeout(() => this.ask(), 300) }
    this.all = h("div", { id: "news" })
    this.cards = new Endless(this.all, { label: t("news.title"), key: one => one.id, make: one => new Card(one.id, this).element, update: (element, one) => element.card.update(one), more: () => this.askOlder() })
    this.cards.connect()
    this.end = h("p", { class: "empty", hidden: true }, t("line.older-away"))
    this.none = h("p", { class: "empty", role: "status" })
    this.troubles = h("div")
    this.more = button(t("news.older"), () => this.askOlder(), { class: "quiet", id: "older-news" })
    this.filters = h("div", { class: "slot parts" }, this.from, h("label", { class: "check" }, this.starred, " ", t("news.only-starred")))
    this.sourcesButton = button(t("news.sources"), async () => {
      try { await (await import("./news-sources.js")).sources() } catch { told(t("act.not-reached"), { isWrong: true }) }
      this.ask()
    }, { class: "quiet small", id: "news-sources" })
    fill(this, this.sourcesButton, this.troubles, this.filters, this.words, this.none, this.all, this.end, this.more)
    this.hear = event => this.take(event)
    this.look = () => this.see()
    hearers.add(this.hear)
    document.addEventListener("visibilitychange", this.look)
    this.line = state.line
    // What could not be asked for is asked for when there is a line.
    this.off = whenChanged(({ line }) => {
      if (line === this.line) return
      this.line = line
      if (line === "live" && this.isMissing) this.ask()
      this.draw(line === "live")
    })
    this.draw()
    this.ask()
  }

  disconnectedCallback() {
    hearers.delete(this.hear)
    document.removeEventListener("visibilitychange", this.look)
    this.cards.disconnect()
    this.off()
    clearTimeout(this.seeing)
  }

  question() {
    const words = this.words.value.trim()
    return { limit: pageMost, ...(this.from.value ? { source: this.from.value } : {}), ...(this.starred.checked ? { starred: true } : {}), ...(words ? { words } : {}) }
  }

  /** Asks for the newest of what is chosen; of many questions only the last counts. */
  async ask() {
    const question = this.question(), mine = this.asking = {}
    try {
      const found = await asked("news.list", question)
      if (mine !== this.asking) return
      // What was new when this screen was opened stays marked while one looks.
      if (!this.isKnown) this.since = found.seen
      Object.assign(this, { news: found.news, sources: found.sources, next: found.next, seen: found.seen, isKnown: true, isMissing: null, answers: JSON.stringify(question) })
    } catch (error) {
      if (mine !== this.asking) return
      this.isMissing = why(error, "line.unknown")
      // What answered another question is no answer to this one.
      if (this.answers !== JSON.stringify(question)) Object.assign(this, { news: [], next: undefined })
    }
    this.draw()
    this.see()
  }

  async askOlder() {
    const mine = this.asking, found = await asked("news.list", { ...this.question(), before: this.next })
    if (mine !== this.asking) return false
    const had = new Set(this.news.map(one => one.id))
    this.news = [...this.news, ...found.news.filter(one => !had.has(one.id))]
    this.next = found.next
    this.draw()
    return found.news.length > 0
  }

  /** Likes and stars change what is shown; anything else is asked for again. */
  take(event) {
    if (event && !/^news\./.test(event.type)) return
    const one = event && this.news.find(each => each.id === event.data.item)
    if (event?.type === "news.liked") {
      if (!one) return
      const { member, reaction } = event.data, others = one.likes.filter(like => like.member !== member)
      one.likes = reaction ? [...others, { member, reaction }] : others
    } else if (event?.type === "news.starred") {
      if (one) one.stars = event.data.stars
    } else if (event?.type === "news.seen") this.seen = event.data.upTo
    else return this.ask()
    this.draw()
  }

  /** What stood on the screen for a moment is seen, on all of the member's clients. */
  see() {
    clearTimeout(this.seeing)
    const newest = this.news.map(one => one.read).sort().at(-1)
    if (document.hidden || !newest || this.seen && this.seen >= newest) return
    this.seeing = setTimeout(() => act("news.see", { upTo: newest }), seenMs)
  }

  draw(isFresh = false) {
    const chosen = this.from.value, options = [["", t("news.all-sources")], ...this.sources.map(one => [one.id, one.name ?? t("news.no-name")])]
    if (this.options !== JSON.stringify(options)) {
      this.options = JSON.stringify(options)
      fill(this.from, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)))
    }
    const isAll = !this.from.value && !this.starred.checked && !this.words.value.trim(), isAdmin = me()?.role === "admin"
    show(this.sourcesButton, isAdmin)
    show(this.filters, this.sources.length)
    show(this.words, this.sources.length)
    fill(this.troubles, this.sources.filter(one => one.trouble).map(one =>
      h("p", { class: "note" }, t("news.trouble", { source: one.name ?? t("news.no-name"), why: t(`news.trouble.${one.trouble}`) }))))
    const isLive = state.line === "live"
    say(this.none, this.isMissing ?? (!this.isKnown ? t("line.starting") : !this.sources.length ? t(isAdmin ? "news.none-admin" : "news.none") : isAll ? t("news.nothing") : t("news.none-found")))
    show(this.none, this.isMissing || !this.news.length)
    show(this.more, this.next && isLive)
    show(this.end, this.next && state.line === "away" && this.news.length)
    this.cards.show(this.news, { hasMore: !!this.next && isLive, isFresh })
  }

  isNew(one) { return !this.since || one.read > this.since }
  source(id) { return this.sources.find(one => one.id === id) }
}
customElements.define("kin-news", News)

/** One piece of news. */
class Card {
  constructor(id, screen) {
    Object.assign(this, { id, screen })
    this.where = h("span", { class: "soft grow" })
    this.new = h("span", { class: "badge" }, t("news.new"))
    this.title = h("h2", { class: "headline" })
    this.text = h("p", { class: "words" })
    this.link = h("a", { target: "_blank", rel: "noopener noreferrer" }, t("news.open"))
    this.likes = reactions(() => this.now()?.likes, reaction => act("news.like", { item: id, reaction }))
    this.star = h("button", { type: "button", class: "quiet small star-news", onclick: () => act("news.star", { item: id, on: !this.isMine() }) })
    this.element = h("article", { class: "card stack news" }, h("div", { class: "person" }, this.where, this.new), this.title, this.text,
      h("div", { class: "actions" }, this.link, this.star), this.likes.element)
    this.element.card = this
  }

  now() { return this.screen.news.find(one => one.id === this.id) }
  isMine() { return !!this.now()?.stars.includes(state.snapshot.me) }

  update(one) {
    const source = this.screen.source(one.source)
    say(this.where, [source?.name ?? t("news.no-name"), one.author, near(one.at), one.changed ? t("news.changed") : null].filter(Boolean).join(" · "))
    show(this.new, this.screen.isNew(one))
    say(this.title, one.title)
    say(this.text, one.text ?? "")
    show(this.text, one.text)
    const isPage = /^https?:\/\//i.test(one.link ?? "")
    set(this.link, { href: isPage ? one.link : null, "aria-label": t("news.open-this", { title: one.title }) })
    show(this.link, isPage)
    const names = one.stars.map(name).join(", ")
    say(this.star, one.stars.length ? t("news.interested", { n: one.stars.length }) : t("news.interest"))
    set(this.star, { "aria-pressed": this.isMine() ? "true" : "false", title: names || null })
    this.likes.update(one.likes)
  }
}
