// SPDX-License-Identifier: Apache-2.0
// The family's calendar: a month, a week, a day, what is on, a year, the wall's planner; what is searched for; and which
// calendars there are. It asks for what it shows, and anew when an event says that something is another.

import { act, acted, asked, button, field, isNone, retry, lazily, told, why } from "./base.js"
import { daysBetween, isDay, later, longDay, monthOf, monthTitle, plus, plusMonths, range, today, weekOf } from "./calendar-days.js"
import { movable } from "./calendar-drag.js"
import { calendarName, categoryName, isMany, scopeOf, showEntry } from "./calendar-entry.js"
import * as views from "./calendar-views.js"
import { fill, h, say, set, show } from "./dom.js"
import { hearers, me, people, settings, state } from "./state.js"
import { isShared, ofBrowser, ofTab } from "./store.js"
import { t, zoneName } from "./words.js"

/** Calendars that are left out on all of one's devices, by a setting; others on this one alone. */
const leavable = ["toDecide", "birthdays"]
const names = ["month", "week", "day", "agenda", "year", "wall"], agendaDays = 30, pageMost = 200, pagesMost = 25, hearMs = 150
const kept = isShared ? ofTab : ofBrowser
const remembered = (key, otherwise) => { try { return JSON.parse(kept.getItem(`kinwire.calendar.${key}`)) ?? otherwise } catch { return otherwise } }
const remember = (key, value) => { try { kept.setItem(`kinwire.calendar.${key}`, JSON.stringify(value)) } catch { /* It is chosen anew. */ } }

/** What is asked of the daemon at once is loaded when somebody asks for it. */
const ofSettings = use => lazily(() => import("./calendar-settings.js"), use)
const ofFiles = use => lazily(() => import("./calendar-files.js"), use)

/** What stands in others is made, or comes from outside: it reminds of nothing by itself. */
const mayRemind = one => ["family", "household", "personal", "added"].includes(one.kind) && one.right !== "busy"

class Calendar extends HTMLElement {
  connectedCallback() {
    addEventListener("kin-event", this.hear)
    hearers.add(this.renew)
    if (this.body) return this.ask()
    Object.assign(this, { isOpening: true, view: names.includes(remembered("view")) ? remembered("view") : "month", day: today(), length: agendaDays, calendars: [], categories: [],
      without: new Set(remembered("without", [])), gone: new Set(), found: null, search: null })
    this.heading = h("h2", { "aria-live": "polite", id: "calendar-title" })
    this.choice = h("div", { class: "views", role: "group", "aria-label": t("cal.views") }, names.map(one =>
      h("button", { type: "button", class: "quiet small", "data-view": one, onclick: () => this.go(this.day, one) }, t(`cal.view.${one}`))))
    const step = (by, label, text) => h("button", { type: "button", class: "quiet small", "data-step": by, "aria-label": t(label), onclick: () => this.step(by) }, text)
    this.steps = h("div", { class: "bar steps" }, this.heading, step(-1, "cal.before-this", "‹"), step(1, "cal.after-this", "›"),
      h("button", { type: "button", class: "quiet small", id: "calendar-today", onclick: () => this.go(today()) }, t("cal.today")))
    this.wrong = h("p", { class: "empty", role: "status", hidden: true })
    this.body = h("div", { id: "calendar-body" })
    this.hint = h("p", { class: "hint", hidden: true }, t("cal.move-hint"))
    this.searching = h("details", { class: "done", id: "calendar-search" }, h("summary", {}, t("cal.search")), this.searchForm())
    this.sources = h("details", { class: "done", id: "calendar-sources" }, h("summary", {}, t("cal.calendars")))
    this.append(h("div", { class: "bar" }, h("h1", {}, t("tab.calendar")), this.adding = h("button", { type: "button", class: "small", id: "new-entry", onclick: () => this.add(this.day) }, t("cal.new"))),
      this.choice, this.steps, this.wrong, this.body, this.hint, this.searching, this.sources)
    movable(this.body, (key, to) => this.drop(key, to), (key, by) => this.nudge(key, by))
    this.ask()
  }

  disconnectedCallback() { removeEventListener("kin-event", this.hear); hearers.delete(this.renew) }

  /** With a new snapshot everything may be another. */
  renew = event => { if (event === null) { this.hasCalendars = false; this.ask() } }

