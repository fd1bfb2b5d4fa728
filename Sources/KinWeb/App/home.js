// SPDX-License-Identifier: Apache-2.0
// The first screen: who is where, what is to be voted on, what is next, what was said.

import { call } from "./alarms.js"
import { acted, asked, button, condition, isOld, seenWhen, whereabouts } from "./base.js"
import { h, say, show, sync } from "./dom.js"
import { Ballot, isToVote } from "./meetings.js"
import "./report.js"
import "./said.js"
import { now } from "./served.js"
import { changed, member, people, position, state } from "./state.js"
import { ofTab } from "./store.js"
import { face } from "./voice.js"
import { civil, day, range, span, t, weekday, zoneName } from "./words.js"

const daysAhead = 7, dayMs = 86_400_000, nextMost = 5, hearMs = 150

class Home extends HTMLElement {
  connectedCallback() {
    addEventListener("kin-event", this.hear)
    if (this.people) return
    /** What the calendar has; null before it is known. */
    this.entries = null
    this.report = document.createElement("kin-report")
    this.report.className = "card"
    this.people = h("ul", { class: "rows people" })
    this.nobody = h("p", { class: "empty" })
    this.votes = h("div", { class: "stack" })
    this.noVotes = h("p", { class: "empty" })
    this.next = h("ul", { class: "rows" })
    this.noNext = h("p", { class: "empty" })
    this.said = document.createElement("kin-said")
    const text = h("textarea", { rows: 1, maxlength: 4000, id: "say", placeholder: t("say.placeholder"), "aria-label": t("say.label") })
    text.onkeydown = event => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send.click() } }
    text.value = ofTab.getItem("kinwire.say") ?? ""
    text.oninput = () => ofTab.setItem("kinwire.say", text.value)
    const send = button(t("say.send"), async () => {
      const words = text.value.trim()
      if (!words) return text.focus()
      if (!await acted("activity.say", { text: words })) return
      // What was typed meanwhile is of the next one.
      if (text.value.trim() === words) {
        text.value = ""
        ofTab.removeItem("kinwire.say")
      }
      this.said.ask()
    }, { class: "small" })
    this.unread = h("a", { href: "#/inbox", id: "home-unread" })
    this.append(
      h("h1", { class: "hidden" }, t("tab.home")),
      this.unreadLine = h("p", { hidden: true }, this.unread),
      h("section", { "aria-labelledby": "home-where" }, h("h2", { id: "home-where" }, t("home.where")), this.people, this.nobody, this.invite = h("a", { class: "button small", href: "#/family" }, t("family.invite")),
        h("div", { class: "bar" }, button(t("alarm.call"), call, { class: "quiet small", id: "call-others" }))),
      this.report,
      h("section", { "aria-labelledby": "home-votes" }, h("h2", { id: "home-votes" }, t("home.votes")), this.votes, this.noVotes),
      h("section", { "aria-labelledby": "home-next" }, h("h2", { id: "home-next" }, t("home.next")), this.next, this.noNext),
      h("section", { "aria-labelledby": "home-said" }, h("h2", { id: "home-said" }, t("home.said")),
        h("div", { class: "say" }, text, send), this.said))
    this.update(state)
  }

  disconnectedCallback() { removeEventListener("kin-event", this.hear) }

  hear = ({ detail: { type } }) => {
    if (!/^(entry|calendar)\./.test(type) || type === "entry.reminded") return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.askEntries(), hearMs)
  }

  /** What stands in the calendar in the next days; what a meeting put there is among the meetings. */
  async askEntries() {
    const date = at => { const { year, month, day } = civil(at); return [year, month, day].map(one => String(one).padStart(2, "0")).join("-") }
    const from = now()
    try {
      const { occurrences, entries } = await asked("entry.list", { from: date(from), to: date(from + daysAhead * dayMs), zone: zoneName(), limit: 50 })
      const known = new Map(entries.map(one => [one.id, one]))
      this.entries = occurrences.filter(one => { const of = known.get(one.entry); return of && !of.meeting && (one.status ?? of.status) !== "cancelled" && one.answer !== "declined" })
        .map(one => ({ id: `${one.entry}/${one.occurrence}`, title: one.subject, href: `#/calendar/${one.entry}`, start: one.start, end: one.end,
          isAllDay: !known.get(one.entry).times.zone, place: one.place?.text }))
      changed()
    } catch { /* Asked again with the next event, or when the daemon is reached again. */ }
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.people) return
    if (line === "live" && this.line !== "live") this.askEntries()
    this.line = line
    this.report.update()
    const unread = snapshot.inbox?.unread ?? 0
    say(this.unread, unread ? t("home.unread", { n: unread > 99 ? "99+" : unread }) : "")
    show(this.unreadLine, unread)
    const seen = (snapshot.positions ?? []).filter(one => member(one.member))
      .sort((a, b) => (b.member === snapshot.me) - (a.member === snapshot.me) || (a.at < b.at ? 1 : -1))
    sync(this.people, seen, one => one.member, personRow, updatePerson)
    const first = firstStep(snapshot, seen)
    if (first) say(this.nobody, t(first))
    show(this.nobody, first)
    show(this.invite, first === "home.alone")

    const toVote = (snapshot.meetings ?? []).filter(isToVote)
    sync(this.votes, toVote, one => one.meeting.id, one => new Ballot(one.meeting.id), ballot => ballot.update())
    say(this.noVotes, t("home.no-votes"))
    show(this.noVotes, !toVote.length)

    const next = (snapshot.meetings ?? []).filter(one => one.meeting.confirmed && one.own.attendance !== "notGoing")
      .map(({ meeting: { id, title, place, slots, confirmed } }) => ({ id, title, place, href: `#/meetings/${id}`, ...slots.find(slot => slot.id === confirmed), key: id }))
      .concat(this.entries ?? []).filter(one => one.start && new Date(one.end) > now())
      .sort((a, b) => (a.start < b.start ? -1 : 1)).slice(0, nextMost)
    sync(this.next, next, one => one.key ?? one.id, one => h("li", {}, h("a", { class: "row", href: one.href },
      h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })))), (row, one) => {
      say(row.querySelector("strong"), one.title)
      say(row.querySelector(".soft"), [one.isAllDay ? wholeDays(one) : range(one.start, one.end), one.place].filter(Boolean).join(" · "))
    })
    // A meeting that is known says nothing of the rest.
    say(this.noNext, t(this.entries ? "home.no-next" : next.length ? "home.rest-unknown" : "line.unknown"))
    show(this.noNext, this.entries ? !next.length : line === "away")

    this.said.update({ snapshot, line })
  }
}
customElements.define("kin-home", Home)

