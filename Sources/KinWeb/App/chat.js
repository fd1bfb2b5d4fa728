// SPDX-License-Identifier: Apache-2.0
// Rooms: who is in them, what is new, and the conversation. What is written while the daemon is away waits in the browser.

import { isUnseen, said as titled, thing } from "./about.js"
import { act, asked, button, field, lazily, told, tried, undoable } from "./base.js"
import { ask, fill, h, say, set, show, sync } from "./dom.js"
import { now as present } from "./served.js"
import { changed, hearers, me, member, people, state } from "./state.js"
import { ofTab, queued } from "./store.js"
import { face, name, roomName } from "./voice.js"
import { near, t } from "./words.js"

/** Messages that are held of the room that is open; those beyond are asked for again. */
const most = 300, page = 50

/** The room that is open: its messages as they were sent, and where earlier ones go on. */
let held = null
/** What was taken away here and may be undone. */
const gone = new Set()

/** What was held of rooms that were open before, for while the daemon is away. Whatever is said of one meanwhile takes it out. */
const before = new Map(), roomsMost = 8
function letGo() {
  if (held) { before.delete(held.room); before.set(held.room, held) }
  if (before.size > roomsMost) before.delete(before.keys().next().value)
  held = null
}
/** What there is to see of a room: what is held; while the daemon is away, what was, or the last message that the rooms' list shows. */
function seen(id) {
  if (held?.room === id) return held
  if (state.line === "live") return null
  const last = room(id)?.last
  return before.get(id) ?? { room: id, messages: last ? [{ room: id, ...last, pictures: undefined, documents: undefined }] : [], next: null, reads: [] }
}

const room = id => (state.snapshot?.rooms ?? []).find(one => one.room.id === id)

hearers.add(event => {
  if (!event) return letGo()
  const { type, data } = event, about = data.message?.room ?? data.room
  if (/^(message|room)\./.test(type)) before.delete(about)
  if (!held || about !== held.room) return
  if (type === "message.sent" && !held.isCut) put(data.message)
  else if (type === "message.updated") {
    if (held.messages.some(one => one.id === data.message.id) || !held.isCut && data.message.id > (held.messages.at(-1)?.id ?? "")) put(data.message)
  } else if (type === "message.removed") held.messages = held.messages.filter(one => one.id !== data.message)
  else if (type === "message.cleared") held.messages = held.messages.filter(one => one.author !== data.author)
  else if (type === "message.seen") {
    held.reads = held.reads.filter(one => one.member !== data.member)
    if (data.upTo) held.reads.push({ member: data.member, upTo: data.upTo })
  } else if (type === "room.hidden") held = null
})

/** Takes a message in; what is oldest goes, so that a conversation does not grow without end. */
function put(message) {
  held.messages = [...held.messages.filter(one => one.id !== message.id), message].sort((a, b) => (a.id < b.id ? -1 : 1))
  if (held.messages.length > most) {
    held.messages = held.messages.slice(-most)
    held.next = held.messages[0].id
  }
}

// Who writes --------------------------------------------------------------------------------------------------------

/** Who writes where, and until when that is believed. Nothing keeps it. */
const typists = new Map(), believed = 6_000, pause = 3_000
const writers = id => [...typists.values()].filter(one => one.room === id && one.until > Date.now()).map(one => one.by)
const redraw = () => document.querySelector("kin-chat")?.typing()

addEventListener("kin-passing", ({ detail }) => {
  const [kind, id] = detail.about.split("/")
  // What is done at the machine in somebody's name is not that member's doing.
  if (detail.type !== "message.typing" || kind !== "room" || detail.atMachine) return
  typists.set(`${id}/${detail.by}`, { room: id, by: detail.by, until: Date.now() + believed })
  redraw()
  setTimeout(redraw, believed + 50)
})
/** What somebody wrote has come: they write no longer. */
hearers.add(event => { if (event?.type === "message.sent" && typists.delete(`${event.data.message.room}/${event.data.message.author}`)) redraw() })

