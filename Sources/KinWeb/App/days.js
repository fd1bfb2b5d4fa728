// SPDX-License-Identifier: Apache-2.0
// A small calendar: a month of days, of which one picks as many as one likes.

import { longDay, monthTitle } from "./calendar-days.js"
import { fill, h } from "./dom.js"
import { now } from "./served.js"
import { settings } from "./state.js"
import { language, local, t } from "./words.js"

const two = number => String(number).padStart(2, "0")
const name = day => `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
/** The day on which weeks begin, as `getDay` counts: the member's setting, else the language's own way. */
export function firstDay() {
  const own = { monday: 1, saturday: 6, sunday: 0 }[settings().weekStart]
  if (own !== undefined) return own
  const locale = new Intl.Locale(navigator.language || language())
  const info = locale.getWeekInfo?.() ?? locale.weekInfo
  return info ? info.firstDay % 7 : 1
}

/** Today by the member's clock, whatever this device's shows. */
const today = () => new Date(`${local(now()).slice(0, 10)}T12:00`)

export class Days {
  /** `picked()` answers the days that are picked, as `2026-11-23`; `pick(day)` picks one, or leaves it out again. */
  constructor(picked, pick) {
    Object.assign(this, { picked, pick })
    this.month = today()
    this.month.setDate(1)
    this.element = h("div", { class: "days", role: "group", "aria-label": t("days.title") })
  }

  move(months) {
    this.month.setMonth(this.month.getMonth() + months)
    this.draw()
    this.element.querySelector(months < 0 ? ".before" : ".next")?.focus()
  }

  draw() {
    const { month } = this, picked = this.picked(), at = today(), first = firstDay()
    const isNow = month.getFullYear() === at.getFullYear() && month.getMonth() === at.getMonth()
    const day = new Date(month)
    day.setDate(1 - (day.getDay() - first + 7) % 7)
    const cells = []
    do {
      for (let column = 0; column < 7; column += 1) {
        const own = name(day), isOther = day.getMonth() !== month.getMonth()
        cells.push(isOther ? h("span") : h("button", { type: "button", class: "day", "aria-pressed": String(picked.has(own)), disabled: own < name(at), "data-day": own,
          "aria-label": longDay(own),
          onclick: () => { this.pick(own); this.draw(); this.element.querySelector(`[data-day="${own}"]`)?.focus() } }, String(day.getDate())))
        day.setDate(day.getDate() + 1)
      }
    } while (day.getMonth() === month.getMonth())
    fill(this.element,
      h("div", { class: "bar" }, h("button", { type: "button", class: "quiet small before", disabled: isNow, "aria-label": t("days.before"), onclick: () => this.move(-1) }, "‹"),
        h("strong", { class: "grow", "aria-live": "polite" }, monthTitle(name(month))),
        h("button", { type: "button", class: "quiet small next", "aria-label": t("days.next"), onclick: () => this.move(1) }, "›")),
      h("div", { class: "week" }, Array.from({ length: 7 }, (_, index) => h("span", { class: "soft", "aria-hidden": "true" }, t(`weekday.${(first + index) % 7 || 7}`))), cells))
  }
}
