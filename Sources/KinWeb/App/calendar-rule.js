// SPDX-License-Identifier: Apache-2.0
// Rules by which something repeats (RFC 5545, 3.3.10): read, written, and said in words. Which days they come to is the
// daemon's business alone.

import { isDay, weekdayOf } from "./calendar-days.js"
import { dated, day as written, list, t } from "./words.js"

const codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

// Clocks of other zones -------------------------------------------------------------------------------------------

export const isZone = name => { try { return !!name && !!new Intl.DateTimeFormat("en", { timeZone: name }) } catch { return false } }

/** What a clock of a zone shows at an instant, as milliseconds of a day without a zone. */
export function wallOf(instant, zone) {
  const parts = Object.fromEntries(new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" })
    .formatToParts(instant).map(part => [part.type, +part.value]))
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
}

/** The instant at which a clock of a zone shows `2026-11-24T18:00`. Of two the first; what the clocks skip is read by the offset before. */
export function instantOf(civil, zone) {
  const wall = Date.parse(`${civil}Z`), offsets = [-86_400_000, 86_400_000].map(by => wallOf(wall + by, zone) - wall - by)
  const found = offsets.map(offset => wall - offset).filter(one => wallOf(one, zone) === wall)
  return found.length ? Math.min(...found) : wall - offsets[0]
}

/** The day that a clock of a zone shows. */
const dayIn = (instant, zone) => new Date(wallOf(instant, zone)).toISOString().slice(0, 10)

// Reading and writing ---------------------------------------------------------------------------------------------

const partsOf = rule => Object.fromEntries(rule.split(";").map(part => part.split("=")))
const numbers = text => text?.split(",").map(Number) ?? []
const units = { DAILY: "daily", WEEKLY: "weekly", MONTHLY: "monthly", YEARLY: "yearly" }

/** When a rule ends, by the day that the entry's own clock shows. */
function endOf(parts, zone) {
  if (parts.COUNT) return { end: "count", count: Number(parts.COUNT) }
  const [, year, month, date, hour, minute, second] = parts.UNTIL?.match(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?/) ?? []
  if (!year) return { end: "never" }
  const day = `${year}-${month}-${date}`
  return { end: "until", until: hour && isZone(zone) ? dayIn(Date.parse(`${day}T${hour}:${minute}:${second}Z`), zone) : day }
}

/** Weekdays with the place that each has in its month, such as 2TU. */
const placesOf = text => (text ?? "").split(",").filter(Boolean).map(one => ({ nth: parseInt(one, 10) || 0, day: codes.indexOf(one.slice(-2)) + 1 }))

/**
 * What a rule says, in those parts that a form has; null where it says more. `by`: on its date, on the nth weekday of the
 * month, on the month's last such weekday, or at the month's end. `isLast`: where a month has no such date, on its last.
 */
export function read(rule, { start, zone }) {
  const parts = partsOf(rule), freq = units[parts.FREQ], names = Object.keys(parts).filter(key => !["FREQ", "INTERVAL", "COUNT", "UNTIL"].includes(key))
  const said = { freq, every: Number(parts.INTERVAL ?? 1), days: [], by: "date", isLast: false, ...endOf(parts, zone) }
  const [month, date] = [Number(start.slice(5, 7)), Number(start.slice(8, 10))], has = (...keys) => names.length === keys.length && keys.every(key => names.includes(key))
  if (!freq) return null
  if (!names.length) return said
  if (freq === "weekly") {
    const days = placesOf(parts.BYDAY)
    // On which day a week begins counts only where some are left out.
    if (!names.every(key => key === "BYDAY" || key === "WKST") || days.some(one => one.nth || !one.day)) return null
    return { ...said, days: days.map(one => one.day), ...(parts.WKST ? { week: parts.WKST } : {}) }
  }
  if (freq === "daily") return null
  const isYearly = freq === "yearly", ofMonth = isYearly ? ["BYMONTH"] : []
  if (isYearly && parts.BYMONTH !== String(month)) return null
  if (has(...ofMonth, "BYMONTHDAY")) return parts.BYMONTHDAY === String(date) ? said : parts.BYMONTHDAY === "-1" && !isYearly ? { ...said, by: "end" } : null
  if (has(...ofMonth, "BYMONTHDAY", "BYSETPOS")) {
    const days = numbers(parts.BYMONTHDAY), isFrom28 = days.every((one, at) => one === 28 + at)
    return parts.BYSETPOS === "-1" && days.length > 1 && isFrom28 && days.at(-1) === date ? { ...said, isLast: true } : null
  }
  const [one, ...more] = placesOf(parts.BYDAY), nth = one?.nth || (parts.BYSETPOS ? Number(parts.BYSETPOS) : 0)
  if (more.length || one?.day !== weekdayOf(start.slice(0, 10)) || !(has(...ofMonth, "BYDAY") && one.nth || has(...ofMonth, "BYDAY", "BYSETPOS") && !one.nth)) return null
  return nth === Math.ceil(date / 7) ? { ...said, by: "nth" } : nth === -1 ? { ...said, by: "last" } : null
}

