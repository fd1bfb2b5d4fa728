// SPDX-License-Identifier: Apache-2.0
// The first screen: who is where, what is to be voted on, what is next, what was said.

import { call } from "./alarms.js"
import { act, button, condition, isOld, seenWhen, whereabouts } from "./base.js"
import { h, say, show, sync } from "./dom.js"
import { Ballot, isToVote, when } from "./meetings.js"
import { face } from "./family.js"
import "./report.js"
import "./said.js"
import { now } from "./served.js"
import { member, people, position, state } from "./state.js"
import { ofTab } from "./store.js"
import { span, t } from "./words.js"

class Home extends HTMLElement {
  connectedCallback() {
    if (this.people) return
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
    text.onkeydown = event => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); send.click() } }
    text.value = ofTab.getItem("kinwire.say") ?? ""
    text.oninput = () => ofTab.setItem("kinwire.say", text.value)
    const send = button(t("say.send"), async () => {
      const words = text.value.trim()
      if (!words) return text.focus()
      const waited = state.waiting
      if (await act("activity.say", { text: words }) === null && state.waiting === waited) return
      text.value = ""
      ofTab.removeItem("kinwire.say")
      this.said.ask()
    }, { class: "small" })
    this.append(
      h("h1", { class: "hidden" }, t("tab.home")),
      h("section", { "aria-labelledby": "home-where" }, h("h2", { id: "home-where" }, t("home.where")), this.people, this.nobody,
        h("div", { class: "bar" }, button(t("alarm.call"), call, { class: "quiet small", id: "call-others" }))),
      this.report,
      h("section", { "aria-labelledby": "home-votes" }, h("h2", { id: "home-votes" }, t("home.votes")), this.votes, this.noVotes),
      h("section", { "aria-labelledby": "home-next" }, h("h2", { id: "home-next" }, t("home.next")), this.next, this.noNext),
      h("section", { "aria-labelledby": "home-said" }, h("h2", { id: "home-said" }, t("home.said")),
        h("div", { class: "say" }, text, send), this.said))
    this.update(state)
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.people) return
    this.report.update()
    const seen = (snapshot.positions ?? []).filter(one => member(one.member))
      .sort((a, b) => (b.member === snapshot.me) - (a.member === snapshot.me) || (a.at < b.at ? 1 : -1))
    sync(this.people, seen, one => one.member, personRow, updatePerson)
    say(this.nobody, t(people().length > 1 ? "home.nobody-shows" : "home.alone"))
    show(this.nobody, !seen.length)

    const toVote = (snapshot.meetings ?? []).filter(isToVote)
    sync(this.votes, toVote, one => one.meeting.id, one => new Ballot(one.meeting.id), ballot => ballot.update())
    say(this.noVotes, t("home.no-votes"))
    show(this.noVotes, !toVote.length)

    const next = (snapshot.meetings ?? []).filter(one => one.meeting.confirmed && one.own.attendance !== "notGoing")
      .map(one => ({ ...one, slot: one.meeting.slots.find(slot => slot.id === one.meeting.confirmed) }))
      .filter(one => one.slot && new Date(one.slot.end) > now())
      .sort((a, b) => (a.slot.start < b.slot.start ? -1 : 1)).slice(0, 5)
    sync(this.next, next, one => one.meeting.id, one => h("li", {}, h("a", { class: "row", href: `#/meetings/${one.meeting.id}` },
      h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })))), (row, one) => {
      say(row.querySelector("strong"), one.meeting.title)
      say(row.querySelector(".soft"), [when(one.slot), one.meeting.place].filter(Boolean).join(" · "))
    })
    say(this.noNext, t("home.no-next"))
    show(this.noNext, !next.length)

    this.said.update({ snapshot, line })
  }
}
customElements.define("kin-home", Home)

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
