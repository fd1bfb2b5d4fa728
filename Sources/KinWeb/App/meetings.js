// SPDX-License-Identifier: Apache-2.0
// Meetings: what is to be voted on, what one hosts, what is coming; and one meeting as a grid of times and people.

import { act, acted, asked, button, field, lazily, retry, told, tried, undoable } from "./base.js"
import { ask, fill, h, say, set, show, sync } from "./dom.js"
import { changed, hearers, me, meeting, people, state } from "./state.js"
import { name } from "./voice.js"
import { civil, list, local, moment, near, range, t } from "./words.js"

export const when = slot => range(slot.start, slot.end)
const answers = ["yes", "ifNeedBe", "no"]
const marks = { yes: "✓", ifNeedBe: "(✓)", no: "✗" }

/** Who may vote: invitees, and in a public meeting every member that is no guest; never the host. */
export const mayVote = ({ meeting, own }) => meeting.state === "open" && meeting.host !== state.snapshot.me
  && (own.isInvited || meeting.kind === "public") && me()?.kind !== "wall"

/** Meetings that are being cancelled here, and may be undone. */
const cancelling = new Set()
function cancel(id, isCancelled) { if (isCancelled) cancelling.add(id); else cancelling.delete(id); changed() }

/** Votes that this page began: they stay where they are until every time has an answer. */
const begun = new Set()

/** What waits for one's own vote: nothing was said yet, or this page began to say it and a time has no answer. */
export function isToVote(seen) {
  const { meeting: one, own } = seen
  if (!mayVote(seen) || own.reply === "refused") return false
  if (own.reply === "none") return true
  return begun.has(one.id) && one.slots.some(slot => !own.votes.some(vote => vote.slot === slot.id))
}

/** `3 of 5`: how many of those who may vote have. */
function voted({ kind, host, tally }) {
  const asked = tally.voted + tally.refused + tally.noReply
  const others = people().filter(one => one.role !== "guest" && one.id !== host).length
  const isOpenToAll = kind === "public" && me()?.role !== "guest"
  return t("meetings.voted", { n: tally.voted, total: isOpenToAll ? Math.max(asked, others) : asked })
}

/** A vote with its buttons: each answer is sent at once, and taken back where it is refused. */
export class Ballot extends HTMLElement {
  /** `level`: of its heading on the screen. */
  constructor(id, level = 3) {
    super()
    this.meeting = id
    this.level = level
    /** What was pressed and is not in the snapshot yet. */
    this.pressed = new Map()
  }

  connectedCallback() {
    if (this.slots) return
    this.className = "card"
    // On its own screen the heading leads nowhere.
    this.heading = this.level === 1 ? h("span") : h("a", { href: `#/meetings/${this.meeting}` })
    this.agreed = h("p", { class: "agreed" })
    this.sub = h("p", { class: "soft" })
    this.slots = h("ul", { class: "slots" })
    this.foot = h("p", { class: "soft" })
    this.refuse = button(t("meetings.no-part"), () => refuse(this.meeting), { class: "quiet small" })
    this.append(h(`h${this.level}`, {}, this.heading), this.agreed, this.sub, this.slots, h("div", { class: "bar" }, this.foot, this.refuse))
    this.update()
  }

