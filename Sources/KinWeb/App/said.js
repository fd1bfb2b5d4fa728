// SPDX-License-Identifier: Apache-2.0
// What was said: by others, as it lies in the inbox, and by oneself, with a way to correct it and to take it back.

import { act, asked, button, field, undoable } from "./base.js"
import { ask, h, say, set, show, sync } from "./dom.js"
import { name, sentence } from "./voice.js"
import { changed, household, state } from "./state.js"
import { queued } from "./store.js"
import { near, t } from "./words.js"

const spoken = ["announcement", "said", "message"], shownMax = 8
/** What the inbox's line has instead of the rest of a long text. */
const cut = "…"

/** The whole of texts that an inbox's line cuts, by saying; null while it is asked for. */
const whole = new Map(), wholeMax = 50

/** What somebody said, whole: asked once where the line is cut. */
export function words(entry) {
  const [what, id] = entry.about.split("/")
  if (!["said", "announcement"].includes(what) || !entry.title?.endsWith(cut)) return entry.title
  if (whole.get(id)?.of === entry.title) return whole.get(id).text ?? entry.title
  if (state.line !== "live") return entry.title
  const mine = { of: entry.title, text: null }
  whole.delete(id)
  if (whole.size >= wholeMax) whole.delete(whole.keys().next().value)
  whole.set(id, mine)
  asked("activity.show", { id }).then(({ saying }) => { mine.text = saying.text; changed() },
    error => { if (error.code === 0) whole.delete(id) })
  return entry.title
}

class Said extends HTMLElement {
  connectedCallback() {
    if (this.rows) return
    this.own = []
    /** What was said while Kinwire was not reached, and waits in this browser. */
    this.unsent = []
    this.gone = new Set()
    this.rows = h("ul", { class: "rows" })
    this.empty = h("p", { class: "empty", hidden: true })
    this.append(this.rows, this.empty)
    this.hear = ({ detail }) => { if (detail.type.startsWith("activity.")) this.ask() }
    addEventListener("kin-event", this.hear)
  }

  disconnectedCallback() { removeEventListener("kin-event", this.hear) }

  /** What one said oneself is in nobody's inbox of one's own: it is asked for. One question at a time. */
  async ask() {
    if (this.isAsking) { this.isStale = true; return }
    this.isAsking = true
    try {
      this.own = (await asked("activity.own", { limit: shownMax })).sayings
      this.isKnown = true
      changed()
    } catch { /* Asked again with the next event, or when the daemon is reached again. */ } finally {
      this.isAsking = false
      if (this.isStale) { this.isStale = false; this.ask() }
    }
  }

  async askWaiting() {
    this.unsent = (await queued()).filter(one => one.method === "activity.say")
    changed()
  }

  update({ snapshot, line }) {
    if (!this.rows) return
    if (line === "live" && this.line !== line) this.ask()
    this.line = line
    if (state.queue !== this.waited) { this.waited = state.queue; this.askWaiting() }
    const heard = (snapshot.inbox?.entries ?? []).filter(entry => spoken.includes(entry.lines.at(-1)?.kind))
      .map(entry => ({ id: entry.id, at: entry.at, entry }))
    const mine = this.own.filter(one => !this.gone.has(one.id)).map(saying => ({ id: saying.id, at: saying.at, saying }))
    const unsent = this.unsent.map(one => ({ id: one.op, at: new Date(one.at).toISOString(), unsent: one.params.text }))
    const all = [...heard, ...mine, ...unsent].sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, shownMax)
    sync(this.rows, all, one => one.id, one => this.row(one), write)
    say(this.empty, t(this.isKnown ? "home.no-news" : "line.unknown"))
    show(this.empty, !all.length && (this.isKnown || line === "away"))
  }

  row({ saying }) {
    const body = h("span", { class: "grow" }, h("span", { class: "text" }), h("span", { class: "soft" }))
    if (!saying) return h("li", { class: "row" }, body)
    const id = saying.id
    return h("li", { class: "row own" }, body, h("span", { class: "bar" },
      button(t("said.correct"), () => this.correct(this.own.find(one => one.id === id)), { class: "quiet small correct" }),
      button(t("said.withdraw"), () => {
        this.gone.add(id)
        undoable(t("said.withdrawn"), "activity.withdraw", { id }, changed, () => { this.gone.delete(id); changed() })
      }, { class: "danger small withdraw" })))
  }

  /** The text as it is, to be changed; it stays typed when it is refused. */
  async correct(saying) {
    if (!saying) return
    await ask(t("said.correct"), close => {
      const text = h("textarea", { rows: 4, maxlength: 4000, required: true })
      text.value = saying.text
      return h("form", { onsubmit: async event => {
        event.preventDefault()
        const result = await act("activity.correct", { id: saying.id, text: text.value.trim() }, { mayWait: false })
        if (result) { close(true); this.ask() }
      } }, field(t("said.text"), text), h("button", { type: "submit" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
    })
  }
}
customElements.define("kin-said", Said)

function write(row, { entry, saying, unsent }) {
  if (unsent) {
    say(row.querySelector(".text"), t("said.by-you", { text: unsent }))
    return say(row.querySelector(".soft"), t("said.waits"))
  }
  if (entry) {
    const said = sentence(entry.lines.at(-1), { ...entry, title: words(entry) })
    // Of a room the line says who and where, and the entry's title what.
    say(row.querySelector(".text"), entry.about.startsWith("room/") && entry.title ? `${said}: ${entry.title}` : said)
    return say(row.querySelector(".soft"), near(entry.at))
  }
  const to = (saying.to ?? []).map(id => household(id)?.name ?? name(id))
  say(row.querySelector(".text"), t("said.by-you", { text: saying.text }))
  say(row.querySelector(".soft"), [near(saying.at), to.length ? t("said.to", { names: to.join(", ") }) : null,
    saying.corrected ? t("said.corrected") : null].filter(Boolean).join(" · "))
  // An announcement stands as it was made; only an admin may correct it.
  const me = state.snapshot.members?.find(one => one.id === state.snapshot.me)
  show(row.querySelector(".correct"), !saying.official || me?.role === "admin")
  set(row, { "data-saying": saying.id })
}
