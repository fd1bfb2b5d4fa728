// SPDX-License-Identifier: Apache-2.0
// Lists: what is to be bought, done or packed. They work in the shop's cellar too: what is done there shows at once, waits
// in this browser, and carries the moment when it was done, by the daemon's clock as far as it is known here.

import { looked, said as titled } from "./about.js"
import { act, asked, button, field, isNone, retry, lazily, told, tried, undoable } from "./base.js"
import { ask, fill, h, say, set, show, sync } from "./dom.js"
import { name } from "./voice.js"
import { exactly, now } from "./served.js"
import { changed, hearers, member, people, state, takeEvent } from "./state.js"
import { keepFound, ofTab, queued } from "./store.js"
import { civil, day, t } from "./words.js"

const textMax = 200, perCall = 100

/** Lists whose items were asked for, since the snapshot had no room for all. */
const whole = new Set()
hearers.add(event => { if (!event) whole.clear() })
const isWhole = id => !state.snapshot?.more?.includes("listItems") || whole.has(id)

// What waits --------------------------------------------------------------------------------------------------------

/** What was said of items and is not answered: of this page, and of what waits in the browser. */
const flying = new Set()
let waiting = [], waited = 0

async function look() {
  if (state.queue === waited) return
  waited = state.queue
  waiting = (await queued()).filter(one => one.method === "item.put" || one.method === "item.remove")
  changed()
}

/** The items of a list, with what was said here and is not answered yet. */
function items(list) {
  const all = new Map((state.snapshot?.listItems ?? []).filter(one => one.list === list).map(one => [one.id, one]))
  for (const { method, params } of [...waiting, ...flying]) {
    if (params.list !== list) continue
    if (method === "item.remove") for (const id of params.items) all.delete(id)
    else for (const { at, occurrence, edit, ...said } of params.items) {
      const held = all.get(said.id)
      // Of what repeats, a day that is done is due no more: the daemon says which is next.
      if (occurrence && (said.ticked ? (held?.done ?? "") >= occurrence : held?.done !== occurrence)) continue
      const one = { list, ticked: false, ...held, ...said }
      if ("ticked" in said) Object.assign(one, { tickedBy: state.snapshot.me, tickedAt: at })
      if (occurrence) Object.assign(one, said.ticked ? { isGoingOn: true } : { due: occurrence })
      if (one.text) all.set(said.id, Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)))
    }
  }
  return [...all.values()]
}

/** Says something of items: it shows at once, whatever the line does. It carries its moment, for it may be long on its way. */
async function put(list, edits) {
  const at = new Date(exactly()).toISOString(), said = edits.map((one, index) => ({ ...one, at, edit: newId(index) }))
  for (let from = 0; from < said.length; from += perCall) await send("item.put", { list, items: said.slice(from, from + perCall) })
}

async function send(method, params) {
  const mine = { method, params }
  flying.add(mine)
  changed()
  const { result, isTaken } = await tried(method, params)
  if (isTaken && !result) { await look(); flying.delete(mine); return changed() }
  // The event may be a moment behind the answer.
  setTimeout(() => { flying.delete(mine); changed() }, result ? 1_000 : 0)
}

/** Ticks something, or no longer; of what repeats the day that is due, or that was ticked last. */
function tick(list, one, isOn = !one.ticked) {
  if (one.isGoingOn) return
  const occurrence = one.repeat ? (isOn ? one.due : one.done) : null
  put(list, [{ id: one.id, ticked: isOn, ...(occurrence ? { occurrence } : {}) }])
  if (!occurrence || !isOn) return
  told(t("list.day-done", { item: one.text, day: dayOf(occurrence) }), { button: h("button", { class: "quiet small", type: "button",
    onclick: event => { event.target.parentNode?.remove(); put(list, [{ id: one.id, ticked: false, occurrence }]) } }, t("act.undo")) })
}