  update() {
    const seen = meeting(this.meeting)
    if (!seen || !this.slots) return
    const { meeting: one, own } = seen
    const agreed = one.slots.find(slot => slot.id === one.confirmed)
    say(this.heading, one.title)
    const isCancelled = cancelling.has(one.id)
    say(this.agreed, isCancelled ? t("meetings.cancelled") : agreed ? t("inbox.confirmed-at", { time: when(agreed) }) : "")
    show(this.agreed, agreed || isCancelled)
    say(this.sub, [t("meetings.by", { host: name(one.host) }), one.place,
      one.deadline ? t("meetings.until", { time: near(one.deadline) }) : null].filter(Boolean).join(" · "))
    for (const vote of own.votes) if (this.pressed.get(vote.slot) === vote.answer) this.pressed.delete(vote.slot)
    const mine = Object.fromEntries([...own.votes.map(vote => [vote.slot, vote.answer]), ...this.pressed])
    const may = mayVote(seen) && !isCancelled
    sync(this.slots, one.slots, slot => slot.id, slot => h("li", {}, h("span", { class: "grow" }, h("span"), h("span", { class: "soft" }), h("span", { class: "conflict" })),
      h("span", { class: "answers", role: "group" }, answers.map(answer => h("button", { type: "button", class: `answer ${answer}`,
        "data-answer": answer, onclick: () => this.vote(slot.id, answer) }, t(`answer.${answer}`))))),
    (row, slot) => {
      const [time, count, conflict] = row.querySelectorAll(".grow > span"), has = ["open", "closed"].includes(one.state) ? against(one.id, slot.id) : ""
      say(conflict, has)
      show(conflict, has)
      const tally = one.tally.slots.find(each => each.slot === slot.id) ?? { yes: 0, ifNeedBe: 0, no: 0 }
      say(time, when(slot))
      say(count, t("meetings.tally", { yes: tally.yes, maybe: tally.ifNeedBe, no: tally.no }))
      const group = row.querySelector(".answers")
      show(group, may)
      set(group, { "aria-label": when(slot) })
      for (const each of group.children) {
        const isMine = mine[slot.id] === each.dataset.answer
        set(each, { "aria-pressed": String(isMine) })
      }
    })
    say(this.foot, voted(one))
    show(this.refuse, may && own.reply !== "refused")
  }

  async vote(slot, answer) {
    const { own } = meeting(this.meeting)
    this.pressed.set(slot, answer)
    begun.add(this.meeting)
    this.update()
    const votes = new Map(own.votes.map(vote => [vote.slot, vote.answer]))
    for (const [each, what] of this.pressed) votes.set(each, what)
    // Refused: it is as it was. What waits to be sent stays as it was pressed.
    const back = () => { if (this.pressed.get(slot) === answer) { this.pressed.delete(slot); this.update() } }
    await tried("meeting.vote", { meeting: this.meeting, votes: [...votes].map(([slot, answer]) => ({ slot, answer })) }, { back })
  }
}
customElements.define("kin-ballot", Ballot)

/** Takes no part, with a reason if one wants. */
async function refuse(id) {
  await ask(t("meetings.no-part"), close => {
    const input = h("input", { maxlength: 400, autocomplete: "off" })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const reason = input.value.trim()
      if (await acted("meeting.refuse", { meeting: id, ...(reason ? { reason } : {}) })) close(true)
    } },
      field(t("meetings.reason"), input, t("meetings.reason-hint")),
      h("button", { type: "submit" }, t("meetings.no-part")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

class Meetings extends HTMLElement {
  connectedCallback() {
    if (this.all) return
    this.heading = h("h1", {}, t("tab.meetings"))
    this.all = h("div", {},
      h("div", { class: "bar" }, button(t("meetings.propose"), () => lazily(() => import("./propose.js"), one => one.proposal()), { id: "propose" })),
      ...["to-vote", "hosting", "coming", "answered"].map(key => h("section", { "data-part": key }, h("h2", {}, t(`meetings.${key}`)), h("div", { class: "stack" }))),
      this.empty = h("p", { class: "empty" }, t("meetings.none")),
      this.past = h("section", {}, button(t("meetings.show-past"), () => this.showPast(), { class: "quiet" })))
    this.one = h("div", { hidden: true })
    this.append(this.heading, this.all, this.one)
    this.update(state)
  }

  open(id) {
    if (this.shownID === id) return
    this.shownID = id
    this.detail = id ? new Detail(id) : null
    if (this.one) fill(this.one, this.detail)
  }

  update({ snapshot }) {
    if (!snapshot || !this.all) return
    show(this.all, !this.shownID)
    show(this.heading, !this.shownID)
    show(this.one, this.shownID)
    if (this.detail && !this.detail.isConnected) fill(this.one, this.detail)
    if (this.shownID) return this.detail?.update()
    const mayPropose = me()?.role !== "guest"
    show(this.all.querySelector("#propose"), mayPropose)
    const parts = { "to-vote": [], hosting: [], coming: [], answered: [] }
    for (const seen of snapshot.meetings ?? []) {
      const part = seen.meeting.confirmed ? "coming" : seen.meeting.host === snapshot.me ? "hosting"
        : isToVote(seen) ? "to-vote" : "answered"
      parts[part].push(seen)
    }
    for (const section of this.all.querySelectorAll("[data-part]")) {
      const some = parts[section.dataset.part].sort((a, b) => (first(a) < first(b) ? -1 : 1))
      show(section, some.length)
      sync(section.lastElementChild, some, one => one.meeting.id, one => new Ballot(one.meeting.id), ballot => ballot.update())
    }
    say(this.empty, t(mayPropose ? "meetings.none" : "meetings.none-guest"))
    show(this.empty, !(snapshot.meetings ?? []).length)
  }

  async showPast(after = null) {
    const { meetings, next } = await asked("meeting.list", { view: "past", limit: 20, ...(after ? { after } : {}) })
    const rows = meetings.map(({ meeting: one }) => {
      const slot = one.slots.find(slot => slot.id === one.confirmed)
      return h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, one.title),
        h("span", { class: "soft" }, one.state === "cancelled" ? t("meetings.cancelled") : slot ? when(slot) : t("meetings.never-confirmed"))))
    })
    const list = this.past.querySelector("ul") ?? h("ul", { class: "rows" })
    list.append(...rows)
    fill(this.past, h("h2", {}, t("meetings.past")), list.children.length ? list : h("p", { class: "empty" }, t("meetings.no-past")),
      ...(next ? [button(t("act.more"), () => this.showPast(next), { class: "quiet" })] : []))
  }
}
customElements.define("kin-meetings", Meetings)

