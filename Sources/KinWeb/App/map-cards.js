// SPDX-License-Identifier: Apache-2.0
// Beside the map: what a place is, who shows a place or the home and no spot, and whether one shows oneself, in one tap.

import { act, asked, button, heldStays, seenWhen, stay, whereabouts } from "./base.js"
import { ask, fill, h, say, show, sync } from "./dom.js"
import { changePlace } from "./placing.js"
import { report, share, showMe } from "./report.js"
import { household, me, member, position, state } from "./state.js"
import { face } from "./voice.js"
import { age, distance, knows, list, near, t } from "./words.js"

const signs = { hotspot: "★", note: "✎" }
/** A place's name with its sign, as it stands on the map. */
export const called = one => [one.icon ?? signs[one.kind], one.name].filter(Boolean).join(" ")
/** What a place is, in words; a newer daemon may know kinds that this page does not. */
export const what = one => [knows(`place.${one.kind}`) ? t(`place.${one.kind}`) : null, household(one.homeOf) ? t("place.home-of", { name: household(one.homeOf).name }) : null,
  one.radius ? t("place.radius", { radius: distance(one.radius) }) : null].filter(Boolean).join(" · ")

/** Who shows a place or the home: nobody knows a spot for them here, so there is a card, and nothing on the map. */
export function drawCards(cards, seen) {
  const spotless = seen.filter(one => one.precision === "place" || one.precision === "home")
  sync(cards, spotless, one => one.member, one => h("li", {}, h("a", { href: `#/map/${one.member}` }, face(one.member),
    h("span", {}, h("strong"), h("span", { class: "place" }), h("span", { class: "soft" })))), (card, one) => {
    say(card.querySelector("strong"), member(one.member).displayName)
    say(card.querySelector(".place"), whereabouts(one))
    say(card.querySelector(".soft"), seenWhen(one))
    card.querySelector(".face")?.update?.()
  })
  show(cards, spotless.length)
}

// A place --------------------------------------------------------------------------------------------------------

/** Who is there, as far as one sees that: exactly, or by the place's name where only one place has it. */
function there(one) {
  const { positions = [], places = [] } = state.snapshot
  const isAlone = places.filter(other => other.name === one.name).length === 1
  const stays = new Set(heldStays().filter(other => other.place === one.id).map(other => other.member))
  return positions.filter(seen => member(seen.member) && (seen.precision === "place" ? isAlone && seen.place === one.name : !seen.precision && stays.has(seen.member) && stay(seen)))
    .map(seen => member(seen.member).displayName)
}

/** The card of a place, a tip or a note. */
export function drawPlace(view, one) {
  // An event about it makes another object of it, even where only its note is another.
  if (view.cardKey !== one) {
    view.cardKey = one
    view.trail?.clearLayers()
    view.slider = view.noteOf = null
    view.placeText = [h("p", { class: "soft" }), h("p", { class: "words note", hidden: true }), h("p", { class: "there", hidden: true })]
    fill(view.card, h("div", { class: "bar" }, h("h2", { class: "grow" }, called(one)),
      h("a", { class: "button quiet small", href: "#/map", "aria-label": t("act.close") }, "✗")), ...view.placeText,
    view.mayChange(one) ? h("div", { class: "actions" }, button(t("map.change"), () => changePlace(view, one.id), { class: "quiet small", id: "change-place" })) : null)
  }
  const [about, note, who] = view.placeText, names = there(one)
  say(about, [what(one), member(one.owner) ? t("place.by", { name: member(one.owner).displayName }) : null].filter(Boolean).join(" · "))
  say(who, names.length ? t("place.there", { names: list(names) }) : "")
  show(who, names.length)
  if (view.noteOf === one || state.line !== "live") return
  // No snapshot has notes.
  view.noteOf = one
  asked("place.show", { place: one.id }).then(({ place: whole }) => {
    if (view.cardKey === one) show(say(note, whole.note ?? ""), whole.note)
  }, () => { if (view.noteOf === one) view.noteOf = null })
}

// Oneself --------------------------------------------------------------------------------------------------------

/** Whether the others see where one is, with the button that changes it, and who looked. */
export class OwnSharing extends HTMLElement {
  connectedCallback() {
    if (this.text) return
    this.text = h("p", { role: "status" })
    this.on = button(t("report.show-me"), () => (this.isUnreported ? showMe : share)(), { class: "small", id: "share-me" })
    this.off = button(t("map.unshare"), () => act("sharing.set", { state: "off" }), { class: "quiet small", id: "unshare-me" })
    this.ways = h("a", { class: "button small", href: "/phone" }, t("report.other-ways"))
    this.append(h("h2", {}, t("map.own")), this.text, h("div", { class: "actions" }, this.on, this.ways, this.off,
      button(t("map.looks"), looks, { class: "quiet small", id: "who-looked" }), h("a", { class: "button quiet small", href: "/sharing" }, t("family.sharing"))))
  }

  update() {
    const { sharing } = state.snapshot, isOn = sharing?.state === "on", isHeld = !!sharing?.heldBy
    // Before anything was reported there is nothing to see, whoever may; this page can report it.
    const isUnreported = this.isUnreported = isOn && !position(state.snapshot.me)
    show(this, me() && me().kind !== "wall")
    say(this.text, isUnreported ? t("map.unreported") : isOn ? t(isHeld ? "map.shown-held" : sharing.until ? "map.shown-until" : "map.shown", { time: sharing.until ? near(sharing.until) : "" })
      : t(isHeld ? "report.held" : "map.hidden"))
    show(this.on, isUnreported ? !["on", "asking", "lost", "impossible"].includes(report.state) : !isOn && !isHeld)
    show(this.ways, isUnreported && report.state === "impossible")
    show(this.off, isOn && !isHeld)
  }
}
customElements.define("kin-own-sharing", OwnSharing)

/** Who looked at where one is or was. */
export async function looks() {
  const { looks: all } = await asked("sharing.looks", { limit: 50 })
  await ask(t("map.looks"), close => h("div", {}, all.length ? h("ul", { class: "rows" }, all.map(one => h("li", { class: "row" }, h("span", { class: "grow" },
    h("strong", {}, one.displayName ?? (one.viewer && member(one.viewer)?.displayName) ?? t(one.how === "link" ? "looks.by-link" : "names.somebody")),
    h("span", { class: "soft" }, [t(`looks.${one.how}`), age(one.last), one.count > 1 ? `${one.count}×` : ""].filter(Boolean).join(" · ")))))) : h("p", { class: "empty" }, t("looks.none")),
  h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))))
}