/** A UUIDv7: the time of its making, and chance. */
function newId(after = 0) {
  const bytes = crypto.getRandomValues(new Uint8Array(16)), now = exactly() + after
  for (let at = 0; at < 6; at += 1) bytes[at] = Math.floor(now / 2 ** (40 - 8 * at)) & 255
  bytes[6] = bytes[6] & 15 | 0x70
  bytes[8] = bytes[8] & 63 | 0x80
  const hex = [...bytes].map(one => one.toString(16).padStart(2, "0")).join("")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
}

// What is written ---------------------------------------------------------------------------------------------------

const units = new Set(["g", "kg", "mg", "l", "ml", "cl", "dl", "m", "cm", "mm", "oz", "lb", "lbs", "pcs", "stk", "pack", "packs",
  "bottle", "bottles", "can", "cans", "bag", "bags", "box", "boxes", "x", "el", "tl", "tbsp", "tsp"])

/** `2 l milk`: how much, of what unit, of what. */
export function written(text) {
  const words = text.trim().split(/\s+/), amount = /^\d+([.,]\d+)?$/.test(words[0]) ? Number(words[0].replace(",", ".")) : NaN
  if (words.length < 2 || !(amount > 0 && amount <= 1_000_000)) return { text: words.join(" ").slice(0, textMax) }
  const hasUnit = words.length > 2 && units.has(words[1].toLowerCase())
  return { amount, ...(hasUnit && words[1].toLowerCase() !== "x" ? { unit: words[1] } : {}),
    text: words.slice(hasUnit ? 2 : 1).join(" ").slice(0, textMax) }
}

/** `2 l`, as one counts in the language of the page. */
const amount = one => [one.amount === undefined ? null : one.amount.toLocaleString(document.documentElement.lang), one.unit].filter(Boolean).join(" ")

const dayOf = due => { const [year, month, date] = due.split("-").map(Number); return day({ year, month, day: date }) }

const today = () => { const { year, month, day } = civil(now()); return [year, month, day].map(part => String(part).padStart(2, "0")).join("-") }

const often = ["daily", "weekdays", "weekly", "biweekly", "monthly", "yearly"]
/** The word for a rule; empty for none, null for one that says more. */
function wordOf(rule) {
  // What was said here and is not answered yet is the word itself.
  if (!rule || often.includes(rule)) return rule ?? ""
  const parts = Object.fromEntries(rule.split(";").map(part => part.split("="))), every = parts.INTERVAL ?? "1"
  const rest = Object.keys(parts).filter(key => !["FREQ", "INTERVAL", "WKST"].includes(key))
  const isClamped = parts.BYSETPOS === "-1" && rest.every(key => ["BYMONTHDAY", "BYSETPOS", "BYMONTH"].includes(key))
  if (parts.FREQ === "WEEKLY" && every === "2" && !rest.length) return "biweekly"
  if (every !== "1") return null
  if (parts.FREQ === "WEEKLY" && rest.length === 1 && parts.BYDAY?.split(",").sort().join() === "FR,MO,TH,TU,WE") return "weekdays"
  if (rest.length && !(isClamped && ["MONTHLY", "YEARLY"].includes(parts.FREQ))) return null
  return { DAILY: "daily", WEEKLY: "weekly", MONTHLY: "monthly", YEARLY: "yearly" }[parts.FREQ] ?? null
}

/** Those who take turns, from whoever has it now. */
function inTurn(one) {
  const turns = one.turns ?? [], at = Math.max(0, turns.indexOf(one.member))
  return [...turns.slice(at), ...turns.slice(0, at)]
}

const place = one => one.order ?? one.id.replaceAll("-", "")
const byPlace = (a, b) => (place(a) < place(b) || place(a) === place(b) && a.id < b.id ? -1 : 1)

/** Something that sorts between two places; null stands for an end. */
export function between(a, b) {
  let out = ""
  for (let at = 0; at < 64; at += 1) {
    const low = parseInt(a?.[at] ?? "0", 16), high = b === null || b === undefined ? 16 : parseInt(b[at] ?? "0", 16)
    if (high - low > 1) return out + Math.floor((low + high) / 2).toString(16)
    out += low.toString(16)
    if (high > low) b = null
  }
  return null
}