let said = 0
function sayTyping(id) {
  if (state.line !== "live" || Date.now() - said < pause) return
  said = Date.now()
  asked("message.typing", { room: id }).catch(() => {})
}

// What waits --------------------------------------------------------------------------------------------------------

/** What was sent here and is not answered: of this page, and of what waits in the browser. */
const flying = new Set()
let waiting = [], waited = 0
async function look() {
  if (state.queue === waited) return
  waited = state.queue
  waiting = (await queued()).filter(one => one.method === "message.send")
  changed()
}

async function send(params) {
  const mine = { params, at: Date.now() }
  flying.add(mine)
  changed()
  const { result, isTaken } = await tried("message.send", params)
  if (isTaken && !result) await look()
  else if (result && held?.room === params.room && !held.isCut) put(result.message)
  flying.delete(mine)
  changed()
  return isTaken
}

/** The messages of the open room, with what is not sent yet behind them. */
function messages({ room: id, messages: all }) {
  const pending = [...waiting, ...flying].filter(one => one.params.room === id)
    .map((one, at) => ({ id: `~${at}`, author: state.snapshot.me, ...one.params, isPending: true }))
  return [...all.filter(one => !gone.has(one.id)), ...pending]
}

// The screen --------------------------------------------------------------------------------------------------------

class Chat extends HTMLElement {
  connectedCallback() {
    if (this.all) return
    this.words = h("input", { type: "search", maxlength: 100, id: "search-messages", "aria-label": t("chat.search"), placeholder: t("chat.search") })
    this.words.oninput = () => { clearTimeout(this.waits); this.waits = setTimeout(() => this.search(), 300) }
    this.all = h("ul", { class: "rows", id: "rooms" })
    this.found = h("ul", { class: "rows", hidden: true })
    this.none = h("p", { class: "empty" })
    this.new = button(t("chat.new"), () => open(), { class: "small", id: "new-room" })
    this.overview = h("div", {}, h("div", { class: "bar" }, h("h1", {}, t("tab.chat")), this.new), this.words, this.all, this.found, this.none)
    this.one = h("div", { class: "talk" })
    this.append(this.overview, this.one)
    this.seen = () => { if (!document.hidden) this.read() }
    document.addEventListener("visibilitychange", this.seen)
    this.update(state)
  }

  disconnectedCallback() { document.removeEventListener("visibilitychange", this.seen) }

  open(id) {
    if (this.room !== id) { this.reply = null; this.shown = null; this.isGone = false; letGo() }
    this.room = id
    if (this.all) this.update(state)
  }

