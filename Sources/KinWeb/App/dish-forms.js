// SPDX-License-Identifier: Apache-2.0
// A dish, read and changed; recipes from an address or out of a file, and menus of canteens out of a file or by hand; a meal that is
// planned or changed, and what a week needs. It is loaded when somebody opens one of these.

import { act, asked, button, field, isFor, told, undoable, whom, why } from "./base.js"
import { longDay, plus, range, today } from "./calendar-days.js"
import { dishes, written } from "./dishes.js"
import { ask, fill, h } from "./dom.js"
import { slots } from "./meals.js"
import { me, people, state } from "./state.js"
import { refusal, t } from "./words.js"

/** Bytes of a file that goes within a message. */
const fileBytesMax = 700_000

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

/** Recipes of a page at an address, which the daemon reads. While no admin allows it, an admin does so here; others are told whom to ask. */
export async function fetchDish() {
  let isAllowed
  try { ({ outside: isAllowed } = await asked("dish.list", { limit: 1 })) } catch { return told(t("act.not-reached"), { isWrong: true }) }
  const result = await ask(t("dish.fetch"), close => {
    const part = h("div"), leave = () => h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))
    const draw = () => {
      if (!isAllowed) {
        const isAdmin = me()?.role === "admin"
        return fill(part, h("p", {}, t(isAdmin ? "dish.outside-allow-what" : "dish.outside-ask")), h("div", { class: "actions" },
          isAdmin ? button(t("dish.outside-allow"), async () => {
            if (!await act("dish.allowOutside", { on: true }, { mayWait: false })) return
            isAllowed = true
            draw()
          }, { id: "dish-outside-allow" }) : null, leave()))
      }
      const where = h("input", { type: "url", required: true, maxlength: 2048, autocomplete: "off", spellcheck: "false", id: "dish-address" })
      // What cannot be read stays open with its reason.
      return fill(part, h("form", { onsubmit: async event => {
        event.preventDefault()
        const answer = await act("dish.fetch", { address: where.value.trim() }, { mayWait: false })
        if (answer) close(answer)
      } }, h("p", { class: "hint" }, t("dish.fetch-hint")), field(t("dish.address"), where),
      h("div", { class: "actions" }, h("button", { type: "submit" }, t("dish.fetch-now")), leave())))
    }
    draw()
    return part
  })
  if (result) await report(result)
}