/** The open ones in the order of the shop: by section, those without one first; then as they are sorted. */
function sections(list, open) {
  const named = [...new Set(open.map(one => one.section ?? ""))]
  const rank = section => { const at = list.sections.indexOf(section); return section === "" ? -1 : at < 0 ? list.sections.length : at }
  return named.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(section => ({ section, items: open.filter(one => (one.section ?? "") === section).sort(byPlace) }))
}

// The screen --------------------------------------------------------------------------------------------------------

class Lists extends HTMLElement {
  connectedCallback() {
    this.connected(true)
    if (this.all) return
    this.all = h("ul", { class: "rows" })
    this.none = h("p", { class: "empty" })
    this.new = button(t("list.new"), () => settings(null), { class: "small", id: "new-list" })
    this.overview = h("div", {}, h("div", { class: "bar" }, h("h1", {}, t("tab.lists")), this.new), this.all, this.none)
    this.one = h("div", { class: "stack" })
    this.append(this.overview, this.one)
    this.update(state)
  }

  open(id) {
    if (this.list === id && this.one?.firstChild) return
    this.list = id
    this.shown = null
    if (this.one) this.update(state)
  }

  /** What had no room in the snapshot is asked for; the answer stands at its place among the events. */
  async find() {
    const mine = this.list
    this.isAsking = true
    try {
      const { items: all } = await asked("list.show", { list: mine })
      for (const item of all) takeEvent({ type: "item.put", data: { item } })
      whole.add(mine)
      // The cellar has it, too.
      keepFound(state.snapshot)
    } catch (error) {
      // What is refused is not asked for again.
      if (isNone(error)) whole.add(mine)
      else if (state.line === "live") return retry(() => { this.isAsking = false; changed() })
    }
    this.isAsking = false
    changed()
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.all) return
    look()
    const isBack = state.line === "live" && this.line !== "live"
    this.line = state.line
    if (isBack && this.list && this.shown === this.list) this.belong(this.list)
    if (this.list && !this.isAsking && line === "live" && !isWhole(this.list)) this.find()
    const lists = snapshot.lists ?? [], list = lists.find(one => one.id === this.list)
    show(this.overview, !this.list)
    show(this.one, this.list)
    if (this.list) return list ? this.show(list) : this.gone()
    sync(this.all, [...lists].sort((a, b) => (a.id < b.id ? 1 : -1)), one => one.id,
      one => h("li", {}, h("a", { class: "row", href: `#/lists/${one.id}` }, h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })))),
      (row, one) => {
        const all = items(one.id), open = all.filter(item => !item.ticked).length
        say(row.querySelector("strong"), one.name)
        say(row.querySelector(".soft"), [t(`list.kind.${one.kind}`), !isWhole(one.id) ? null : open ? t("list.open", { n: open }) : t(all.length ? "list.all-done" : "list.blank")].filter(Boolean).join(" · "))
      })
    const isGuest = member(snapshot.me)?.role === "guest"
    show(this.new, !isGuest)
    say(this.none, t(line === "away" ? "line.unknown" : isGuest ? "list.none-guest" : "list.none"))
    show(this.none, !lists.length && line !== "starting")
  }

  /** A list that is not there: that it is gone is known only while there is a line. */
  gone() {
    const why = { live: "list.gone", away: "line.unknown" }[state.line] ?? "line.starting"
    if (this.shown !== why) fill(this.one, h("p", { class: "empty" }, t(why)), h("a", { href: "#/lists" }, t("list.back")))
    this.shown = why
  }

  show(list) {
    if (this.shown !== list.id) { this.build(list); this.belong(list.id) }
    say(this.heading, list.name)
    const all = items(list.id), open = sections(list, all.filter(one => !one.ticked))
    sync(this.open_, open, one => one.section, () => h("section", {}, h("h2"), h("ul", { class: "rows items" })), (part, one) => {
      say(part.querySelector("h2"), one.section)
      show(part.querySelector("h2"), one.section)
      sync(part.querySelector("ul"), one.items, item => item.id, item => row(list.id, item.id), write)
    })
    const done = all.filter(one => one.ticked).sort((a, b) => ((a.tickedAt ?? "") < (b.tickedAt ?? "") ? 1 : -1))
    sync(this.done.querySelector("ul"), done, item => item.id, item => row(list.id, item.id), write)
    say(this.done.querySelector("summary"), t("list.done", { n: done.length }))
    show(this.done, done.length)
    // What had no room in the snapshot is not here yet.
    const isPart = !isWhole(list.id)
    say(this.empty, t(isPart ? (state.line === "away" ? "line.unknown" : "line.starting") : all.length ? "list.all-done" : "list.empty"))
    show(this.empty, isPart || !open.length)
    const mine = new Set(all.filter(one => !one.ticked).map(one => one.text.toLowerCase()))
    const known = [...new Set([...this.lore?.values() ?? [], ...state.snapshot.listItems ?? []].map(one => one.text))].filter(text => !mine.has(text.toLowerCase())).slice(0, 200)
    if (this.known !== known.join("\n")) {
      this.known = known.join("\n")
      fill(this.suggestions, known.map(value => h("option", { value })))
    }
  }

  /** What else stood on lists in sight, beside what the snapshot has, and begins as what is typed; with its section. */
  suggest(list, words) {
    clearTimeout(this.suggesting)
    if (words.length < 2 || state.line !== "live") return
    this.suggesting = setTimeout(async () => {
      try {
        const { suggestions } = await asked("item.suggest", { words: words.slice(0, 100), kind: list.kind })
        if (this.shown !== list.id) return
        this.lore = new Map(suggestions.map(one => [one.text.toLowerCase(), one]))
        changed()
      } catch { /* What is here is suggested. */ }
    }, 250)
  }

  /** The section where something stood last, on this list before others, as far as this list has such a one. */
  sectionOf(list, text) {
    const { sections: all } = state.snapshot.lists.find(one => one.id === list) ?? { sections: [] }, such = one => one.text.toLowerCase() === text.toLowerCase() && all.includes(one.section)
    const items = (state.snapshot.listItems ?? []).filter(such)
    return (items.find(one => one.list === list) ?? items[0] ?? [...this.lore?.values() ?? []].find(such))?.section
  }

  connected(isOn) {
    this.hear ??= ({ detail }) => { if (detail.type === "list.tied" ? detail.data.list === this.list : this.list && this.about?.startsWith(`${detail.type.split(".")[0]}/`)) this.belong(this.list) }
    if (isOn) addEventListener("kin-event", this.hear)
    else removeEventListener("kin-event", this.hear)
  }

  disconnectedCallback() { this.connected(false) }

  /** What the list belongs to: asked for, since only who sees both is told. */
  async belong(id) {
    let one, seen
    try {
      ({ list: one } = await asked("list.show", { list: id }))
      seen = one.about ? await looked(one.about) : null
    } catch { return }
    if (this.shown !== id) return
    this.about = one.about
    this.notice.tell(one.notified === true)
    fill(this.tie, seen ? [h("a", { class: "grow", href: seen.href }, t("list.belongs", { thing: titled(seen) })),
      one.owner === state.snapshot.me || member(state.snapshot.me)?.role === "admin"
        ? button(t("list.untie"), () => act("list.update", { list: id, about: null }, { mayWait: false }), { class: "quiet small", id: "untie" }) : null] : [])
    show(this.tie, seen)
  }

  build(list) {
    this.shown = list.id
    this.about = null
    this.tie = h("p", { class: "row", id: "list-belongs", hidden: true })
    this.notice = notices(list)
    this.known = ""
    this.lore = null
    this.heading = h("h1")
    this.open_ = h("div", { class: "stack" })
    this.empty = h("p", { class: "empty" })
    this.suggestions = h("datalist", { id: "known-items" })
    const input = h("input", { id: "add-item", list: "known-items", maxlength: textMax, autocomplete: "off", enterkeyhint: "done",
      placeholder: t("list.add-hint"), "aria-label": t("list.add") })
    const key = `kinwire.list.${list.id}`
    input.value = ofTab.getItem(key) ?? ""
    const add = text => {
      const lines = text.split(/\n/).map(one => one.replace(/^[\s\-*•]+/, "").trim()).filter(Boolean)
      if (!lines.length) return input.focus()
      const all = items(list.id)
      put(list.id, lines.map((line, at) => {
        const said = written(line), old = all.find(one => one.ticked && !one.isGoingOn && one.text.toLowerCase() === said.text.toLowerCase())
        // What was bought before is wanted again.
        const section = old ? null : this.sectionOf(list.id, said.text)
        return old ? { id: old.id, ...said, ticked: false } : { id: newId(at), ...said, ...(section ? { section } : {}) }
      }))
      input.value = ""
      ofTab.removeItem(key)
      input.focus()
    }
    input.onkeydown = event => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); add(input.value) } }
    input.oninput = () => { ofTab.setItem(key, input.value); this.suggest(list, written(input.value).text) }
    // Several lines are several items.
    input.onpaste = event => {
      const text = event.clipboardData?.getData("text") ?? ""
      if (text.trim().includes("\n")) { event.preventDefault(); add(text) }
    }
    this.done = h("details", { class: "done" }, h("summary"), h("ul", { class: "rows items" }),
      button(t("list.clear"), () => {
        const gone = items(list.id).filter(one => one.ticked && !one.isGoingOn).map(one => one.id).slice(0, perCall)
        const mine = { method: "item.remove", params: { list: list.id, items: gone } }
        undoable(t("list.cleared", { n: gone.length }), "item.remove", mine.params, () => { flying.add(mine); changed() },
          () => { flying.delete(mine); changed() })
        setTimeout(() => { flying.delete(mine); changed() }, 9_000)
      }, { class: "danger small", id: "clear-ticked" }))
    fill(this.one, h("div", { class: "bar" }, h("a", { href: "#/lists" }, t("list.back")),
      this.notice, button(t("list.settings"), () => settings(state.snapshot.lists.find(one => one.id === list.id)), { class: "quiet small", id: "list-settings" })),
    this.heading, this.tie, h("div", { class: "say" }, input, this.suggestions, button(t("list.add"), () => add(input.value), { class: "small" })),
    this.open_, this.empty, this.done)
  }
}
customElements.define("kin-lists", Lists)