  update({ snapshot }) {
    if (!snapshot || !this.all) return
    look()
    show(this.overview, !this.room)
    show(this.one, this.room)
    if (this.room) return this.talk()
    const rooms = [...snapshot.rooms ?? []].sort((a, b) => ((a.last?.id ?? a.room.id) < (b.last?.id ?? b.room.id) ? 1 : -1))
    show(this.new, me()?.role !== "guest")
    show(this.all, !this.hits)
    show(this.found, this.hits)
    sync(this.all, rooms, one => one.room.id, one => h("li", {}, h("a", { class: "row", href: `#/chat/${one.room.id}` },
      h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })), h("span", { class: "badge" }))), (row, one) => {
      say(row.querySelector("strong"), roomName(one.room))
      say(row.querySelector(".soft"), one.last ? `${name(one.last.author)}: ${inWords(one.last)} · ${near(one.last.at)}` : t("chat.empty"))
      const badge = row.querySelector(".badge")
      say(badge, one.own.unread ? String(one.own.unread) : "")
      set(badge, { "aria-label": one.own.unread ? t("chat.unread", { n: one.own.unread }) : null, "data-muted": isMuted(one) })
    })
    say(this.none, this.hits ? (this.hits.length ? "" : t("chat.none-found")) : rooms.length ? "" : t(state.line === "away" ? "line.unknown" : me()?.role === "guest" ? "chat.none-guest" : "chat.none"))
    show(this.none, this.none.textContent)
  }

  /** What was said with some words, wherever one is. */
  async search() {
    const words = this.words.value.trim()
    if (!words) { this.hits = null; return this.update(state) }
    try {
      const { messages: found } = await asked("message.search", { words, limit: 100 })
      if (words !== this.words.value.trim()) return
      this.hits = found
      sync(this.found, found, one => one.id, one => h("li", {}, h("a", { class: "row", href: `#/chat/${one.room}` },
        h("span", { class: "grow" }, h("strong"), h("span", { class: "words" }), h("span", { class: "soft" })))), (row, one) => {
        say(row.querySelector("strong"), name(one.author))
        say(row.querySelector(".words"), inWords(one))
        say(row.querySelector(".soft"), [room(one.room) ? roomName(room(one.room).room) : null, near(one.at)].filter(Boolean).join(" · "))
      })
      this.update(state)
    } catch {
      if (words !== this.words.value.trim()) return
      // What was found for other words answers these no more.
      this.hits = null
      told(t("act.not-reached"), { isWrong: true })
      this.update(state)
    }
  }

  // One conversation ------------------------------------------------------------------------------------------------

  talk() {
    const own = room(this.room)
    if (!own) {
      // That it is gone is known only while there is a line.
      const why = { live: "chat.gone", away: "line.unknown" }[state.line] ?? "line.starting"
      if (this.shown !== why) fill(this.one, h("p", { class: "empty" }, t(why)), h("a", { href: "#/chat" }, t("chat.back")))
      this.shown = why
      return
    }
    if (this.shown !== this.room) this.build(own.room)
    say(this.heading, roomName(own.room))
    if (held?.room !== this.room && state.line === "live" && this.asks !== this.room) this.begin()
    const isHeld = held?.room === this.room, there = seen(this.room), all = there ? messages(there) : []
    const wasEnd = this.isAtEnd()
    show(this.older, isHeld && held.next)
    show(this.newest, isHeld && held.isCut)
    sync(this.list, all, one => one.id, one => row(this, one), (element, one) => element.tell(one, all))
    say(this.empty, isHeld ? (all.length ? "" : t("chat.empty-room")) : t(state.line === "live" ? "line.starting" : "chat.away"))
    show(this.empty, this.empty.textContent)
    this.seenBy(all)
    this.typing()
    if (wasEnd && there && !there.isCut) this.toEnd()
    this.read()
  }

  build(of) {
    this.shown = this.room
    this.heading = h("h1")
    this.older = button(t("chat.older"), () => this.askOlder(), { class: "quiet small", id: "older-messages" })
    this.newest = button(t("chat.newest"), () => this.begin(), { class: "quiet small", id: "newest-messages" })
    this.list = h("div", { class: "messages", role: "log", "aria-live": "polite", "aria-label": t("tab.chat"), tabindex: "0" })
    this.empty = h("p", { class: "empty" })
    this.shows = h("p", { class: "soft seen-by" })
    this.types = h("p", { class: "soft typing", hidden: true })
    this.answers = h("div", { class: "answering", hidden: true })
    this.text = h("textarea", { rows: 1, maxlength: 4000, id: "message-text", placeholder: t("chat.hint"), "aria-label": t("chat.text") })
    this.text.value = ofTab.getItem(`kinwire.chat.${this.room}`) ?? ""
    const mine = this.room
    this.text.oninput = () => {
      ofTab.setItem(`kinwire.chat.${mine}`, this.text.value)
      if (this.text.value.trim()) sayTyping(mine)
    }
    // What is pasted or dropped is there during its event only, and not when a module has been loaded.
    const hang = (event, data) => {
      const files = [...data?.files ?? []]
      if (!files.length) return
      event.preventDefault()
      things(one => one.take(this, files))
    }
    this.text.onpaste = event => hang(event, event.clipboardData)
    this.one.ondragover = event => { if (event.dataTransfer?.types.includes("Files")) event.preventDefault() }
    this.one.ondrop = event => hang(event, event.dataTransfer)
    this.text.onkeydown = event => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); this.send() } }
    fill(this.one, h("div", { class: "bar" }, h("a", { href: "#/chat" }, t("chat.back")),
      button(t("chat.settings"), () => lazily(() => import("./chat-rooms.js"), one => one.settings(this.room)), { class: "quiet small", id: "room-settings" })),
    this.heading, h("div", { class: "actions" }, this.older), this.list, this.empty, this.types, this.shows, h("div", { class: "actions" }, this.newest),
    h("div", { class: "composer" }, this.answers, h("div", { class: "say" },
      button("+", () => this.attach(), { class: "quiet small", "aria-label": t("chat.attach"), id: "attach" }), this.text,
      button(t("say.send"), () => this.send(), { class: "small", id: "send-message" }))))
    this.list.onscroll = () => {
      this.isDown = this.isAtEnd() || this.isDown && this.list.scrollTop >= this.top
      this.top = this.list.scrollTop
      if (this.top < 40 && held?.next && !this.isAsking && state.line === "live") this.askOlder()
    }
    // A picture has its height when it has come: who was at the end stays there.
    this.list.addEventListener("load", () => { if (this.isDown) this.toEnd() }, true)
    this.isFirst = true
  }

  isAtEnd() { return this.isFirst || this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 60 }
  toEnd() { this.list.scrollTop = this.list.scrollHeight; this.isDown = true; this.top = this.list.scrollTop; if (held?.messages.length) this.isFirst = false }

  /** The newest messages; the answer stands at its place among the events. */
  async begin() {
    const mine = this.asks = this.room
    try {
      const { messages, next, reads } = await asked("message.list", { room: mine, limit: page })
      if (this.room !== mine) return
      held = { room: mine, messages, next: next ?? null, reads, isCut: false }
      this.isFirst = true
    } catch { /* It is asked again when the line is back. */ } finally { if (this.asks === mine) this.asks = null }
    this.update(state)
  }

  async askOlder() {
    if (this.isAsking || held?.room !== this.room || !held.next) return
    this.isAsking = true
    try {
      const mine = this.room, { messages, next } = await asked("message.list", { room: mine, before: held.next, limit: page })
      if (held?.room !== mine) return
      const first = this.list.firstElementChild, top = first?.getBoundingClientRect().top
      let all = [...messages, ...held.messages]
      // What is newest goes, and is asked for again on the way back.
      if (all.length > most) { all = all.slice(0, most); held.isCut = true }
      Object.assign(held, { messages: all, next: next ?? null })
      this.isFirst = false
      this.update(state)
      if (first?.isConnected) this.list.scrollTop += first.getBoundingClientRect().top - top
    } catch { told(t("act.not-reached"), { isWrong: true }) } finally { this.isAsking = false }
  }

  /** What is on the screen has been read. */
  read() {
    const seen = room(this.room)
    if (document.hidden || !seen?.own.unread || held?.room !== this.room || held.isCut || state.line !== "live" || this.isReading) return
    const last = held.messages.at(-1)
    if (!last || seen.own.upTo >= last.id) return
    this.isReading = true
    asked("message.read", { room: this.room, upTo: last.id }).catch(() => {}).finally(() => { setTimeout(() => { this.isReading = false }, 500) })
  }

  /** Who has read all there is, as far as they show it. */
  seenBy(all) {
    const last = all.findLast(one => !one.isPending)
    const names = last && held?.room === this.room ? held.reads.filter(one => one.upTo >= last.id).map(one => name(one.member)) : []
    say(this.shows, names.length ? t("chat.seen-by", { names: names.join(", ") }) : "")
    show(this.shows, names.length)
  }

  /** Who writes in this room now. */
  typing() {
    const names = this.types ? writers(this.room).map(name) : []
    if (this.types) say(this.types, names.length ? t("chat.typing", { n: names.length, names: names.join(", ") }) : "")
    if (this.types) show(this.types, names.length)
  }

  answer(one) {
    this.reply = one?.id ?? null
    if (one) fill(this.answers, h("span", { class: "grow" }, t("chat.answering", { name: name(one.author), text: inWords(one).slice(0, 80) })),
      button("✗", () => this.answer(null), { class: "quiet small", "aria-label": t("act.leave") }))
    show(this.answers, one)
    if (one) this.text.focus()
  }

  async send(more = {}) {
    // Another room may be open by the time of the answer, with a field of its own.
    const { room, reply, text: field } = this, text = field.value.trim()
    if (!text && !Object.keys(more).length) return field.focus()
    field.value = ""
    this.answer(null)
    this.isFirst = true
    const isTaken = await send({ room, ...(text ? { text } : {}), ...(reply ? { reply } : {}), ...more })
    if (!isTaken) {
      // What was typed meanwhile stands behind it.
      field.value = [text, field.value].filter(Boolean).join("\n")
      return void ofTab.setItem(`kinwire.chat.${room}`, field.value)
    }
    if (field.value) return
    ofTab.removeItem(`kinwire.chat.${room}`)
    // Whoever came back to the room meanwhile found it there as a draft.
    if (this.room === room && this.text !== field && this.text.value.trim() === text) this.text.value = ""
  }

  /** Something that the room is to see. */
  attach() { return things(one => one.attach(this)) }
  /** A picture that is in no message after all. */
  forget(picture) { return act("picture.remove", { picture, atOnce: true }) }
}
customElements.define("kin-chat", Chat)