const first = ({ meeting: one }) => (one.slots.find(slot => slot.id === one.confirmed) ?? one.slots[0])?.start ?? ""

/** One meeting: the vote, and the grid of times × people, which changes as votes come. */
class Detail extends HTMLElement {
  constructor(id) { super(); this.meetingID = id }

  connectedCallback() {
    if (this.ballot) return
    this.back = h("p", {}, h("a", { href: "#/meetings" }, `‹ ${t("tab.meetings")}`))
    this.ballot = new Ballot(this.meetingID, 1)
    this.note = h("p", { class: "note" })
    this.grid = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("meetings.grid") })
    this.reasons = h("ul", { class: "rows", id: "reasons" })
    this.suggestions = h("ul", { class: "rows" })
    this.actions = h("div", { class: "actions" })
    this.gone = h("p", { class: "empty", hidden: true }, t("meetings.gone"))
    this.lists = h("div")
    // The first look does without.
    const title = meeting(this.meetingID)?.meeting.title ?? t("tab.meetings")
    import("./about.js").then(all => this.lists.append(all.listsOf(`meeting/${this.meetingID}`, title)), () => {})
    this.append(this.back, this.ballot, this.note, this.actions, this.lists, this.suggestions, this.grid, this.reasons, this.gone)
    this.hear = ({ detail }) => {
      if (detail.type === "meeting.cancelled" && detail.data.meeting === this.meetingID) {
        say(this.gone, t("event.meeting.cancelled", { title: this.shown?.meeting.title ?? "", by: name(detail.by) }))
      }
      if (detail.data.meeting === this.meetingID || detail.data.meeting?.id === this.meetingID) this.ask()
    }
    addEventListener("kin-event", this.hear)
    this.line = state.line
    this.ask()
    this.update()
  }

  disconnectedCallback() { removeEventListener("kin-event", this.hear) }

  /** What everybody said; asked for anew when something was said, one question at a time. */
  async ask() {
    if (this.isAsking) { this.isStale = true; return }
    this.isAsking = true
    try {
      const answer = await asked("meeting.show", { meeting: this.meetingID })
      this.shown = answer
      this.draw()
    } catch (error) {
      if (error.code === 1404) show(this.gone, true)
      // Where the daemon is away, it is asked with the next line.
      else if (error.code !== 0) retry(() => { if (this.isConnected) this.ask() })
    } finally {
      this.isAsking = false
      if (this.isStale) { this.isStale = false; this.ask() }
    }
  }

  update() {
    if (!this.ballot) return
    // What was asked before there was a line is asked again.
    const isBack = state.line === "live" && this.line !== "live"
    this.line = state.line
    if (isBack && !this.shown) this.ask()
    const seen = meeting(this.meetingID)
    show(this.ballot, seen)
    if (!seen && state.line === "live") show(this.gone, true)
    this.ballot.update()
    const key = JSON.stringify([cancelling.has(this.meetingID), seen?.meeting.state, seen?.meeting.host, seen?.meeting.confirmed, seen?.own.attendance, seen?.meeting.suggestions?.length, me()?.role])
    if (key !== this.key) { this.key = key; this.drawActions(seen) }
  }

  draw() {
    const { meeting: one, invitees } = this.shown
    say(this.note, one.note ?? "")
    show(this.note, one.note)
    const people = [...invitees].sort((a, b) => name(a.member).localeCompare(name(b.member)))
    // A finger cannot rest on a name: why somebody takes no part is written out.
    sync(this.reasons, people.filter(person => person.reply === "refused" && person.reason), person => person.member,
      () => h("li", { class: "row" }), (row, person) => say(row, `${name(person.member)}: ${person.reason}`))
    const best = Math.max(0, ...one.tally.slots.map(each => each.yes + each.ifNeedBe / 2))
    const cell = (person, slot) => {
      const answer = person.reply === "refused" ? "no" : person.votes.find(vote => vote.slot === slot.id)?.answer
      return h("td", { class: answer ?? "none", "aria-label": answer ? t(`answer.${answer}`) : t("meetings.no-answer") }, answer ? marks[answer] : "·")
    }
    fill(this.grid, h("table", { class: "grid" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("meetings.time")),
        people.map(person => h("th", { scope: "col", title: person.reason ?? null }, name(person.member))), h("th", { scope: "col" }, t("meetings.sum")))),
      h("tbody", {}, one.slots.map(slot => {
        const tally = one.tally.slots.find(each => each.slot === slot.id) ?? { yes: 0, ifNeedBe: 0 }
        const isBest = best > 0 && tally.yes + tally.ifNeedBe / 2 === best
        return h("tr", { class: [isBest ? "best" : "", slot.id === one.confirmed ? "confirmed" : ""].join(" ") },
          h("th", { scope: "row" }, when(slot)), people.map(person => cell(person, slot)),
          h("td", { class: "sum" }, tally.ifNeedBe ? `${tally.yes} (${tally.yes + tally.ifNeedBe})` : String(tally.yes)))
      }))))
  }

  drawActions(seen) {
    const id = this.meetingID
    if (!seen || cancelling.has(id)) { fill(this.suggestions); return fill(this.actions) }
    const { meeting: one, own } = seen
    const leads = one.host === state.snapshot.me || me()?.role === "admin"
    const buttons = []
    if (one.confirmed && one.host !== state.snapshot.me) {
      for (const answer of ["going", "notGoing"]) {
        buttons.push(button(t(`meetings.${answer}`), () => act("meeting.attend", { meeting: id, answer }),
          { class: own.attendance === answer ? "" : "quiet", "aria-pressed": String(own.attendance === answer) }))
      }
    }
    if (leads && ["open", "closed"].includes(one.state)) {
      buttons.push(button(t("meetings.confirm"), () => this.confirm(one)))
      if (one.tally.noReply) buttons.push(button(t("meetings.nudge"), async () => {
        const result = await act("meeting.nudge", { meeting: id })
        if (result?.nudged !== undefined) told(t("meetings.nudged", { n: result.nudged }))
      }, { class: "quiet" }))
    }
    if (mayVote(seen)) buttons.push(button(t("meetings.suggest"), () => this.suggest(one), { class: "quiet" }))
    if (leads && one.state !== "cancelled") buttons.push(button(t("meetings.cancel"), () => {
      undoable(t("meetings.cancelling", { title: one.title }), "meeting.cancel", { meeting: id }, () => cancel(id, true), () => cancel(id, false))
    }, { class: "danger" }))
    fill(this.actions, ...buttons)
    sync(this.suggestions, one.suggestions ?? [], each => each.id, each => h("li", { class: "row" }, h("span", { class: "grow" },
      h("strong", {}, when(each)), h("span", { class: "soft" }, t("meetings.suggested-by", { name: name(each.by) }))),
    leads ? [button(t("meetings.accept"), () => act("meeting.accept", { meeting: id, suggestion: each.id }), { class: "small" }),
      button(t("meetings.decline"), () => act("meeting.decline", { meeting: id, suggestion: each.id }), { class: "small quiet" })] : null))
  }

  async confirm(one) {
    const slot = await ask(t("meetings.confirm"), close => h("form", { onsubmit: event => event.preventDefault() },
      one.slots.map(slot => {
        const tally = one.tally.slots.find(each => each.slot === slot.id) ?? { yes: 0, ifNeedBe: 0, no: 0 }
        return h("button", { type: "button", class: "quiet", onclick: () => close(slot.id) }, when(slot), " – ",
          t("meetings.tally", { yes: tally.yes, maybe: tally.ifNeedBe, no: tally.no }))
      }),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
    if (slot) await act("meeting.confirm", { meeting: this.meetingID, slot })
  }

  async suggest(one) {
    // Without the daemon what reads typed times may not be had: the fields are enough, and what is suggested waits.
    const typing = await import("./propose.js").then(all => all.typing, () => null)
    await ask(t("meetings.suggest"), close => {
      const start = h("input", { type: "datetime-local", required: true })
      const hours = h("input", { type: "number", min: 0.25, max: 240, step: 0.25, required: true })
      hours.value = (new Date(one.slots[0].end) - new Date(one.slots[0].start)) / 3_600_000
      const typed = typing?.(() => Number(hours.value) || 1, ([first, ...more]) => {
        if (more.length) { told(t("typed.one"), { isWrong: true }); return false }
        // What was typed may last 20 minutes.
        set(hours, { min: 0, step: "any" })
        start.value = local(first.start)
        hours.value = String(Number(((first.end - first.start) / 3_600_000).toFixed(4)))
        start.required = true
        return true
      })
      typed?.input.addEventListener("input", () => { start.required = !typed.input.value.trim() })
      return h("form", { onsubmit: async event => {
        event.preventDefault()
        // A time that was typed and not entered is meant, too.
        if (typed && !await typed.enter()) return
        const from = moment(start.value), slot = { start: new Date(from).toISOString(), end: new Date(from + Math.round(hours.value * 60) * 60_000).toISOString() }
        if (await acted("meeting.suggest", { meeting: this.meetingID, slot })) close(true)
      } }, typed?.element ?? null, field(t("propose.start"), start), field(t("propose.hours"), hours), h("button", { type: "submit" }, t("meetings.suggest")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
    })
  }
}
customElements.define("kin-meeting", Detail)

// What one has on --------------------------------------------------------------------------------------------------

// At the times of a meeting, and to its host, who else has something on: asked once for each meeting on the screen, and
// anew when a calendar or the meeting is another.

/** Of each meeting, by slot; null while it is asked. */
const conflictsOf = new Map(), conflictsMs = 300
let conflictsTimer = null

/** What stands against a slot; null where nothing does, or nothing is known yet. */
function conflicts(meeting, slot) {
  if (!conflictsOf.has(meeting)) {
    if (state.line !== "live") return null
    conflictsOf.set(meeting, null)
    asked("meeting.conflicts", { meeting }).then(({ slots }) => {
      conflictsOf.set(meeting, new Map(slots.map(one => [one.slot, one])))
      changed()
    }, () => conflictsOf.delete(meeting))
  }
  return conflictsOf.get(meeting)?.get(slot) ?? null
}

/** When something is: from midnight to midnight, it is on all day. */
function during({ start, end }) {
  const isMidnight = one => { const { hour, minute } = civil(one); return hour + minute === 0 }
  return isMidnight(start) && isMidnight(end) && start !== end ? t("cal.all-day") : range(start, end)
}

/** The same in words. */
function against(meeting, slot) {
  const one = conflicts(meeting, slot)
  if (!one) return ""
  return [...one.own.map(each => t("meetings.conflict", { entry: each.subject ?? t("cal.busy"), time: during(each) })),
    one.busy.length ? t("meetings.busy", { names: list(one.busy.map(name)) }) : null,
    one.unknown.length && one.busy.length + one.free.length ? t("meetings.unknown", { names: list(one.unknown.map(name)) }) : null].filter(Boolean).join(" · ")
}

hearers.add(event => {
  if (event !== null && !/^(entry|meeting|calendar)\./.test(event.type)) return
  clearTimeout(conflictsTimer)
  conflictsTimer = setTimeout(() => { conflictsOf.clear(); changed() }, conflictsMs)
})