/** Whether one is told in the inbox of what changes on a list. The button is there once that is known. */
function notices(list) {
  const it = h("button", { type: "button", class: "quiet small", id: "list-notify" })
  it.tell = isOn => {
    say(it, t(isOn ? "list.notify.off" : "list.notify.on"))
    it.onclick = async () => {
      const result = await act("list.notify", { list: list.id, on: !isOn }, { mayWait: false })
      if (!result) return
      it.tell(!isOn)
      told(t(isOn ? "list.notified.off" : "list.notified.on", { list: list.name }))
    }
    show(it, true)
  }
  show(it, false)
  return it
}

/** One tap ticks; the rest is behind a button of its own. */
function row(list, id) {
  const now = () => items(list).find(one => one.id === id)
  const item = h("li", { class: "row item" },
    h("button", { type: "button", class: "tick", role: "checkbox", onclick: () => { const one = now(); if (one) tick(list, one) } },
      h("span", { class: "box", "aria-hidden": "true" }), h("span", { class: "grow" }, h("span", { class: "text" }), h("span", { class: "soft" }))),
    h("button", { type: "button", class: "quiet small edit", onclick: () => { const one = now(); if (one) edit(list, one) } }, "…"))
  swiped(item, isRight => {
    const one = now()
    if (!one) return
    if (isRight) tick(list, one)
    else edit(list, one)
  })
  return item
}

