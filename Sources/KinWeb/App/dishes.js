// SPDX-License-Identifier: Apache-2.0
// The family's dishes, with what they are made of.

import { asked, button, lazily } from "./base.js"
import { h, say, show, sync } from "./dom.js"
import { changed, hearers, state } from "./state.js"
import { t } from "./words.js"

/** Dialogs about dishes, menus and what a week needs, all of which ask the daemon. */
export const ofForms = use => lazily(() => import("./dish-forms.js"), use)

/** All dishes by their titles; kept until one is another. */
let kept = null
hearers.add(event => { if (!event || event.type.startsWith("dish.")) { kept = null; changed() } })
export function dishes() { return kept ??= load() }

async function load() {
  const all = []
  try {
    for (let after; ;) {
      const page = await asked("dish.list", { limit: 200, ...(after ? { after } : {}) })
      all.push(...page.dishes)
      if (!(after = page.next)) return all
    }
  } catch {
    kept = null
    return all
  }
}

/** `250 g flour`, as one writes it. */
export const written = one => [one.amount === undefined ? null : String(Math.round(one.amount * 1000) / 1000), one.unit, one.text].filter(Boolean).join(" ")

export class Dishes extends HTMLElement {
  connectedCallback() {
    if (this.all) return
    this.all = h("ul", { class: "rows", id: "dishes" })
    this.none = h("p", { class: "empty" })
    this.words = h("input", { type: "search", id: "dish-words", "aria-label": t("dish.search"), placeholder: t("dish.search"), oninput: () => this.update() })
    const picked = (id, accept, work) => h("input", { type: "file", id, accept, hidden: true, onchange: event => {
      const [file] = event.target.files
      event.target.value = ""
      if (file) work(file)
    } })
    const page = picked("dish-file", ".html,.htm,.json,text/html,application/ld+json", file => ofForms(all => all.takeFile("dish.import", "page", file)))
    const menu = picked("menu-file", ".ics,.csv,.txt,text/calendar,text/csv", file => ofForms(all => all.takeMenu(file)))
    this.append(h("a", { href: "#/meals" }, t("meal.back")), h("div", { class: "bar" }, h("h1", {}, t("dish.all")),
      button(t("dish.new"), () => dish(null), { class: "small", id: "new-dish" })), h("div", { class: "say" }, this.words), this.all, this.none,
    h("div", { class: "actions" }, button(t("dish.fetch"), () => ofForms(all => all.fetchDish()), { class: "quiet", id: "fetch-dish" }),
      button(t("dish.import"), () => page.click(), { class: "quiet" }), page,
      button(t("menu.import"), () => menu.click(), { class: "quiet" }), menu,
      button(t("menu.write"), () => ofForms(all => all.writeMenu()), { class: "quiet", id: "write-menu" })))
    this.update()
  }

  async update() {
    if (!this.all) return
    if (state.line !== "live") {
      say(this.none, t(state.line === "away" ? "line.unknown" : "line.starting"))
      return show(this.none, !this.all.children.length)
    }
    const all = await dishes(), words = this.words.value.toLowerCase().split(/\s+/)
    const found = all.filter(one => words.every(word => one.title.toLowerCase().includes(word)))
    sync(this.all, found, one => one.id, one => h("li", {}, h("button", { type: "button", class: "plain row dish", onclick: () => dish(one.id) },
      h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })))), (row, one) => {
      say(row.querySelector("strong"), one.title)
      say(row.querySelector(".soft"), [one.servings ? t("meal.for-n", { n: one.servings }) : null, one.minutes ? t("dish.takes", { n: one.minutes }) : null].filter(Boolean).join(" · "))
    })
    say(this.none, t(all.length ? "dish.none-found" : "dish.none"))
    show(this.none, !found.length)
  }
}
customElements.define("kin-dishes", Dishes)

/** A dish, to be read and changed; a new one without an identifier. */
export const dish = id => ofForms(all => all.dish(id))
