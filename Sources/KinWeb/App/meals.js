// SPDX-License-Identifier: Apache-2.0
// The week's meals: what there is, who cooks, who eats; and what a week needs, put on a list.

import { listsOf } from "./about.js"
import { act, asked, button, undoable } from "./base.js"
import { longDay, plus, range, today, weekOf } from "./calendar-days.js"
import { ask, fill, h, say, set, show, sync } from "./dom.js"
import { dish as openDish, Dishes, ofForms } from "./dishes.js"
import { changed, hearers, me, state, takeEvent } from "./state.js"
import { name } from "./voice.js"
import { list as several, t } from "./words.js"

export const slots = ["breakfast", "lunch", "snack", "dinner"]
const isGuest = () => me()?.role === "guest"
/** What is planned is planned while the daemon is there: the forms are loaded when somebody opens one. */
const plan = one => ofForms(all => all.plan(one))
/** Meals that are taken away here, and may be had back. */
const going = new Set()
const meal = id => (state.snapshot?.meals ?? []).find(one => one.id === id)
const decided = one => one.choices.length === 1 ? one.choices[0] : one.choices.find(choice => choice.number === one.chosen)
const votes = (one, choice) => one.parts.filter(part => part.votes.includes(choice.number)).length
const titled = one => decided(one)?.title ?? one.choices.map(choice => choice.title).join(" / ")
const mine = one => one.parts.find(part => part.member === state.snapshot.me) ?? { votes: [] }

// Menus are in no snapshot: what was asked for is asked for again when one of it is another.
let menu = { from: null, lines: [] }, snapshots = 0
hearers.add(event => {
  if (!event) snapshots += 1
  if (!event || event.type === "menu.set") menu.from = null
})

class Meals extends HTMLElement {
  connectedCallback() {
    if (this.days) return
    this.first = weekOf(today())
    this.heading = h("h2")
    this.days = h("div", { class: "week stack" })
    const step = (label, by, sign) => h("button", { type: "button", class: "quiet small", "aria-label": t(label), onclick: () => {
      this.first = plus(this.first, by)
      this.asked = null
      this.update(state)
    } }, sign)
    const own = isGuest() ? [] : [
      button(t("meal.fill"), () => ofForms(all => all.shop(this.first)), { class: "small", id: "fill-list" }),
      h("a", { href: "#/meals/dishes", id: "to-dishes" }, t("dish.all"))]
    this.week = h("div", {}, h("h1", {}, t("tab.meals")),
      h("div", { class: "bar" }, step("meal.before", -7, "‹"), this.heading, step("meal.after", 7, "›")),
      h("div", { class: "actions" }, own), this.days)
    this.dishes = new Dishes()
    this.append(this.week, this.dishes)
    this.update(state)
  }

  /** A day leads to its week, and a dish is opened over all of them. */
  open(id, query) {
    this.screen = id
    if (/^\d{4}-\d\d-\d\d$/.test(id ?? "")) {
      this.first = weekOf(id)
      this.asked = null
    }
    const wanted = query?.get("dish")
    if (wanted && wanted !== this.opened) openDish(wanted)
    this.opened = wanted
    if (this.days) this.update(state)
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.days) return
    show(this.week, this.screen !== "dishes")
    show(this.dishes, this.screen === "dishes")
    if (this.screen === "dishes") return this.dishes.update()
    const last = plus(this.first, 6)
    if (line === "live") this.ask(last)
    say(this.heading, range(this.first, last))
    const all = (snapshot.meals ?? []).filter(one => !going.has(one.id) && one.date >= this.first && one.date <= last)
    const days = [0, 1, 2, 3, 4, 5, 6].map(at => plus(this.first, at))
    sync(this.days, days, day => day, build, (part, day) => {
      const own = all.filter(one => one.date === day).sort((a, b) => slots.indexOf(a.slot) - slots.indexOf(b.slot) || (a.id < b.id ? -1 : 1))
      sync(part.querySelector("ul"), own, one => one.id, one => row(one.id), write)
      const lines = menu.lines.filter(one => one.date === day)
      sync(part.querySelector(".menus"), lines, one => one.id, () => h("li", { class: "soft" }), (item, one) =>
        say(item, [`${one.source}: ${one.text}`, one.price].filter(Boolean).join(", ")))
      show(part.querySelector(".menus"), lines.length)
      set(part, { "aria-current": day === today() ? "date" : null })
    })
  }

  /** What is in no snapshot: earlier meals, and menus. */
  ask(last) {
    const first = this.first, asking = `${first} ${snapshots}`
    if (this.asked !== asking && state.snapshot.more?.includes("meals")) {
      asked("meal.list", { from: first, to: last }).then(({ meals }) => {
        for (const { audience, ...one } of meals) takeEvent({ type: "meal.put", data: { meal: one } })
      }, () => { this.asked = null })
    }
    this.asked = asking
    if (menu.from === first || isGuest()) return
    menu = { from: first, lines: menu.from ? [] : menu.lines }
    asked("menu.list", { from: first, to: last }).then(({ lines }) => { if (menu.from === first) { menu.lines = lines; changed() } }, () => {})
  }
}
customElements.define("kin-meals", Meals)

