// SPDX-License-Identifier: Apache-2.0
// The family's dishes, with what they are made of.

import { act, asked, button, field, lazily, told, undoable, why } from "./base.js"
import { ask, h, say, show, sync } from "./dom.js"
import { changed, hearers, state } from "./state.js"
import { t } from "./words.js"

/** Recipes and menus from elsewhere are taken in by dialogs that few open. */
const ofFiles = use => lazily(() => import("./dish-files.js"), use)

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
    const page = picked("dish-file", ".html,.htm,.json,text/html,application/ld+json", file => ofFiles(all => all.takeFile("dish.import", "page", file)))
    const menu = picked("menu-file", ".ics,.csv,.txt,text/calendar,text/csv", file => ofFiles(all => all.takeMenu(file)))
    this.append(h("div", { class: "bar" }, h("a", { href: "#/meals" }, t("meal.back")), h("h1", {}, t("dish.all")),
      button(t("dish.new"), () => dish(null), { class: "small", id: "new-dish" })), h("div", { class: "say" }, this.words), this.all, this.none,
    h("div", { class: "actions" }, button(t("dish.fetch"), () => ofFiles(all => all.fetchDish()), { class: "quiet", id: "fetch-dish" }),
      button(t("dish.import"), () => page.click(), { class: "quiet" }), page,
      button(t("menu.import"), () => menu.click(), { class: "quiet" }), menu,
      button(t("menu.write"), () => ofFiles(all => all.writeMenu()), { class: "quiet", id: "write-menu" })))
    this.update()
  }

  async update() {
    if (!this.all) return
    if (state.line !== "live") {
      say(this.none, t(state.line === "away" ? "line.away" : "line.starting"))
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
export async function dish(id) {
  let one = { title: "", ingredients: [] }
  if (id) {
    try { ({ dish: one } = await asked("dish.show", { dish: id })) } catch (error) {
      return told(why(error), { isWrong: true })
    }
  }
  await ask(id ? one.title : t("dish.new"), close => {
    const title = h("input", { maxlength: 100, required: true, id: "dish-title" })
    title.value = one.title
    const servings = h("input", { type: "number", min: 1, max: 100, id: "dish-servings" })
    servings.value = one.servings ?? ""
    const minutes = h("input", { type: "number", min: 1, max: 10_080, id: "dish-minutes" })
    minutes.value = one.minutes ?? ""
    const source = h("input", { maxlength: 500, id: "dish-source" })
    source.value = one.source ?? ""
    const items = h("textarea", { rows: 6, id: "dish-items" })
    const lines = one.ingredients.map(written)
    items.value = lines.join("\n")
    const text = h("textarea", { rows: 4, maxlength: 8000, id: "dish-text" })
    text.value = one.text ?? ""
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      // What was not written anew stays as it was, with its section.
      const ingredients = items.value.split("\n").map(line => line.trim().slice(0, 200)).filter(Boolean).slice(0, 60)
        .map(line => one.ingredients[lines.indexOf(line)] ?? line)
      const said = { servings: Number(servings.value) || null, minutes: Number(minutes.value) || null, source: source.value.trim() || null, text: text.value.trim() || null }
      // Null takes something away, and a new dish has nothing yet.
      const rest = id ? { dish: id, ...said } : Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))
      const params = { title: title.value.trim(), ingredients, ...rest }
      if (await act(id ? "dish.update" : "dish.add", params, { mayWait: false })) close(true)
    } },
    field(t("dish.title"), title), field(t("dish.servings"), servings), field(t("dish.minutes"), minutes), field(t("dish.items"), items, t("dish.items-hint")),
    field(t("dish.text"), text), field(t("dish.source"), source, t("dish.source-hint")),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
      id ? h("button", { type: "button", class: "danger", onclick: () => {
        close(null)
        undoable(t("dish.removed", { dish: one.title }), "dish.remove", { dish: id })
      } }, t("dish.remove")) : null))
  })
}