  hear = ({ detail: { type } }) => {
    if (type === "settings.changed") {
      if (this.hasCalendars) this.drawSources()
      this.draw()
      return this.ask()
    }
    if (type === "entry.reminded" || !/^(entry|calendar|category|household|member)\./.test(type)) return
    clearTimeout(this.timer)
    if (type.startsWith("entry.") === false) this.hasCalendars = false
    this.timer = setTimeout(() => this.ask(), hearMs)
  }

  open(id) {
    if (!id || this.opened === id) return
    this.opened = id
    if (isDay(id)) { if (this.body) this.go(id); else this.day = id } else this.openEntry(id)
  }

  /** One that somebody was led to, with the first of its occurrences that is not over. */
  async openEntry(id) {
    this.sought = null
    try {
      const { entry } = await asked("entry.show", { entry: id }), from = entry.times.start.slice(0, 10)
      for (const first of [today() > from ? today() : from, from]) {
        const answer = await asked("entry.list", { from: first, to: plus(first, 390), zone: zoneName(), calendars: [entry.calendar] })
        const item = views.placed({ ...answer, busy: [], birthdays: [] }, this.calendars).find(one => one.entry.id === id)
        if (item) { this.go(item.first); return this.openItem(item) }
      }
    } catch (error) {
      // That it is gone only the daemon knows: it is asked when it is reached.
      if (isNone(error)) return told(t("cal.gone"), { isWrong: true })
      if (state.line !== "live") this.sought = id
      else retry(() => { if (this.opened === id) { this.sought = id; this.update(state) } })
      if (state.line === "away") told(why(error), { isWrong: true })
    }
  }

  update({ line }) {
    if (line === "live" && this.sought) this.openEntry(this.sought)
    if (!this.body) return
    if (line === "live" && this.line !== "live") this.ask()
    this.line = line
    if (this.drawnOn !== today()) this.draw()
  }

  // What is shown ---------------------------------------------------------------------------------------------------

  /** From which day to which, the last not counted. */
  span() {
    const { day } = this, first = monthOf(day)
    return { month: [weekOf(first), plus(weekOf(first), 42)], week: [weekOf(day), plus(weekOf(day), 7)], day: [day, plus(day, 1)], agenda: [day, plus(day, this.length)],
      year: [`${day.slice(0, 4)}-01-01`, `${Number(day.slice(0, 4)) + 1}-01-01`], wall: [first, plusMonths(first, 1)] }[this.view]
  }

  go(day, view = this.view) {
    const isOther = view !== this.view
    Object.assign(this, { day, view, search: null })
    if (isOther) { remember("view", view); this.length = agendaDays; this.isOpening = true }
    this.draw()
    this.ask()
  }

  /** A day of the month that is shown already is shown at once. */
  pick(day) {
    const isSame = day.slice(0, 7) === this.day.slice(0, 7)
    if (!isSame) return this.go(day)
    this.day = day
    this.draw()
  }

  step(by) {
    const { day, view } = this
    this.go(view === "month" || view === "wall" ? plusMonths(day, by) : view === "year" ? plusMonths(day, 12 * by) : plus(day, by * { week: 7, day: 1, agenda: this.length }[view]))
  }

  question() { return JSON.stringify([this.view === "year" && !this.search, this.search ?? this.span(), zoneName()]) }

  /** Asks for what is to be shown, one question at a time. */
  async ask() {
    if (this.isAsking) { this.isStale = true; return }
    this.isAsking = true
    const question = this.question()
    try {
      if (!this.hasCalendars) {
        const [{ calendars, shared, reminders, subscribed, outside }, { categories }] = await Promise.all([asked("calendar.list", {}), asked("category.list", {})])
        Object.assign(this, { calendars, shared, reminders, subscribed, outside, categories, hasCalendars: true })
        this.drawSources()
      }
      const [from, to] = this.span(), zone = zoneName(), calendars = this.shown()
      const when = { from, to: plus(to, -1), zone, ...(calendars ? { calendars } : {}) }
      let found
      if (this.search) found = await this.pages({ ...this.search, zone })
      else if (this.view === "year") found = { days: await this.markedDays(when), occurrences: [], entries: [], busy: [], birthdays: [] }
      else found = await this.pages(when)
      if (question === this.question()) Object.assign(this, { found, foundFor: question, isMissing: null })
    } catch (error) {
      this.isMissing = why(error, this.found ? "cal.as-it-was" : "line.unknown")
    } finally {
      this.isAsking = false
      this.draw()
      if (this.isStale || question !== this.question() && !this.isMissing) { this.isStale = false; this.ask() }
    }
  }