/** A day: its name plans a meal. */
function build(day) {
  const title = isGuest() ? longDay(day)
    : h("button", { type: "button", class: "quiet day", "data-day": day, "aria-label": t("meal.plan-for", { day: longDay(day) }), onclick: () => plan({ date: day }) },
      h("span", {}, longDay(day)), h("span", { "aria-hidden": "true" }, "+"))
  return h("section", { class: "meal-day" }, h("h3", {}, title), h("ul", { class: "rows meals" }), h("ul", { class: "menus", hidden: true }))
}

const row = id => h("li", {}, h("button", { type: "button", class: "plain row meal", onclick: () => { const one = meal(id); if (one) look(one.id) } },
  h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" }))))

function write(element, one) {
  say(element.querySelector("strong"), titled(one))
  const eat = one.parts.filter(part => part.eats === "in").length
  say(element.querySelector(".soft"), [t(`meal.slot.${one.slot}`), decided(one) ? null : t("meal.open"),
    one.cook ? t("meal.cooked-by", { name: name(one.cook) }) : null, eat ? t("meal.eat-n", { n: eat }) : null,
    one.servings ? t("meal.for-n", { n: one.servings }) : null].filter(Boolean).join(" · "))
}

// One meal ----------------------------------------------------------------------------------------------------------

/** A meal as it is now: what it may be, who eats, who cooks. It stays open while one answers. */
function look(id) {
  const body = h("div", { class: "stack" })
  let close
  const draw = () => {
    const one = meal(id)
    if (!one) return close?.(null)
    const own = mine(one), isCook = one.cook === state.snapshot.me, mayDecide = isCook || me()?.role === "admin"
    const say_ = (method, params) => act(method, { meal: id, ...params }, { mayWait: false }).then(result => {
      if (result) { const { audience, ...now } = result.meal; takeEvent({ type: "meal.put", data: { meal: now } }); draw() }
    })
    const focused = body.contains(document.activeElement) ? document.activeElement.id : null
    const those = answer => several(one.parts.filter(part => part.eats === answer).map(part => name(part.member)))
    fill(body, h("p", { class: "soft" }, `${t(`meal.slot.${one.slot}`)}, ${longDay(one.date)}`),
      one.choices.length > 1 ? h("fieldset", {}, h("legend", {}, t(decided(one) ? "meal.was-decided" : "meal.vote")),
        one.choices.map(choice => h("div", { class: "row" }, h("span", { class: "grow" }, h("label", { class: "check" }, h("input", { type: "checkbox", id: `vote-${choice.number}`,
          checked: own.votes.includes(choice.number), disabled: !!decided(one), onchange: event => say_("meal.vote", {
            choices: one.choices.map(other => other.number).filter(number => number === choice.number ? event.target.checked : own.votes.includes(number)) }) }),
        `${choice.title} (${votes(one, choice)})`)),
        mayDecide ? button(t(one.chosen === choice.number ? "meal.reopen" : "meal.decide"), () =>
          say_("meal.decide", { choice: one.chosen === choice.number ? null : choice.number }), { class: "quiet small", id: `decide-${choice.number}` }) : null))) : null,
      one.note ? h("p", {}, one.note) : null,
      h("fieldset", {}, h("legend", {}, t("meal.do-you-eat")), ["in", "out", "unknown"].map(answer =>
        h("label", { class: "check" }, h("input", { type: "radio", name: "eats", id: `eats-${answer}`, checked: (own.eats ?? "unknown") === answer,
          onchange: () => say_("meal.eat", { eats: answer }) }), t(`meal.eats.${answer}`)))),
      those("in") ? h("p", {}, t("meal.in", { names: those("in") })) : null,
      those("out") ? h("p", {}, t("meal.out", { names: those("out") })) : null,
      h("p", { class: "row" }, h("span", { class: "grow" }, one.cook ? t("meal.cooked-by", { name: name(one.cook) }) : t("meal.no-cook")),
        !one.cook || isCook ? button(t(isCook ? "meal.give-back" : "meal.take-over"), () => say_("meal.cook", { cooks: !isCook }), { class: "quiet small", id: "cook" }) : null),
      decided(one)?.dish && !isGuest() ? h("p", {}, button(t("meal.recipe"), () => { close(null); openDish(decided(one).dish) }, { class: "quiet small" })) : null)
    if (focused) body.querySelector(`#${focused}`)?.focus()
  }
  const title = titled(meal(id))
  return ask(title, end => {
    close = end
    draw()
    return h("div", {}, body, listsOf(`meal/${id}`, title), h("div", { class: "actions" },
      h("button", { type: "button", class: "quiet", id: "meal-close", onclick: () => end(null) }, t("act.close")),
      isGuest() ? null : h("button", { type: "button", class: "quiet", id: "meal-edit", onclick: () => { end(null); plan(meal(id)) } }, t("meal.edit")),
      isGuest() ? null : h("button", { type: "button", class: "danger", id: "meal-remove", onclick: () => {
        end(null)
        undoable(t("meal.removed", { meal: title }), "meal.remove", { meal: id }, () => { going.add(id); changed() }, () => { going.delete(id); changed() })
      } }, t("meal.remove"))))
  })
}
