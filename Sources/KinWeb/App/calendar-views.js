// SPDX-License-Identifier: Apache-2.0
// How a calendar looks: a month, a week or a day by the hour, a list, a year, and the wall's planner with a column for each member.
// Nothing here asks the daemon; what was pressed is told to the screen.

import { h } from "./dom.js"
import { date, dayAt, daysBetween, longDay, monthName, monthOf, plus, plusMonths, shortDay, today, weekOf, weekdayOf } from "./calendar-days.js"
import { now as present } from "./served.js"
import { member, people, state } from "./state.js"
import { name } from "./voice.js"
import { civil, clock, t } from "./words.js"

const dayMinutes = 1440, hourRem = 3

/** What every family has, as signs; own categories bring theirs. */
const signs = { celebration: "🎉", club: "👥", education: "🎓", medical: "🩺", music: "🎵", outing: "🥾", pets: "🐾", shopping: "🛒", sport: "⚽", vacation: "🏖", work: "💼" }
export const signOf = (category, categories) => (categories ?? []).find(one => one.name === category)?.icon ?? signs[category] ?? null
const colorOf = (category, categories) => (categories ?? []).find(one => one.name === category)?.color ?? null

/** What `entry.list` answered, each placed on the days of the reader's wall. */
export function placed({ occurrences, entries, busy, birthdays = [] }, calendars) {
  const known = new Map(entries.map(one => [one.id, one])), order = new Map(calendars.map((one, at) => [one.id, { ...one, hue: at % 8 }]))
  const place = (one, more) => {
    const start = Date.parse(one.start), end = Date.parse(one.end), to = end > start ? end - 1 : start
    const from = civil(start), until = civil(to)
    return { ...more, start, end, first: dayAt(start), last: dayAt(to), from: from.hour * 60 + from.minute, to: until.hour * 60 + until.minute + 1 }
  }
  return [
    ...occurrences.filter(one => known.has(one.entry)).map(one => {
      const entry = known.get(one.entry)
      return place(one, { key: `${one.entry}/${one.occurrence}`, one, entry, isAllDay: !entry.times.zone, subject: one.subject, calendar: order.get(entry.calendar) })
    }),
    ...birthdays.map(one => ({ key: `birthday/${one.member ?? one.contact}/${one.date}`, isBusy: true, isAllDay: true, start: 0, end: 0, first: one.date, last: one.date, from: 0, to: 0,
      member: one.member, subject: `🎂 ${t(one.years > 0 ? "calendar.birthday-years" : "calendar.birthday", { name: one.name, n: one.years })}`, calendar: calendars.find(each => each.kind === "birthdays") && order.get(calendars.find(each => each.kind === "birthdays").id) })),
    ...busy.map((one, at) => place(one, { key: `busy/${at}`, isBusy: true, subject: t("cal.busy"), calendar: order.get(one.calendar) })),
  ].sort((a, b) => (b.isAllDay ?? false) - (a.isAllDay ?? false) || a.start - b.start || (a.key < b.key ? -1 : 1))
}

const onDay = (items, day) => items.filter(one => one.first <= day && day <= one.last)

/** `18:00–19:30`, `all day`, and of what goes on for days when it begins, and until when it goes. */
export function times(item, day = item.first) {
  const until = t("cal.until", { time: date(item.last) })
  if (item.isAllDay) return item.first === item.last ? t("cal.all-day") : until
  const from = clock(civil(item.start)), to = clock(civil(item.end))
  if (item.first === item.last || item.end - item.start < 64_800_000) return item.end > item.start ? `${from}–${to}` : from
  return day === item.first ? `${t("cal.from", { time: from })} ${until}` : day === item.last ? t("cal.until", { time: to }) : until
}

const answerMarks = { accepted: "✓", tentative: "(✓)", declined: "✗", none: "?" }

/** When something begins, where there is no room for more. */
const begins = (item, day) => item.isAllDay ? null : day === item.first ? clock(civil(item.start)) : times(item, day)