/** A canteen's menu out of a file: whose it is, is asked. */
export const takeMenu = file => ask(t("menu.import"), close => {
  const source = h("input", { maxlength: 40, required: true, id: "menu-source" })
  return h("form", { onsubmit: event => {
    event.preventDefault()
    close(true)
    takeFile("menu.import", "file", file, { source: source.value.trim() })
  } }, field(t("menu.source"), source, t("menu.source-hint")), h("div", { class: "actions" }, h("button", { type: "submit" }, t("menu.take")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

/** What a menu has of a day at most, and characters of a dish and of its price. */
const menuMost = 12, dishMost = 200, priceMost = 20

/** A canteen's menu of a day, by hand. What is known of that day stands there to be changed, until something is typed. */
export const writeMenu = () => ask(t("menu.write"), close => {
  const source = h("input", { maxlength: 40, required: true, id: "menu-of", autocomplete: "off" }), date = h("input", { type: "date", required: true, id: "menu-day" })
  const lines = h("textarea", { rows: 4, maxlength: 2700, id: "menu-lines" })
  const what = field(t("menu.lines"), lines, t("menu.lines-hint"))
  let isTyped = false, asking = null
  date.value = today()
  lines.oninput = () => { isTyped = true; what.refuse(null) }
  const look = async () => {
    const of = source.value.trim(), on = date.value
    if (isTyped || !of || !on) return
    // What is known of another day is not said of this one.
    lines.value = ""
    try {
      const { lines: known } = await asked("menu.list", { from: on, to: on })
      if (isTyped || on !== date.value || of !== source.value.trim()) return
      lines.value = known.filter(one => one.source === of).map(one => [one.text, one.price].filter(Boolean).join(" = ")).join("\n")
    } catch { /* What is written stands in its place. */ }
  }
  source.onchange = date.onchange = () => { asking = look() }
  return h("form", { onsubmit: async event => {
    event.preventDefault()
    // Who saves at once has not seen yet what is known, and does not mean to take it away.
    await asking
    const dishes = lines.value.split("\n").map(line => line.split("=").map(part => part.trim())).filter(([text]) => text)
      .map(([text, ...price]) => ({ text, ...(price.join("=") ? { price: price.join("=") } : {}) }))
    const long = dishes.find(one => [...one.text].length > dishMost || [...one.price ?? ""].length > priceMost)
    if (dishes.length > menuMost) return what.refuse(t("menu.many", { n: menuMost }))
    if (long) return what.refuse(t("menu.long", { dish: [...long.text].slice(0, 40).join(""), n: dishMost, price: priceMost }))
    if (!await act("menu.set", { source: source.value.trim(), days: [{ date: date.value, dishes }] }, { mayWait: false })) return
    close(true)
    told(t(dishes.length ? "menu.written" : "menu.unwritten", { source: source.value.trim(), day: longDay(date.value) }))
  } }, field(t("menu.source"), source, t("menu.source-hint")), field(t("meal.date"), date), what,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

/** Sends a file, and says what became of each of its entries. */
export async function takeFile(method, parameter, file, more = {}) {
  if (file.size > fileBytesMax) return told(t("dish.file-large"), { isWrong: true })
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ""
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  const result = await act(method, { [parameter]: btoa(text), ...more }, { mayWait: false })
  if (result) await report(result)
}

/** A sentence of the daemon's, its days written as the page writes days. */
const spoken = text => refusal(text).replace(/\d{4}-\d\d-\d\d/g, longDay)

/** What became of an entry, its day before it. A day that is left without dishes is called after itself. */
const fate = entry => [entry.date && entry.name !== entry.date ? longDay(entry.date) : null, t(`dish.outcome.${entry.outcome}`),
  ...entry.remarks.map(entry.date ? spoken : refusal)].filter(Boolean).join(" · ")

/** Says what became of each entry. */
async function report(result) {
  await ask(t("dish.taken", { n: result.taken }), close => h("div", {}, h("ul", { class: "rows" }, result.entries.slice(0, 200).map(entry =>
    h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, entry.name === entry.date ? longDay(entry.date) : entry.name), h("span", { class: "soft" }, fate(entry)))))),
  h("div", { class: "actions" }, h("button", { type: "button", onclick: () => close(null) }, t("act.close")))))
}

// A meal ------------------------------------------------------------------------------------------------------------

/** With whom a planned meal is shared: for who planned it and admins, whom the daemon tells; null for others. */
async function audienceOf(one) {
  try {
    const { meals } = await asked("meal.list", { from: one.date, to: one.date })
    return meals.find(other => other.id === one.id)?.audience ?? null
  } catch { return null }
}

/** Plans a meal, or changes one. */
export async function plan(one) {
  const isNew = !one.id
  const [known, audience] = await Promise.all([dishes(), isNew ? "everyone" : audienceOf(one)])
  await ask(isNew ? t("meal.plan-for", { day: longDay(one.date) }) : t("meal.edit"), close => {
    const what = h("input", { id: "meal-what", list: "meal-dishes", maxlength: 900, required: true, autocomplete: "off" })
    what.value = isNew ? "" : one.choices.map(choice => choice.title).join(" / ")
    const slot = h("select", { id: "meal-slot" }, slots.map(value => h("option", { value, selected: value === (one.slot ?? "dinner") }, t(`meal.slot.${value}`))))
    const date = h("input", { type: "date", required: true, id: "meal-date" })
    date.value = one.date
    const servings = h("input", { type: "number", min: 1, max: 100, id: "meal-servings" })
    servings.value = one.servings ?? ""
    const cook = h("select", { id: "meal-cook" })
    const note = h("textarea", { rows: 2, maxlength: 300, id: "meal-note" })
    note.value = one.note ?? ""
    // An admin may share what somebody else planned, and be named as well.
    const isOwn = isNew || me()?.role !== "admin", who = whom(audience ?? "everyone", isOwn ? null : "")
    who.choice.id = "meal-audience"
    // Who does not see it does not cook it.
    const offer = chosen => fill(cook, h("option", { value: "" }, t("meal.no-cook")), people().filter(person => person.id === chosen || isFor(person, audience && who.value(), isOwn && state.snapshot.me))
      .map(person => h("option", { value: person.id, selected: person.id === chosen }, person.displayName)))
    for (const part of [who.choice, who.people]) part.addEventListener("change", () => offer(cook.value))
    offer(one.cook)
    const shared = JSON.stringify(who.value())
    return h("form", { "data-of": one.id, onsubmit: async event => {
      event.preventDefault()
      const choices = what.value.split("/").map(text => text.trim().slice(0, 100)).filter(Boolean).slice(0, 8).map(title => {
        const old = one.choices?.find(choice => choice.title === title)
        const dish = old?.dish ?? known.find(each => each.title.toLowerCase() === title.toLowerCase())?.id
        return dish ? { dish } : { title }
      })
      if (!choices.length) return what.focus()
      const before = isNew ? null : JSON.stringify(one.choices.map(choice => choice.dish ? { dish: choice.dish } : { title: choice.title }))
      const params = { ...(isNew ? {} : { meal: one.id }),
        ...(isNew || audience && JSON.stringify(who.value()) !== shared ? { audience: who.value() } : {}), date: date.value, slot: slot.value,
        servings: Number(servings.value) || null, cook: cook.value || null, note: note.value.trim() || null,
        ...(JSON.stringify(choices) === before ? {} : { choices }) }
      if (await act("meal.put", params, { mayWait: false })) close(true)
    } },
    field(t("meal.what"), what, t("meal.what-hint")), h("datalist", { id: "meal-dishes" }, known.map(each => h("option", { value: each.title }))),
    field(t("meal.slot"), slot), field(t("meal.date"), date), field(t("meal.servings"), servings), field(t("meal.cook"), cook),
    field(t("meal.note"), note), audience ? [field(t("list.for"), who.choice), who.people] : null,
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  })
}

/** Makes a first list for what is bought; null where that is left. */
const firstList = () => ask(t("meal.fill"), close => h("div", {}, h("p", {}, t("meal.no-list")), h("div", { class: "actions" },
  button(t("meal.make-list"), async () => {
    const made = await act("list.add", { name: t("list.kind.shopping") }, { mayWait: false })
    if (made) close(made.list)
  }, { id: "make-list" }), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))))

/** Puts what the days need on a list. Of this week it is what is left; on its last day one shops for the next as well. */
export async function shop(first) {
  const known = state.snapshot.lists ?? [], made = known.length ? null : await firstList()
  if (!known.length && !made) return
  const lists = made ? [made] : known, last = plus(first, 6), isNow = first <= today() && last >= today()
  await ask(t("meal.fill"), close => {
    const to = h("select", { id: "meal-list" }, [...lists].sort((a, b) => (a.kind === "shopping" ? 0 : 1) - (b.kind === "shopping" ? 0 : 1) || (a.name < b.name ? -1 : 1))
      .map(one => h("option", { value: one.id }, one.name)))
    const from = h("input", { type: "date", required: true, id: "fill-from" }), until = h("input", { type: "date", required: true, id: "fill-until" })
    from.value = isNow ? today() : first
    until.value = last === today() ? plus(last, 7) : last
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const days = range(from.value, until.value)
      const result = await act("meal.shop", { from: from.value, to: until.value, list: to.value }, { mayWait: false })
      if (!result) return
      close(true)
      told(t(result.items.length ? "meal.filled" : "meal.filled-nothing", { n: result.items.length, days, list: lists.find(one => one.id === to.value)?.name ?? "" }))
    } },
    field(t("meal.list"), to, t("meal.fill-hint")), field(t("meal.from"), from), field(t("meal.to"), until),
    h("div", { class: "actions" }, h("button", { type: "submit", id: "fill-now" }, t("meal.fill-now")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  })
}