/** A finger that goes sideways over a row does what its two buttons do. The row pales where letting go does it. */
function swiped(row, then) {
  let from = null
  const far = event => (from && event.pointerId === from.pointerId ? event.clientX - from.clientX : 0)
  const isFar = event => Math.abs(far(event)) > 60
  const end = () => { from = null; row.style.opacity = "" }
  // Up and down it scrolls as ever.
  row.style.touchAction = "pan-y"
  row.addEventListener("pointerdown", event => { end(); if (event.pointerType === "touch" && event.isPrimary) from = event })
  row.addEventListener("pointermove", event => { if (from) row.style.opacity = isFar(event) ? "0.5" : "" })
  row.addEventListener("pointercancel", end)
  row.addEventListener("pointerup", event => {
    const by = far(event), does = isFar(event)
    end()
    if (!does) return
    // The swipe was no tap.
    const swallow = click => { click.stopPropagation(); click.preventDefault() }
    addEventListener("click", swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0)
    then(by > 0)
  })
}

function write(element, one) {
  const tick = element.querySelector(".tick")
  set(tick, { "aria-checked": one.ticked ? "true" : "false" })
  say(element.querySelector(".text"), [one.text, amount(one)].filter(Boolean).join(" · "))
  const word = wordOf(one.repeat)
  const soft = [one.member ? (one.repeat && one.turns?.length ? t("list.turn", { name: name(one.member) }) : name(one.member)) : null,
    one.due ? t("list.due", { day: dayOf(one.due) }) : null, word === "" ? null : word ? t(`cal.repeat.${word}`) : t("cal.repeat.custom", { rule: one.repeat }), one.note,
    one.ticked && one.tickedBy ? t("list.by", { name: name(one.tickedBy) }) : null]
  const said = element.querySelector(".soft")
  say(said, soft.filter(Boolean).join(" · "))
  show(said, said.textContent)
  set(element.querySelector(".edit"), { "aria-label": t("list.edit", { item: one.text }) })
}