/** What a message says, in words. */
function inWords(one) {
  // The newest message of a room says only how many there are.
  const all = one.pictures?.length ?? one.pictures ?? 0, papers = one.pictures?.filter?.(each => each.document).length ?? one.documents ?? 0
  return one.text ?? (one.spot ? t("message.spot") : all > papers ? t("message.pictures", { n: all - papers })
    : papers ? t("message.some-documents", { n: papers }) : t("message.shows"))
}

export const isMuted = one => one.own.mutedUntil && new Date(one.own.mutedUntil) > present() ? "true" : null

/** What shows pictures and the like is loaded when there are some. */
const things = then => import("./chat-things.js").then(then, () => told(t("act.not-reached"), { isWrong: true }))

/** One message. */
function row(screen, one) {
  const author = h("strong"), when = h("span", { class: "soft" }), quote = h("p", { class: "quote" }), text = h("p", { class: "words" }), besides = h("div", { class: "besides" }), about = h("a", { class: "about" })
  const isOwn = one.author === state.snapshot.me, mayRemove = isOwn || me()?.role === "admin", now = () => held?.messages.find(found => found.id === one.id)
  const actions = one.isPending ? null : h("details", { class: "more" }, h("summary", { "aria-label": t("chat.more") }, "…"), h("div", { class: "actions" },
    button(t("chat.answer"), () => screen.answer(now()), { class: "quiet small answer-message" }),
    me()?.role === "guest" ? null : button(t("chat.vote"), () => vote(now()), { class: "quiet small vote-message" }),
    isOwn && one.text ? button(t("chat.edit"), () => change(now()), { class: "quiet small edit-message" }) : null,
    mayRemove ? button(t("chat.remove"), () => undoable(t("chat.removed"), "message.remove", { room: one.room, message: one.id },
      () => { gone.add(one.id); changed() }, () => { gone.delete(one.id); changed() }), { class: "danger small remove-message" }) : null))
  actions?.addEventListener("keydown", event => { if (event.key === "Escape") { actions.open = false; actions.firstChild.focus() } })
  // What is chosen there is chosen once.
  actions?.addEventListener("click", event => { if (event.target.closest("button")) actions.open = false })
  const element = h("div", { class: isOwn ? "message own" : "message" }, isOwn ? null : face(one.author),
    h("div", { class: "bubble" }, h("div", { class: "head" }, h("span", { class: "grow" }, isOwn ? null : author, " ", when), actions), quote, besides, text, about))
  element.tell = (said, all) => {
    say(author, name(said.author))
    say(when, said.isPending ? t(state.line === "live" ? "chat.waits" : "chat.waiting") : [near(said.at), said.edited ? t("post.edited") : null].filter(Boolean).join(" · "))
    const answered = said.reply ? all.find(other => other.id === said.reply) : null
    say(quote, said.reply ? (answered ? `${name(answered.author)}: ${inWords(answered).slice(0, 120)}` : t("chat.answered-gone")) : "")
    show(quote, said.reply)
    say(text, said.text ?? "")
    show(text, said.text)
    const shows = JSON.stringify([said.pictures, said.spot])
    if (element.shows !== shows && (said.pictures?.length || said.spot || element.shows)) things(one => {
      const wasEnd = screen.isAtEnd()
      one.paint(besides, said)
      if (wasEnd) screen.toEnd()
    })
    element.shows = shows
    const shown = thing(said.about)
    const isHidden = !shown && isUnseen(said.about)
    say(about, shown ? titled(shown) : isHidden ? t("chat.about-unseen") : "")
    set(about, { href: shown?.href ?? null })
    show(about, shown || isHidden)
    element.classList.toggle("pending", !!said.isPending)
  }
  return element
}