/** One thing in a day: a button that opens it. */
function chip(item, day, screen, { isLong = false } = {}) {
  const time = times(item, day), hasStar = !item.one?.answer && !!item.entry?.stars.includes(state.snapshot.me), mark = item.one?.answer ? answerMarks[item.one.answer] : hasStar ? "★" : null
  const category = item.one?.category ?? item.entry?.category, status = item.one?.status ?? item.entry?.status
  const sign = item.entry ? signOf(category, screen.categories) : null
  const element = h(item.isBusy ? "span" : "button", {
    ...(item.isBusy ? {} : { type: "button", onclick: () => screen.openItem(item), "aria-label": [longDay(day), time, item.subject,
      item.one.answer ? t(`cal.said.${item.one.answer}`) : null, hasStar ? t("cal.said.interested") : null, status === "tentative" ? t("cal.status.tentative") : null].filter(Boolean).join(", ") }),
    class: "event", "data-key": `${item.key}@${day}`, "data-entry": item.entry?.id ?? null, "data-hue": String(item.calendar?.hue ?? 0),
    "data-is": [item.isBusy && !item.isAllDay ? "busy" : null, status !== "confirmed" ? status : null, item.one?.answer === "declined" ? "declined" : null].filter(Boolean).join(" ") || null,
    ...(screen.mayMove(item) ? { "data-moves": item.key, "aria-keyshortcuts": "Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown" } : {}),
  },
  isLong ? h("span", { class: "time" }, time) : null,
  h("span", { class: "what" }, sign ? h("span", { "aria-hidden": "true" }, `${sign} `) : null, item.subject), isLong ? null : h("span", { class: "time" }, begins(item, day)),
  mark ? h("span", { class: "mark", "aria-hidden": "true" }, mark) : null)
  const color = colorOf(category, screen.categories) ?? item.calendar?.color
  if (color) element.style.setProperty("--mark", color)
  return element
}

const cellMost = 3

/** A month as a table of weeks. What has no room in its day is behind the day's own number. */
export function month(screen) {
  const { day, items } = screen, first = weekOf(monthOf(day)), now = today(), weeks = []
  for (let start = first; start.slice(0, 7) <= day.slice(0, 7); start = plus(start, 7)) weeks.push(start)
  return [h("table", { class: "month" },
    h("caption", { class: "hidden" }, monthName(day)),
    h("thead", {}, h("tr", {}, Array.from({ length: 7 }, (_, at) => h("th", { scope: "col" }, t(`weekday.${weekdayOf(plus(first, at))}`))))),
    h("tbody", {}, weeks.map(start => h("tr", {}, Array.from({ length: 7 }, (_, at) => {
      const own = plus(start, at), all = onDay(items, own)
      return h("td", { "data-day": own, class: own.slice(0, 7) === day.slice(0, 7) ? null : "other" },
        h("button", { type: "button", class: "date", "data-key": own, "aria-current": own === now ? "date" : null, "aria-pressed": String(own === day),
          "aria-label": `${longDay(own)}, ${all.length ? t("cal.count", { n: all.length }) : t("cal.nothing")}`, onclick: () => screen.pick(own) }, String(Number(own.slice(8))),
        h("span", { class: "dots", "aria-hidden": "true" }, all.slice(0, 4).map(item => dot(item)))),
        h("div", { class: "events" }, all.slice(0, all.length > cellMost ? cellMost - 1 : cellMost).map(item => chip(item, own, screen)),
          all.length > cellMost ? h("button", { type: "button", class: "rest-of", "data-key": `${own}+`, onclick: () => screen.go(own, "day") }, t("cal.more", { n: all.length - cellMost + 1 })) : null))
    }))))), dayList(screen, day)]
}

function dot(item) {
  const element = h("i", { "data-hue": String(item.calendar?.hue ?? 0) })
  if (item.calendar?.color) element.style.setProperty("--mark", item.calendar.color)
  return element
}

/** All that is on one day, as a list. */
function dayList(screen, day, level = "h2") {
  const all = onDay(screen.items, day)
  return h("section", { class: "day-list", "data-day": day }, h("div", { class: "bar" }, h(level, {}, longDay(day)), screen.mayAdd
    ? h("button", { type: "button", class: "quiet small", "data-key": `add/${day}`, "aria-label": t("cal.add-on", { day: longDay(day) }), onclick: () => screen.add(day) }, "+") : null),
  all.length ? h("div", { class: "stack" }, all.map(item => row(item, day, screen))) : screen.isFound ? h("p", { class: "empty" }, t("cal.nothing-on")) : null)
}