/** What is to be done before one sees somebody here, as the key of a sentence; null once one sees another. */
function firstStep({ me: own, sharing }, seen) {
  if (seen.some(one => one.member !== own)) return null
  if (people().length < 2) return "home.alone"
  // What was shown an hour ago is not kept.
  if (state.line === "away") return "line.unknown"
  // A child whose sharing somebody holds has nothing to switch on.
  if (sharing?.state !== "on") return sharing?.heldBy ? "home.nobody-shows" : "home.show-first"
  return "home.ask-first"
}

/** `Sun 29 Nov, all day`, or from which day to which. */
function wholeDays({ start, end }) {
  const written = at => { const wall = civil(at); return `${weekday(wall)} ${day(wall)}` }, last = new Date(new Date(end) - 1)
  return written(start) === written(last) ? `${written(start)}, ${t("cal.all-day")}` : `${written(start)} – ${written(last)}`
}

function personRow(seen) {
  return h("li", {}, h("a", { class: "row", href: `#/map/${seen.member}` }, face(seen.member),
    h("span", { class: "grow" }, h("strong"), h("span", { class: "place" }), h("span", { class: "soft" }))))
}

/** A row of who is where. */
export function updatePerson(row, seen) {
  const at = position(seen.member) ?? seen
  say(row.querySelector("strong"), seen.member === state.snapshot.me ? t("home.you", { name: member(seen.member)?.displayName }) : member(seen.member)?.displayName ?? "")
  say(row.querySelector(".place"), whereabouts(at))
  say(row.querySelector(".soft"), [seenWhen(at), condition(at, span)].filter(Boolean).join(" · "))
  row.classList.toggle("old", isOld(at))
  row.querySelector(".face")?.update?.()
}