/** A list itself, new or not. */
const settings = list => lazily(() => import("./list-settings.js"), all => all.settings(list))

/** Everything about an item. */
async function edit(list, one) {
  const of = state.snapshot.lists.find(found => found.id === list)
  await ask(one.text, close => {
    const text = h("input", { maxlength: textMax, required: true, id: "item-text" })
    text.value = [amount(one), one.text].filter(Boolean).join(" ")
    const section = h("input", { maxlength: 40, list: "list-sections", autocomplete: "off", id: "item-section" })
    section.value = one.section ?? ""
    const note = h("textarea", { rows: 2, maxlength: 500, id: "item-note" })
    note.value = one.note ?? ""
    const due = h("input", { type: "date", id: "item-due" })
    due.value = one.due ?? ""
    const who = h("select", { id: "item-who" }, h("option", { value: "" }, t("list.nobody")),
      people().map(person => h("option", { value: person.id, selected: person.id === one.member }, person.displayName)))
    const word = wordOf(one.repeat)
    const repeat = h("select", { id: "item-repeat" }, ["", ...often, ...(word === null ? ["as-it-is"] : [])].map(value =>
      h("option", { value, selected: value === (word ?? "as-it-is") }, t(`cal.repeat.${value || "none"}`))))
    const before = inTurn(one), turns = inTurn(one), row = h("ul", { class: "rows", id: "item-turns" })
    const takes = h("select", { id: "item-takes", "aria-label": t("list.turns-add"), onchange: () => {
      if (takes.value) turns.push(takes.value)
      drawTurns()
    } })
    const drawTurns = () => {
      fill(row, turns.map((id, at) => h("li", { class: "row" }, h("span", { class: "grow" }, name(id)),
        at ? h("button", { type: "button", class: "quiet small", "aria-label": t("list.turns-up", { name: name(id) }), onclick: () => { turns.splice(at - 1, 0, ...turns.splice(at, 1)); drawTurns(); if (at > 1) row.children[at - 1].querySelector("button").focus() } }, "↑") : null,
        h("button", { type: "button", class: "quiet small", "aria-label": t("list.turns-out", { name: name(id) }), onclick: () => { turns.splice(at, 1); drawTurns() } }, "×"))))
      fill(takes, h("option", { value: "" }, t("list.turns-add")), people().filter(person => !turns.includes(person.id)).map(person => h("option", { value: person.id }, person.displayName)))
      takes.value = ""
      show(whoField, !(turns.length && repeat.value))
    }
    const whoField = field(t("list.who"), who)
    repeat.onchange = () => { show(inTurns, repeat.value); drawTurns() }
    const inTurns = h("fieldset", {}, h("legend", {}, t("list.turns"), " "), row, takes)
    show(inTurns, one.repeat)
    drawTurns()
    const skip = () => { put(list, [{ id: one.id, turns: [...before.slice(1), before[0]] }]); close(null) }
    const move = by => {
      const all = items(list).filter(item => !item.ticked && (item.section ?? "") === (one.section ?? "")).sort(byPlace)
      const at = all.findIndex(item => item.id === one.id), to = at + by
      if (at < 0 || to < 0 || to >= all.length) return close(null)
      const [before, after] = by < 0 ? [all[to - 1], all[to]] : [all[to], all[to + 1]]
      const order = between(before ? place(before) : null, after ? place(after) : null)
      if (order) put(list, [{ id: one.id, order }])
      close(null)
    }
    return h("form", { onsubmit: event => {
      event.preventDefault()
      const { text: says, amount: much = null, unit = null } = written(text.value)
      if (!says) return text.focus()
      const now = { text: says, amount: much, unit, section: section.value.trim() || null, note: note.value.trim() || null,
        due: due.value || null, ...(turns.length && repeat.value ? {} : { member: who.value || null }) }
      // Only what is another: of the rest what others said meanwhile stands.
      const said = Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== (one[key] ?? null)))
      if (repeat.value !== (word ?? "as-it-is")) Object.assign(said, { repeat: repeat.value || null, due: due.value || (repeat.value ? today() : null) })
      if (turns.join() !== before.join()) said.turns = turns.length ? turns : null
      if (Object.keys(said).length) put(list, [{ id: one.id, ...said }])
      close(null)
    } },
    field(t("list.text"), text, t("list.text-hint")), field(t("list.section"), section),
    h("datalist", { id: "list-sections" }, of.sections.map(value => h("option", { value }))),
    field(t("list.note"), note), whoField, field(t("list.due-label"), due), field(t("cal.repeat"), repeat), inTurns,
    one.repeat && one.done ? h("p", { class: "row" }, h("span", { class: "grow soft" }, t("list.done-last", { day: dayOf(one.done), name: name(one.tickedBy) })),
      h("button", { type: "button", class: "quiet small", id: "item-undone", onclick: () => { tick(list, { ...one, isGoingOn: false }, false); close(null) } }, t("list.take-back"))) : null,
    one.repeat && before.length > 1 ? h("p", { class: "row" }, h("span", { class: "grow soft" }, t("list.turn", { name: name(before[0]) })),
      h("button", { type: "button", class: "quiet small", id: "item-skip", onclick: skip }, t("list.skip"))) : null,
    one.ticked ? null : h("div", { class: "actions" }, h("button", { type: "button", class: "quiet small", onclick: () => move(-1) }, t("list.up")),
      h("button", { type: "button", class: "quiet small", onclick: () => move(1) }, t("list.down"))),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
      h("button", { type: "button", class: "danger", onclick: () => {
        close(null)
        const mine = { method: "item.remove", params: { list, items: [one.id] } }
        undoable(t("list.taken", { item: one.text }), "item.remove", mine.params, () => { flying.add(mine); changed() },
          () => { flying.delete(mine); changed() })
        setTimeout(() => { flying.delete(mine); changed() }, 9_000)
      } }, t("list.take"))))
  })
}