/** One thing in a list, with its answer a tap away. */
function row(item, day, screen) {
  const asks = item.one?.answer !== undefined && !item.entry.meeting
  return h("div", { class: "entry-row" }, chip(item, day, screen, { isLong: true }),
    h("span", { class: "soft" }, [item.one?.place?.text, item.entry && item.entry.owner !== state.snapshot.me ? name(item.entry.owner) : null].filter(Boolean).join(" · ")),
    asks ? h("span", { class: "answers", role: "group", "aria-label": t("cal.answer-to", { entry: item.subject }) }, ["accepted", "tentative", "declined"].map(answer =>
      h("button", { type: "button", class: `answer ${{ accepted: "yes", tentative: "ifNeedBe", declined: "no" }[answer]}`, "data-key": `${item.key}/${answer}`, "data-answer": answer,
        "aria-pressed": String(item.one.answer === answer), onclick: () => screen.answer(item, answer) }, t(`cal.answer.${answer}`)))) : null)
}

/** What is on, day after day. */
export function agenda(screen) {
  const days = Array.from({ length: screen.length }, (_, at) => plus(screen.day, at)).filter(day => onDay(screen.items, day).some(one => one.first === day || day === screen.day))
  return [days.length ? days.map(day => dayList({ ...screen, items: screen.items.filter(one => one.first === day || day === screen.day && one.first < day) }, day))
    : screen.isFound ? h("p", { class: "empty" }, t("cal.none", { n: screen.length })) : null,
  h("p", {}, h("button", { type: "button", class: "quiet", "data-key": "more", onclick: () => screen.longer() }, t("cal.later")))]
}

/** What was found, day after day, whatever the days. */
export const results = screen => [...new Set(screen.items.map(one => one.first))].map(day => dayList({ ...screen, items: screen.items.filter(one => one.first === day), mayAdd: false }, day))

export const day = screen => byTheHour(screen, [screen.day])
export const week = screen => { const first = weekOf(screen.day); return byTheHour(screen, Array.from({ length: 7 }, (_, at) => plus(first, at))) }

/** Days beside each other, hours below each other. */
function byTheHour(screen, days) {
  const now = civil(present()), isNow = today()
  const hours = Array.from({ length: 24 }, (_, hour) => h("span", {}, clock({ hour, minute: 0 })))
  const column = own => {
    const timed = onDay(screen.items, own).filter(one => !one.isAllDay)
    const lanes = []
    const blocks = timed.map(item => {
      const from = item.first < own ? 0 : item.from, to = Math.max(item.last > own ? dayMinutes : item.to, from + 20)
      let lane = lanes.findIndex(end => end <= from)
      if (lane < 0) lane = lanes.push(0) - 1
      lanes[lane] = to
      return { item, from, to, lane }
    })
    return h("div", { class: "column", "data-day": own, "data-hours": true, ondblclick: event => { if (event.target.matches(".column") && screen.mayAdd) screen.add(own, Math.floor(event.offsetY / event.target.clientHeight * 24) * 60) } },
      own === isNow ? at(h("i", { class: "now", "aria-hidden": "true" }), now.hour * 60 + now.minute, 0, 0, 1) : null,
      blocks.map(({ item, from, to, lane }) => at(chip(item, own, screen), from, to - from, lane, lanes.length)))
  }
  return [h("div", { class: "scroll hours", tabindex: "0", role: "region", "aria-label": t("cal.hours"), "data-days": String(days.length), "data-scroll": "hours" },
    h("div", { class: "heads" }, h("span"), days.map(own => h("div", { "data-day": own }, h("button", { type: "button", class: "date", "data-key": `head/${own}`, "aria-current": own === isNow ? "date" : null, "aria-label": longDay(own), onclick: () => screen.go(own, "day") }, shortDay(own)),
      onDay(screen.items, own).filter(one => one.isAllDay).map(item => chip(item, own, screen))))),
    h("div", { class: "columns" }, h("div", { class: "clock", "aria-hidden": "true" }, hours), days.map(column)))]
}