/** The rule that says so, of something that begins at `start`. */
export function write(said, { start, zone }) {
  const [month, date] = [Number(start.slice(5, 7)), Number(start.slice(8, 10))], code = codes[weekdayOf(start.slice(0, 10)) - 1], parts = [`FREQ=${said.freq.toUpperCase()}`]
  if (said.end === "count") parts.push(`COUNT=${said.count}`)
  if (said.end === "until" && isDay(said.until)) {
    // To the evening of that day where the entry is.
    const evening = isZone(zone) ? new Date(instantOf(`${said.until}T23:59:59`, zone)).toISOString().replace(/[-:]|\.\d+/g, "") : said.until.replaceAll("-", "")
    parts.push(`UNTIL=${evening}`)
  }
  if (said.every > 1) parts.push(`INTERVAL=${said.every}`)
  if (said.freq === "weekly") {
    if (said.days.length) parts.push(`BYDAY=${[...said.days].sort().map(one => codes[one - 1])}`)
    if (said.week && said.every > 1) parts.push(`WKST=${said.week}`)
  }
  if (!["monthly", "yearly"].includes(said.freq)) return parts.join(";")
  const isYearly = said.freq === "yearly", isLast = said.by === "date" && said.isLast && isRare(said.freq, start)
  if (isYearly && (said.by !== "date" || isLast)) parts.push(`BYMONTH=${month}`)
  if (isLast) parts.push(`BYMONTHDAY=${Array.from({ length: date - 27 }, (_, at) => 28 + at)}`, "BYSETPOS=-1")
  if (said.by === "end") parts.push("BYMONTHDAY=-1")
  if (said.by === "nth") parts.push(`BYDAY=${Math.ceil(date / 7)}${code}`)
  if (said.by === "last") parts.push(`BYDAY=-1${code}`)
  return parts.join(";")
}

/** Whether some months, or years, have no such date. */
export const isRare = (freq, start) => freq === "monthly" ? Number(start.slice(8, 10)) > 28 : freq === "yearly" && start.slice(5, 10) === "02-29"

export const isLastDay = start => { const [year, month, date] = start.slice(0, 10).split("-").map(Number); return new Date(Date.UTC(year, month, 0)).getUTCDate() === date }

// In words --------------------------------------------------------------------------------------------------------

const named = (form, ...date) => dated(form).format(Date.UTC(...date))
/** `Tuesday`; 2024 began with a Monday. */
export const weekdayName = number => named({ weekday: "long" }, 2024, 0, number)
const monthNamed = number => named({ month: "long" }, 2024, number - 1, 1)

const places = { 1: "cal.rule.first", 2: "cal.rule.second", 3: "cal.rule.third", 4: "cal.rule.fourth", 5: "cal.rule.fifth", "-1": "cal.rule.last", "-2": "cal.rule.last-but-one" }
const every = { DAILY: ["cal.repeat.daily", "cal.rule.days"], WEEKLY: ["cal.repeat.weekly", "cal.rule.weeks"], MONTHLY: ["cal.repeat.monthly", "cal.rule.months"], YEARLY: ["cal.repeat.yearly", "cal.rule.years"] }

/** `the second Tuesday`, `Monday`; null for what has no words. */
const placeName = ({ nth, day }) => !day ? null : nth ? places[nth] ? t(places[nth], { day: weekdayName(day) }) : null : weekdayName(day)
const dateName = one => one > 0 ? t("cal.rule.date", { n: one }) : one === -1 ? t("cal.rule.last-day") : null

/** Which days a rule names; null where there are no words for it. */
function daysSaid(parts) {
  const { BYDAY: days, BYMONTHDAY: dates, BYMONTH: months, BYSETPOS: positions } = parts, isClamped = positions === "-1" && dates && !days && numbers(dates).every((one, at) => one === 28 + at)
  if (days && dates || positions && !isClamped && !days) return null
  // The last of the Tuesdays is the last Tuesday.
  if (/^[A-Z]{2}$/.test(days) && positions && !positions.includes(",")) return daysSaid({ ...parts, BYDAY: `${positions}${days}`, BYSETPOS: undefined })
  const some = isClamped ? [t("cal.rule.clamped", { n: numbers(dates).at(-1) })] : days ? placesOf(days).map(placeName) : numbers(dates).map(dateName)
  const only = positions && !isClamped ? numbers(positions).map(one => places[one] ? t(places[one], { day: "" }).trim() : null) : []
  if ([...some, ...only].includes(null)) return null
  return [months ? t("cal.rule.in", { months: list(numbers(months).map(monthNamed)) }) : null, some.length ? t("cal.rule.on", { days: list(some) }) : null,
    only.length ? t("cal.rule.only", { which: list(only) }) : null].filter(Boolean).join(" ")
}

/** The days that a form would have said, `on the second Tuesday`, and in a year of which month. */
export const saidOf = (said, times) => daysSaid({ ...partsOf(write({ ...said, end: "never" }, times)), ...(said.by === "date" && !said.isLast ? { BYMONTHDAY: String(Number(times.start.slice(8, 10))) } : {}),
  ...(said.freq === "yearly" ? { BYMONTH: String(Number(times.start.slice(5, 7))) } : {}) })

/** A rule in words. What has none is shown as it is written. */
export function inWords(rule, { start, zone }) {
  const parts = partsOf(rule), n = Number(parts.INTERVAL ?? 1), names = every[parts.FREQ], known = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS"]
  const days = names && Object.keys(parts).every(key => known.includes(key)) ? daysSaid(parts) : null, { end, count, until } = endOf(parts, zone)
  const [year, month, date] = (until ?? start.slice(0, 10)).split("-").map(Number)
  const head = days === null ? t("cal.repeat.custom", { rule }) : [n > 1 ? t(names[1], { n }) : t(names[0]), days].filter(Boolean).join(" ")
  return [head, end === "count" ? t("cal.rule.times", { n: count }) : end === "until" ? t("cal.repeats-until", { day: written({ year, month, day: date }) }) : null].filter(Boolean).join(", ")
}