  /** Where there is very much in a year, its days come in pages. */
  async markedDays(params) {
    const all = []
    for (let after = null, page = 0; page < pagesMost; page += 1) {
      const answer = await asked("entry.days", { ...params, ...(after ? { after } : {}) })
      all.push(...answer.days)
      if (!(after = answer.next)) break
    }
    return all
  }

  async pages(params) {
    const all = { occurrences: [], entries: [], busy: [], birthdays: [] }, known = new Set()
    let after = null
    for (let page = 0; page < pagesMost; page += 1) {
      const answer = await asked("entry.list", { ...params, limit: pageMost, ...(after ? { after } : {}) })
      all.occurrences.push(...answer.occurrences)
      all.busy.push(...answer.busy)
      all.birthdays.push(...answer.birthdays ?? [])
      for (const one of answer.entries) if (!known.has(one.id)) { known.add(one.id); all.entries.push(one) }
      if (!(after = answer.next)) break
    }
    return all
  }

  isOut(one) { return leavable.includes(one.kind) ? (settings().leftOut ?? []).includes(one.kind) : this.without.has(one.id) }

  /** The calendars that are not left out; null where the setting alone says so. */
  shown() { return this.calendars.some(one => !leavable.includes(one.kind) && this.isOut(one)) ? this.calendars.filter(one => !this.isOut(one)).map(one => one.id) : null }

  async leave(one, isOut) {
    if (!leavable.includes(one.kind)) {
      this.without[isOut ? "add" : "delete"](one.id)
      remember("without", [...this.without])
      this.draw()
      return this.ask()
    }
    const rest = (settings().leftOut ?? []).filter(kind => kind !== one.kind)
    await act("settings.set", { leftOut: isOut ? [...rest, one.kind] : rest })
    this.drawSources()
  }

  /** Those into which one may write. */
  writable() { return this.calendars.filter(one => ["write", "own"].includes(one.right) && one.kind !== "subscribed") }

  look() {
    const items = views.placed(this.found ?? { occurrences: [], entries: [], busy: [], birthdays: [] }, this.calendars)
      .filter(one => !this.gone.has(one.key) && !this.gone.has(one.entry?.id) && !(one.calendar && this.isOut(one.calendar)))
    this.items = new Map(items.map(one => [one.key, one]))
    return { items, isFound: this.foundFor === this.question(), day: this.day, days: this.found?.days ?? [], length: this.length, calendars: this.calendars, reminders: this.reminders, shared: this.shared, categories: this.categories, mayAdd: me()?.role !== "guest",
      openItem: item => this.openItem(item), add: (day, minutes) => this.add(day, minutes), go: (day, view) => this.go(day, view), pick: day => this.pick(day),
      answer: (item, answer, isAll, note) => this.answer(item, answer, isAll, note), longer: () => { this.length += agendaDays; this.ask() }, mayMove: item => this.mayChange(item),
      writable: () => this.writable(),
      hide: (item, scope) => { this.gone.add(scope === "this" ? item.key : item.entry.id); this.draw() },
      unhide: item => { this.gone.delete(item.key); this.gone.delete(item.entry.id); this.draw() } }
  }