/** Where something stands in its day: the style sheet knows how large an hour is. */
function at(element, from, minutes, lane, lanes) {
  for (const [key, value] of [["--from", from / 60], ["--long", minutes / 60], ["--lane", lane], ["--lanes", lanes]]) element.style.setProperty(key, String(value))
  return element
}
/** Opens the hours where it is now, with today's column in sight; on other days in the morning. */
export const scrollTo = element => {
  const now = element.querySelector(".now"), column = now?.closest(".column")
  if (column) {
    element.scrollLeft = column.offsetLeft - element.querySelector(".clock").offsetWidth
    element.scrollTop = now.offsetTop - element.clientHeight / 3
  } else element.scrollTop = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * hourRem * 7
}

/** Twelve small months, with the days marked on which something is. */
export function year(screen) {
  const first = `${screen.day.slice(0, 4)}-01-01`, now = today(), marked = new Map(screen.days.map(one => [one.date, one.count]))
  const days = start => [...marked.keys()].filter(one => one.startsWith(start.slice(0, 7))).length
  return [h("div", { class: "year" }, Array.from({ length: 12 }, (_, number) => {
    const start = plusMonths(first, number), weeks = []
    for (let from = weekOf(start); from.slice(0, 7) <= start.slice(0, 7); from = plus(from, 7)) weeks.push(from)
    return h("section", {}, h("h2", {}, h("button", { type: "button", class: "plain", "data-key": start, onclick: () => screen.go(start, "month") }, monthName(start))),
      days(start) ? h("p", { class: "hidden" }, t("cal.marked", { n: days(start) })) : null,
      h("div", { class: "small-month", "aria-hidden": "true" }, Array.from({ length: 7 }, (_, at) => h("span", {}, t(`weekday.${weekdayOf(plus(weeks[0], at))}`)[0])), weeks.flatMap(from => Array.from({ length: 7 }, (_, at) => {
        const own = plus(from, at)
        return own.slice(0, 7) === start.slice(0, 7) ? h("span", { class: [marked.has(own) ? "marked" : "", own === now ? "today" : ""].join(" ").trim() || null }, String(Number(own.slice(8)))) : h("span")
      }))))
  }))]
}

/** The planner on the wall: a row for each day, a column for each member, and one for what is everybody's. */
export function wall(screen) {
  const first = monthOf(screen.day), days = Array.from({ length: daysBetween(first, plusMonths(first, 1)) }, (_, at) => plus(first, at)), now = today()
  const columns = people().filter(one => one.role !== "guest").sort((a, b) => (b.id === state.snapshot.me) - (a.id === state.snapshot.me) || a.displayName.localeCompare(b.displayName))
  const isOf = (item, person) => {
    if (item.member) return item.member === person
    if (item.isBusy) return item.calendar?.owner === person
    if (item.entry.owner === person && !isOfAll(item)) return true
    const asked = item.entry.invitees.find(one => one.member === person)
    return !!asked && answerOf(item, asked) !== "declined"
  }
  const isOfAll = item => item.member ? false : item.isBusy ? !item.calendar?.owner : !item.entry.invitees.length && ["family", "household"].includes(item.calendar?.kind)
  const cell = (own, all) => h("td", { "data-day": own }, all.map(item => chip(item, own, screen)))
  return [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("cal.view.wall"), "data-scroll": "wall" }, h("table", { class: "wall" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("cal.day")), h("th", { scope: "col" }, t("cal.everybody")), columns.map(one => h("th", { scope: "col" }, member(one.id).displayName)))),
    h("tbody", {}, days.map(own => {
      const all = onDay(screen.items, own)
      return h("tr", { class: own === now ? "today" : weekdayOf(own) > 5 ? "weekend" : null, "data-begins": weekOf(own) === own ? "week" : null }, h("th", { scope: "row" },
        h("button", { type: "button", class: "date", "data-key": own, "aria-current": own === now ? "date" : null, "aria-label": longDay(own), onclick: () => screen.go(own, "day") }, shortDay(own))),
      cell(own, all.filter(isOfAll)), columns.map(one => cell(own, all.filter(item => isOf(item, one.id)))))
    }))))]
}

/** What somebody who is asked says to an occurrence. */
export function answerOf(item, invitee) {
  return item.entry.answers.find(one => one.member === invitee.member && one.occurrence === item.one.occurrence)?.answer ?? invitee.answer
}