const change = one => ask(t("chat.edit"), close => {
  const text = h("textarea", { rows: 3, maxlength: 4000, required: true, id: "edit-text" })
  text.value = one.text
  return form(close, () => act("message.update", { room: one.room, message: one.id, text: text.value.trim() }, { mayWait: false }), field(t("chat.text"), text))
})

/** A vote that comes of what was said: the room sees it, and who is in it is asked. */
async function vote(one) {
  const of = room(one.room)?.room, ids = of?.members.length ? of.members : people()
    .filter(who => who.role !== "guest" && (of?.kind !== "household" || who.household === of.household)).map(who => who.id)
  const made = await lazily(() => import("./propose.js"), all => all.proposal({ title: (one.text ?? "").split("\n")[0].slice(0, 120), invitees: ids }))
  if (made) await send({ room: one.room, about: `meeting/${made}`, reply: one.id })
}

const form = (close, submit, ...fields) => h("form", { onsubmit: async event => { event.preventDefault(); if (await submit()) close(true) } }, ...fields,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

/** Boxes for members; those who are not there yet, or who are. */
export const boxes = some => some.map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id }), one.displayName))
export const ticked = list => list.map(one => one.querySelector("input")).filter(one => one.checked).map(one => one.value)
const others = () => people().filter(one => one.id !== state.snapshot.me).sort((a, b) => a.displayName.localeCompare(b.displayName))

/** A room for two or for some. */
const open = () => ask(t("chat.new"), close => {
  const people = boxes(others()), title = h("input", { maxlength: 64, autocomplete: "off", id: "room-name" })
  return h("form", { onsubmit: async event => {
    event.preventDefault()
    const chosen = ticked(people)
    if (!chosen.length) return told(t("chat.nobody-chosen"), { isWrong: true })
    const result = await act("room.open", { with: chosen, ...(title.value.trim() ? { name: title.value.trim() } : {}) }, { mayWait: false })
    if (!result) return
    close(true)
    location.hash = `#/chat/${result.room.room.id}`
  } }, h("fieldset", {}, h("legend", {}, t("chat.with")), people.length ? people : h("p", { class: "empty" }, t("home.alone"))),
  field(t("chat.name"), title, t("chat.name-hint")),
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("chat.open")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})