  draw() {
    if (!this.body) return
    this.drawnOn = today()
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null, key = focused?.dataset.key, entry = this.focusEntry ?? focused?.dataset.entry
    const scrolls = new Map([...this.body.querySelectorAll("[data-scroll]")].map(one => [`${this.drawnView}/${one.dataset.scroll}`, [one.scrollLeft, one.scrollTop]]))
    const look = this.look(), name = this.search ? "results" : this.view
    for (const one of this.choice.children) set(one, { "aria-pressed": String(!this.search && one.dataset.view === this.view) })
    const [from, to] = this.span()
    say(this.heading, this.search ? t("cal.found", { n: look.items.length }) : { month: () => monthTitle(this.day), wall: () => monthTitle(this.day), year: () => this.day.slice(0, 4), day: () => longDay(this.day),
      week: () => range(from, plus(to, -1)), agenda: () => range(from, plus(to, -1)) }[this.view]())
    for (const one of this.steps.querySelectorAll("[data-step]")) show(one, !this.search)
    say(this.wrong, this.isMissing ?? (!this.found ? t("line.starting") : look.isFound && this.search && !look.items.length ? t("cal.none-found") : ""))
    show(this.wrong, this.wrong.textContent)
    fill(this.body, this.found || name !== "year" ? views[name](look) : [])
    show(this.adding, look.mayAdd && look.writable().length)
    show(this.hint, !this.search && look.items.some(one => this.mayChange(one)) && ["month", "week", "day", "wall"].includes(this.view))
    for (const one of this.body.querySelectorAll("[data-scroll]")) {
      const at = scrolls.get(`${name}/${one.dataset.scroll}`)
      if (at) [one.scrollLeft, one.scrollTop] = at
      else if (one.dataset.scroll === "hours") views.scrollTo(one)
    }
    this.drawnView = name
    // A year and the wall's planner open at today.
    if (this.isOpening && this.found && ["year", "wall"].includes(name)) this.body.querySelector(".today")?.scrollIntoView({ block: "center" })
    if (this.found) this.isOpening = false
    const find = selector => selector && this.body.querySelector(selector)
    const back = this.focusEntry ? find(`[data-entry="${this.focusEntry}"]`) : key && (find(`[data-key="${CSS.escape(key)}"]`) ?? find(entry && `[data-entry="${entry}"]`))
    back?.focus({ preventScroll: true })
    this.focusEntry = null
  }

  // What is done ----------------------------------------------------------------------------------------------------

  mayChange({ entry, calendar, isBusy }) {
    if (isBusy || entry.meeting || calendar?.kind === "subscribed") return false
    return entry.owner === state.snapshot.me || me()?.role === "admin" || ["write", "own"].includes(calendar?.right)
  }

  async openItem(item) { await showEntry(item, this.look()) }

  add(day, minutes = 1080) {
    const time = later(`${day}T00:00`, minutes), end = later(time, 60)
    return lazily(() => import("./calendar-form.js"), all => all.newEntry({ startDay: day, startTime: time.slice(11), endDay: end.slice(0, 10), endTime: end.slice(11) }, this.look()))
  }

  /** One tap answers this one; all of it is answered where that is asked for. What one said beside it stays where nothing else is said. Answers whether it was taken, or waits. */
  async answer(item, answer, isAll = false, note = item.entry.invitees.find(one => one.member === state.snapshot.me)?.note) {
    const more = isMany(item.entry) && !isAll ? { occurrence: item.one.occurrence } : note ? { note } : {}
    return acted("entry.answer", { entry: item.entry.id, answer, ...more })
  }

  drop(key, { day, minutes }) {
    const item = this.items.get(key)
    if (!item) return
    const days = daysBetween(item.first, day), by = minutes === null || item.isAllDay ? 0 : minutes - item.from
    this.move(item, days * 1440 + by)
  }

  nudge(key, { days = 0, minutes = 0 }) { const item = this.items.get(key); if (item) this.move(item, days * 1440 + minutes) }

  async move(item, minutes) {
    if (!minutes) return
    const { entry, one } = item, scope = isMany(entry) ? await scopeOf(t("cal.moving", { entry: item.subject })) : "all"
    if (!scope) return
    const start = later(one.starts, minutes)
    const answer = await act("entry.update", { entry: entry.id, scope, occurrence: one.occurrence, start }, { mayWait: false })
    if (!answer) return
    this.focusEntry = answer.entry.id
    const back = scope === "this" ? { occurrence: one.occurrence } : isMany(entry) ? null : { occurrence: start }
    told(t("cal.moved", { entry: item.subject }), { button: back ? button(t("act.undo"), () =>
      act("entry.update", { entry: entry.id, scope, ...back, start: one.starts }, { mayWait: false }), { class: "quiet small" }) : null })
    this.ask()
  }

  // What is searched for --------------------------------------------------------------------------------------------

