// SPDX-License-Identifier: Apache-2.0
// How something repeats, chosen in words. A rule that says more than can be chosen here stays as it is, and is said in words.

import { field } from "./base.js"
import { isDay, longDay, weekdayOf } from "./calendar-days.js"
import { inWords, isLastDay, isRare, read, saidOf, weekdayName, write } from "./calendar-rule.js"
import { firstDay } from "./days.js"
import { fill, h, say, set, show } from "./dom.js"
import { clock, t } from "./words.js"

const freqs = ["daily", "weekly", "monthly", "yearly"], everyMost = 999, timesMost = 9999
const unit = { daily: "cal.rule.every-days", weekly: "cal.rule.every-weeks", monthly: "cal.rule.every-months", yearly: "cal.rule.every-years" }
const plain = { freq: "", every: 1, days: [], by: "date", isLast: true, end: "never" }

/**
 * The part of a form. `rule`: as it is so far; `times`: since when, and in which zone, that counts; `begin`: what was chosen
 * and not sent, for which beginning, so many days from where it stands. `value()` answers the rule, `isChosen()` whether it
 * was touched here, `follow(times)` takes another beginning.
 */
export function ruleEditor(rule, times, begin = null) {
  const known = rule ? read(rule, times) : plain
  // What has its date in every month falls on a last day only once it is moved.
  if (known?.freq && !isRare(known.freq, times.start)) known.isLast = true
  const before = known?.freq ? write(known, times) : ""
  let said = begin?.said ?? known ?? { ...plain, freq: "custom" }, now = times, isTouched = !!begin
  // Which days were ticked, for which beginning, and how far it was moved then.
  let moved = begin?.moved ?? 0, ticked = { days: said.days, from: weekdayOf(begin?.start ?? times.start), moved }
  const number = (name, most, value) => { const one = h("input", { type: "number", name, min: 1, max: most, step: 1, required: true, inputmode: "numeric" }); one.value = String(value); return one }
  const choice = (name, values) => h("select", { name }, values.map(([value, text]) => h("option", { value }, text)))
  const freq = choice("repeat", [["", t("cal.repeat.none")], ...freqs.map(one => [one, t(`cal.repeat.${one}`)]), ...(rule && !known ? [["custom", t("cal.repeat.as-it-is")]] : [])])
  const every = number("every", everyMost, said.every), count = number("count", timesMost, said.count ?? 10)
  const everyField = field("", every), label = everyField.querySelector("label")
  const days = Array.from({ length: 7 }, (_, at) => (firstDay() + at) % 7 || 7).map(day => h("label", { class: "check" }, h("input", { type: "checkbox", name: "days", value: day }), weekdayName(day)))
  const daysField = h("fieldset", {}, h("legend", {}, t("cal.rule.which-days")), h("div", { class: "ticks" }, days))
  const by = h("select", { name: "by" }), byField = field(t("cal.rule.which-day"), by)
  const short = choice("short", [["last", t("cal.rule.short-last")], ["skip", t("cal.rule.short-skip")]]), shortField = field(t("cal.rule.short"), short)
  const end = choice("end", [["never", t("cal.rule.end-never")], ["count", t("cal.rule.end-count")], ["until", t("cal.rule.end-until")]]), endField = field(t("cal.rule.end"), end)
  const countField = field(t("cal.rule.how-often"), count)
  const until = h("input", { type: "date", name: "until", required: true }), untilField = field(t("cal.until-day"), until)
  const words = h("p", { class: "hint", id: "rule-words", "aria-live": "polite" })
  const whole = number => Math.max(1, Math.trunc(Number(number)) || 1)

  /** As it was, where nothing else is said. */
  const value = () => { const written = freqs.includes(said.freq) ? write(said, now) : ""; return said.freq === "custom" || before && written === before ? rule : written }
  /** Shows what is said. */
  const draw = () => {
    const { freq: kind } = said, isOne = freqs.includes(kind), isOfMonth = ["monthly", "yearly"].includes(kind)
    set(freq, { value: kind })
    for (const [part, isShown] of [[everyField, isOne], [daysField, kind === "weekly"], [byField, isOfMonth], [shortField, isOfMonth && said.by === "date" && isRare(kind, now.start)],
      [endField, isOne], [countField, isOne && said.end === "count"], [untilField, isOne && said.end === "until"]]) {
      show(part, isShown)
      for (const one of part.querySelectorAll("input, select")) one.disabled = !isShown
    }
    if (isOne) say(label, t(unit[kind]))
    if (isOfMonth) {
      const date = Number(now.start.slice(8, 10)), length = new Date(Date.UTC(Number(now.start.slice(0, 4)), Number(now.start.slice(5, 7)), 0)).getUTCDate()
      const offered = ["date", "nth", ...(date > length - 7 ? ["last"] : []), ...(kind === "monthly" && isLastDay(now.start) ? ["end"] : [])]
      if (!offered.includes(said.by)) said.by = "date"
      fill(by, offered.map(one => h("option", { value: one, selected: one === said.by }, saidOf({ ...said, freq: kind, by: one, isLast: false }, now))))
    }
    set(short, { value: said.isLast ? "last" : "skip" })
    set(end, { value: said.end })
    for (const one of days) { const box = one.querySelector("input"); box.checked = said.days.length ? said.days.includes(Number(box.value)) : Number(box.value) === weekdayOf(now.start) }
    set(until, { min: now.start.slice(0, 10) })
    if (said.until) set(until, { value: said.until })
    say(words, kind ? inWords(value(), now) : "")
    show(words, kind)
  }
  const take = () => {
    isTouched = freq.value !== "custom"
    const chosen = days.map(one => one.querySelector("input")).filter(one => one.checked).map(one => Number(one.value))
    // Where no weekday is ticked it is the one on which it begins.
    said = !isTouched ? { ...plain, freq: "custom" } : { ...said, freq: freq.value, every: whole(every.value), isLast: short.value === "last", end: end.value, count: whole(count.value), until: until.value,
      ...(said.freq === "weekly" ? { days: String(chosen) === String(weekdayOf(now.start)) ? [] : chosen } : {}), ...(by.value ? { by: by.value } : {}) }
    ticked = { days: said.days, from: weekdayOf(now.start), moved }
    draw()
  }
  const element = h("div", { class: "rule", oninput: take },
    field(t("cal.repeat"), freq), everyField, daysField, byField, shortField, endField, countField, untilField, words)
  draw()
  return {
    element, value, typed: () => isTouched ? said : null, isChosen: () => isTouched,
    /** `by`: so many days what stands there already is moved, and its weekdays with it; null for something new. */
    follow(other, by = null) {
      const to = weekdayOf(other.start)
      moved = by ?? 0
      const days = by === null ? ticked.days.includes(to) ? ticked.days : ticked.days.map(one => one === ticked.from ? to : one)
        : ticked.days.map(one => ((one - 1 + by - ticked.moved) % 7 + 7) % 7 + 1)
      said = { ...said, days }
      now = other
      draw()
    },
  }
}

