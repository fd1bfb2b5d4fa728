// SPDX-License-Identifier: Apache-2.0
// Days and times as a calendar counts them: texts such as 2026-11-25 and 2026-11-25T18:00, of no zone.

import { firstDay } from "./days.js"
import { now as present } from "./served.js"
import { civil, dated, day as short, t } from "./words.js"

const two = number => String(number).padStart(2, "0")
const ms = text => Date.parse(`${text.length > 10 ? text.slice(0, 16) : `${text}T00:00`}Z`)

/** The day on the reader's wall at an instant. */
export const dayAt = instant => { const wall = civil(instant); return `${String(wall.year).padStart(4, "0")}-${two(wall.month)}-${two(wall.day)}` }
export const today = () => dayAt(present())
export const plus = (day, count) => new Date(ms(day) + count * 86_400_000).toISOString().slice(0, 10)
/** A time so many minutes later; a day stays a day. */
export const later = (text, minutes) => new Date(ms(text) + minutes * 60_000).toISOString().slice(0, text.length > 10 ? 16 : 10)
export const minutesBetween = (from, to) => Math.round((ms(to) - ms(from)) / 60_000)
export const daysBetween = (from, to) => Math.round((ms(to) - ms(from)) / 86_400_000)
/** 1 for Monday, 7 for Sunday. */
export const weekdayOf = day => new Date(ms(day)).getUTCDay() || 7
export const weekOf = day => plus(day, -((weekdayOf(day) % 7 - firstDay() + 7) % 7))
export const monthOf = day => `${day.slice(0, 8)}01`
export const isDay = text => /^\d{4}-\d\d-\d\d$/.test(text ?? "") && !Number.isNaN(ms(text)) && plus(text, 0) === text

/** The same day of another month, or its last. */
export function plusMonths(day, count) {
  const [year, month, date] = day.split("-").map(Number)
  const first = new Date(Date.UTC(year, month - 1 + count, 1)), last = new Date(Date.UTC(year, month + count, 0))
  first.setUTCDate(Math.min(date, last.getUTCDate()))
  return first.toISOString().slice(0, 10)
}

const written = (day, form) => dated(form).format(ms(day))
export const monthTitle = day => written(day, { month: "long", year: "numeric" })
export const monthName = day => written(day, { month: "long" })
/** `Wednesday 25 November`, with the year unless it is this one's. */
export const longDay = day => written(day, { weekday: "long", day: "numeric", month: "long", ...(day.slice(0, 4) === today().slice(0, 4) ? {} : { year: "numeric" }) })
export const shortDay = day => `${t(`weekday.${weekdayOf(day)}`)} ${Number(day.slice(8))}`
/** `25 Nov`, with the year unless it is this one's. */
export const date = text => { const [year, month, day] = text.slice(0, 10).split("-").map(Number); return short({ year, month, day }) }
/** `23 Nov – 29 Nov`, with the year unless it is this one's. */
export const range = (from, to) => `${date(from)} – ${date(to)}`