  searchForm() {
    const words = h("input", { type: "search", name: "words", maxlength: 100, autocomplete: "off", id: "calendar-words" })
    const [from, to] = ["from", "to"].map(name => h("input", { type: "date", name }))
    from.value = plus(today(), -30)
    to.value = plus(today(), 360)
    const whose = h("div", { class: "ticks" }), kinds = h("div", { class: "ticks" }), toField = field(t("cal.search-to"), to)
    const draw = () => {
      const check = (name, value, text) => h("label", { class: "check" }, h("input", { type: "checkbox", name, value }), text)
      fill(whose, people().map(one => check("members", one.id, one.displayName)))
      fill(kinds, this.categories.map(one => check("categories", one.name, [views.signOf(one.name, this.categories), categoryName(one.name)].filter(Boolean).join(" "))))
    }
    const form = h("form", { onsubmit: event => {
      event.preventDefault()
      toField.refuse(null)
      if (!isDay(from.value) || !isDay(to.value) || to.value < from.value) return toField.refuse(t("cal.search-order"))
      const chosen = name => [...form.querySelectorAll(`[name=${name}]:checked`)].map(one => one.value)
      const many = { members: chosen("members"), categories: chosen("categories") }
      this.search = { from: from.value, to: to.value, ...(words.value.trim() ? { words: words.value.trim() } : {}), ...(many.members.length ? { members: many.members } : {}),
        ...(many.categories.length ? { categories: many.categories } : {}) }
      this.found = null
      this.ask().then(() => this.steps.scrollIntoView({ block: "start" }))
    } }, field(t("cal.search-words"), words), h("div", { class: "from-to" }, field(t("cal.search-from"), from), toField),
    h("fieldset", {}, h("legend", {}, t("cal.search-members")), whose), h("fieldset", {}, h("legend", {}, t("cal.search-categories")), kinds),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("cal.search-do")), h("button", { type: "button", class: "quiet", onclick: () => this.go(this.day) }, t("cal.search-end"))))
    queueMicrotask(() => { this.searching.ontoggle = () => { if (this.searching.open && !whose.firstChild) draw() } })
    return form
  }

  /** Why a calendar from outside is not read any more. */
  trouble(one) {
    const why = this.subscribed?.find(each => each.calendar === one.id)?.trouble
    return why ? h("p", { class: "note" }, t(`calendar.trouble.${why}`)) : null
  }

  // Which calendars there are ---------------------------------------------------------------------------------------

  drawSources() {
    const open = this.sources.open
    fill(this.sources, h("summary", {}, t("cal.calendars")), h("div", { class: "rows" }, this.calendars.map((one, at) => h("div", { class: "row" },
      h("label", { class: "check grow" }, h("input", { type: "checkbox", "data-calendar": one.kind, checked: !this.isOut(one), onchange: event => this.leave(one, !event.target.checked) }), mark(one, at), calendarName(one)),
      one.right === "own" ? h("button", { type: "button", class: "quiet small", "aria-label": t("cal.settings-of", { calendar: calendarName(one) }), onclick: () => ofSettings(all => all.calendarSettings(one, this)) }, "…")
        : h("span", { class: "soft" }, t(`cal.right.${one.right}`)),
      mayRemind(one) ? button("⏰", () => ofSettings(all => all.ownReminders(one, this)), { class: "quiet small", "data-do": "remind-by", "aria-label": t("cal.reminders-of", { calendar: calendarName(one) }) }) : null,
      this.trouble(one)))),
    h("p", { class: "hint" }, t("cal.leave-out-hint")),
    h("div", { class: "actions" }, me()?.role === "guest" ? null : h("button", { type: "button", class: "quiet small", id: "new-calendar", onclick: () => ofSettings(all => all.calendarSettings(null, this)) }, t("cal.new-calendar")),
      me()?.role === "guest" ? null : h("button", { type: "button", class: "quiet small", id: "new-outside", onclick: () => lazily(() => import("./calendar-outside.js"), all => all.subscribe(this)) }, t("cal.outside")),
      me()?.role === "guest" || !this.writable().length ? null : button(t("cal.import"), () => ofFiles(all => all.takeIn(this)), { class: "quiet small", id: "calendar-import" }),
      button(t("cal.export"), () => ofFiles(all => all.takeOut(this)), { class: "quiet small", id: "calendar-export" }),
      button(t("cal.feeds"), () => ofFiles(all => all.feeds(this)), { class: "quiet small", id: "calendar-feeds" }),
      me()?.role === "admin" ? h("button", { type: "button", class: "quiet small", id: "categories", onclick: () => ofSettings(all => all.categories(this)) }, t("cal.categories")) : null,
      button(t("cal.bin"), () => ofSettings(all => all.bin()), { class: "quiet small", id: "calendar-bin" })))
    this.sources.open = open
  }
}
customElements.define("kin-calendar", Calendar)

function mark(one, at) {
  const element = h("i", { class: "swatch", "data-hue": String(at % 8), "aria-hidden": "true" })
  if (one.color) element.style.setProperty("--mark", one.color)
  return element
}