/**
 * Days beside the rule, one taken and added at a time. `dates`: those that stand there, as times or days; one that is added
 * here is a day. `value()` answers all of them, what is chosen and not yet added too; `follow(time)` says at what time of day it begins.
 */
export function datesEditor(dates) {
  let all = [...dates], begins = ""
  const rows = h("ul", { class: "rows" }), day = h("input", { type: "date", id: "entry-date" }), dayField = field(t("cal.dates-day"), day)
  const value = () => [...new Set([...all, ...(isDay(day.value) && !all.some(one => one.slice(0, 10) === day.value) ? [day.value] : [])])].sort()
  const said = one => longDay(one.slice(0, 10)) + (one.length > 10 && one.slice(11, 16) !== begins ? `, ${clock({ hour: Number(one.slice(11, 13)), minute: Number(one.slice(14, 16)) })}` : "")
  const draw = () => fill(rows, all.map(one => h("li", { class: "row" }, h("span", { class: "grow" }, said(one)),
    h("button", { type: "button", class: "quiet small", "data-date": one, "aria-label": t("cal.dates-without", { day: said(one) }), onclick: () => take(all.filter(other => other !== one)) }, t("cal.dates-remove")))))
  const take = now => {
    all = now
    day.value = ""
    draw()
    day.focus()
    // The form keeps what was typed.
    element.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const element = h("details", { class: "done", id: "entry-dates", open: all.length > 0 }, h("summary", {}, t("cal.dates-of")), rows, dayField,
    h("button", { type: "button", class: "quiet small", id: "entry-date-add", onclick: () => { if (isDay(day.value)) take(value()); else day.focus() } }, t("cal.dates-add")))
  draw()
  return {
    element, value,
    follow(time) {
      if (time === begins) return
      begins = time
      draw()
    },
  }
}
