// SPDX-License-Identifier: Apache-2.0
// Times as people type them, in English or German, read as `kin` reads them: `sat 18:00-20:00`, `morgen 9-10:30`,
// `24.12. 18 Uhr +2h`. Vectors hold both to the same. A day without a date is the next such day, a time without a day the next
// such time, and an end before the beginning is on the next day.
//
// A wall time here is what a clock shows, as milliseconds of a day without a zone.

const dayMs = 86_400_000, minuteMs = 60_000
/** Words that one span may have: `nächsten Freitag um 18 Uhr bis 20 Uhr`. */
const wordsMax = 9
/** Seconds that a span may have, of ten years. */
const spanMax = 316_000_000

/** Why something is no time: the key of a sentence, and what it says. */
export class Unread extends Error {
  constructor(key, values = {}) { super(key); Object.assign(this, { key, values }) }
}

// Clocks ------------------------------------------------------------------------------------------------------------

const clocks = new Map()
/** What a clock of a zone shows at an instant. */
export function wallOf(instant, zone) {
  if (!clocks.has(zone)) {
    clocks.set(zone, new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" }))
  }
  const { year, month, day, hour, minute, second } = Object.fromEntries(clocks.get(zone).formatToParts(instant).map(part => [part.type, +part.value]))
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The instants at which a clock shows this: two where it is put back, none where it is put forward; and those beside. */
function instants(wall, zone) {
  const offsets = [-dayMs, dayMs].map(by => wallOf(wall + by, zone) - wall - by)
  const all = [...new Set(offsets.map(offset => wall - offset))].sort((a, b) => a - b)
  return { found: all.filter(one => wallOf(one, zone) === wall), before: all[0], after: all.at(-1) }
}

const startOf = wall => Math.floor(wall / dayMs) * dayMs
/** 1 for Monday to 7 for Sunday. */
const weekdayOf = wall => (Math.floor(wall / dayMs) + 3) % 7 + 1
const yearOf = wall => new Date(wall).getUTCFullYear()
/** The midnight of a date; undefined where there is none. */
function dateOf(year, month, day) {
  const one = new Date(0)
  one.setUTCFullYear(year, month - 1, day)
  return one.getUTCMonth() === month - 1 && one.getUTCDate() === day ? one.getTime() : undefined
}

/** `18:30` of a wall time. */
export const clockOf = wall => new Date(wall).toISOString().slice(11, 16)

// Words -------------------------------------------------------------------------------------------------------------

/** Hours at which parts of a day begin where none is typed. */
const parts = { morning: 9, afternoon: 15, evening: 19 }
const units = { minutes: 60, hours: 3_600, days: 86_400, weeks: 604_800 }

const words = new Map()
function know(names, word) { for (const name of names.split(" ")) words.set(name, word) }
know("today heute", { is: "relative", days: 0 })
know("tomorrow morgen", { is: "relative", days: 1 })
know("übermorgen uebermorgen", { is: "relative", days: 2 })
know("yesterday gestern", { is: "relative", days: -1 })
know("vorgestern", { is: "relative", days: -2 })
know("- to until till bis", { is: "dash" })
know("am", { is: "half", half: "morning" })
know("pm", { is: "half", half: "afternoon" })
know("noon mittag", { is: "clock", hour: 12, minute: 0 })
know("midnight mitternacht", { is: "clock", hour: 24, minute: 0 })
know("0h", { is: "clock", hour: 0, minute: 0 })
know("tonight", { is: "tonight" })
know("in", { is: "ahead" })
know("half halben", { is: "halved" })
know("morning früh frueh morgens vormittag vormittags", { is: "part", part: "morning" })
know("afternoon nachmittag nachmittags", { is: "part", part: "afternoon" })
know("evening abend abends", { is: "part", part: "evening" })
know("next nächsten nächste nächster nächstes naechsten naechste naechster", { is: "next" })
know("a an one ein eine einem einen einer", { is: "one" })
know("m min mins minute minutes minuten", { is: "unit", unit: "minutes" })
know("h hr hrs hour hours std stunde stunden", { is: "unit", unit: "hours" })
know("day days tag tage tagen", { is: "unit", unit: "days" })
know("week weeks woche wochen", { is: "unit", unit: "weeks" })
know("at um on from von ab uhr o'clock the den der for für this coming diesen diese dieser kommenden kommende kommender im zum and und", { is: "filler" })
const days = ["mon monday mo montag", "tue tues tuesday di dienstag", "wed wednesday mi mittwoch", "thu thur thurs thursday do donnerstag",
  "fri friday fr freitag", "sat saturday sa samstag sonnabend", "sun sunday so sonntag"]
days.forEach((names, at) => know(names, { is: "weekday", weekday: at + 1 }))
const months = ["jan january januar jänner", "feb february februar", "mar march mär märz maerz", "apr april", "may mai", "jun june juni", "jul july juli",
  "aug august", "sep sept september", "oct october okt oktober", "nov november", "dec december dez dezember"]
months.forEach((names, at) => know(names, { is: "month", month: at + 1 }))

/** `2h`, `90m`, `1h30m` in seconds. */
function secondsOf(text) {
  if (!/^(?:\d{1,9}[smhdw])+$/.test(text)) return null
  const each = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
  const total = [...text.matchAll(/(\d+)([smhdw])/g)].reduce((sum, [, number, unit]) => sum + number * each[unit], 0)
  return total > 0 && total <= spanMax ? total : null
}

function clock(text) {
  const [, typed, minutes, suffix] = /^(\d{1,2})(?:[:h](\d{2}))?(am|pm|uhr)?$/.exec(text) ?? []
  if (typed === undefined) return null
  const hour = +typed, minute = +(minutes ?? 0), half = { am: "morning", pm: "afternoon" }[suffix]
  if (hour > 24 || minute > 59 || (half && !(hour >= 1 && hour <= 12)) || (hour === 24 && minute)) return null
  return { is: "clock", hour, minute, half, isBare: minutes === undefined && suffix === undefined }
}

const fullYear = typed => typed === undefined ? undefined : typed.length === 2 ? 2000 + +typed : +typed
function date(text, order) {
  let found
  if ((found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text))) return { is: "date", year: +found[1], month: +found[2], day: +found[3] }
  if ((found = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})?$/.exec(text))) return { is: "date", year: fullYear(found[3]), month: +found[2], day: +found[1] }
  if ((found = /^(\d{1,2})(?:\.|st|nd|rd|th)$/.exec(text))) return { is: "day", day: +found[1] }
  // `18.30` is a time and `24.12` a date; `12.10` may be both.
  if ((found = /^(\d{1,2})\.(\d{2})$/.exec(text))) {
    const left = +found[1], right = +found[2], isClock = left < 24 && right < 60, isDate = left >= 1 && left <= 31 && right >= 1 && right <= 12
    if (isClock && isDate) return { is: "ambiguous", one: `${left}.${right}.`, other: `${left}:${found[2]}` }
    if (isDate) return { is: "date", month: right, day: left }
    return isClock ? { is: "clock", hour: left, minute: right } : null
  }
  if ((found = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d{2}))?$/.exec(text))) {
    if (!order) return { is: "ambiguous", one: `${found[1]}.${found[2]}.`, other: `${found[2]}.${found[1]}.` }
    const [month, day] = order === "monthFirst" ? [+found[1], +found[2]] : [+found[2], +found[1]]
    return { is: "date", year: fullYear(found[3]), month, day }
  }
  return null
}

/** One word, in lower case and without commas. */
function word(text, order) {
  // `Dez.` and `So.`, but not `24.`.
  const bare = /^\p{L}+\.$/u.test(text) ? text.slice(0, -1) : text
  const known = words.get(bare) ?? clock(text)
  if (known) return known
  if (/^[12]\d{3}$/.test(text)) return { is: "year", year: +text }
  const dated = date(text, order)
  if (dated) return dated
  const seconds = secondsOf(text.replace(/^\+/, ""))
  if (seconds !== null) return { is: "span", seconds }
  return /^\+?\d{1,3}$/.test(text) && text.length <= 3 && +text > 0 ? { is: "number", number: +text } : { is: "unknown" }
}

/** The words of a text; a range without blanks becomes three. */
function wordsOf(text, order) {
  const pieces = part => part.split("-").reduce((all, one) => {
    if (all.length) all.push("-")
    if (one) all.push(one)
    return all
  }, [])
  return text.toLowerCase().replace(/[–—]/g, "-").replace(/,/g, " ").split(" ").filter(Boolean).flatMap(part => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(part) || part === "-") return [part]
    const stamp = /^(\d{4}-\d{2}-\d{2})t(.+)$/.exec(part)
    return stamp ? [stamp[1], ...pieces(stamp[2])] : pieces(part)
  }).map(one => ({ text: one, ...word(one, order) }))
}

// Reading -----------------------------------------------------------------------------------------------------------

const hasDay = point => point.day !== undefined || point.weekday !== undefined || !!point.isNext || !!point.isNextWeek
const saysDay = one => ["weekday", "relative", "date", "day", "next", "tonight"].includes(one?.is)
const isBareNumber = one => one?.is === "clock" && !one.half && !!one.isBare

/** What the words of one span say, before it is known which moments they mean. */
class Reading {
  constructor(text, today, order) {
    Object.assign(this, { text, today, words: wordsOf(text, order), from: {}, to: null, span: null, ahead: null })
  }

  unclear(word) { return new Unread("typed.unclear", { word, text: this.text }) }
  noTime() { return new Unread("typed.no-time", { text: this.text }) }

  read() {
    if (!this.words.length) throw new Unread("typed.nothing")
    for (let at = 0; at < this.words.length;) at += this.take(this.words.slice(at))
    const { from, to } = this
    if ((from.isNext && from.weekday === undefined && !from.isNextWeek) || (from.isNextWeek && from.weekday === undefined)) throw this.unclear(this.text)
    this.inheritHalf()
    this.settlePart(from)
    if (to) {
      // `tonight 8-10`.
      if (!to.part && !to.half && !hasDay(to) && to.isBare && to.hour < 12 && from.part && from.part !== "morning" && from.hour !== undefined && to.hour + 12 > from.hour) to.hour += 12
      this.settlePart(to)
    }
    if (from.hour === undefined && this.ahead === null) throw this.noTime()
  }

  /** Takes what the first of these words says, with those that belong to it; answers how many. */
  take(rest) {
    const [one, next] = rest, point = this.to ?? this.from
    switch (one.is) {
      case "filler":
        // `this evening`.
        if (one.text === "this" && next?.is === "part") this.setDay(one.text, to => { to.day = this.today })
        return 1
      case "ahead": return this.takeAhead(rest)
      case "next": {
        const isWeek = next?.is === "unit" && next.unit === "weeks"
        this.setDay(one.text, to => { to[isWeek ? "isNextWeek" : "isNext"] = true })
        return isWeek ? 2 : 1
      }
      case "tonight":
        this.setDay(one.text, to => { to.day = this.today })
        this.setPart(one.text, "evening")
        return 1
      case "part": this.setPart(one.text, one.part); return 1
      case "ambiguous": throw new Unread("typed.ambiguous", { word: one.text, text: this.text, one: one.one, other: one.other })
      case "dash":
        if ((this.from.hour === undefined && this.ahead === null) || this.to) throw this.unclear(one.text)
        this.to = {}
        return 1
      case "weekday": this.setDay(one.text, to => { to.weekday = one.weekday }); return 1
      case "relative":
        // `heute morgen`, `Samstag morgen`.
        if (one.text === "morgen" && hasDay(point) && point.hour === undefined) this.setPart(one.text, "morning")
        else this.setDay(one.text, to => { to.day = this.today + one.days * dayMs })
        return 1
      case "date": this.setDate(one.text, one.year, one.month, one.day); return 1
      case "month":
        if (next?.is !== "day" && next?.is !== "number" && !isBareNumber(next)) throw this.unclear(one.text)
        return this.setMonth(one.text, rest.slice(2), one.month, next.day ?? next.number ?? next.hour)
      case "half":
        // `am Samstag`.
        if (one.text === "am" && (point.hour === undefined || saysDay(next))) return 1
        this.change(one.text, to => !to.half && to.hour >= 1 && to.hour <= 12, to => { to.half = one.half })
        return 1
      case "span": return this.takeSpan(one)
    }
    if (next?.is === "month" && (one.is === "day" || one.is === "number" || isBareNumber(one))) return this.setMonth(one.text, rest.slice(2), next.month, one.day ?? one.number ?? one.hour)
    if (one.is !== "clock") throw this.unclear(one.text)
    this.change(one.text, to => to.hour === undefined, to => { Object.assign(to, { hour: one.hour, minute: one.minute, half: one.half, isBare: one.isBare }) })
    return 1
  }

  takeSpan({ text, seconds }) {
    const hour = /^(\d{1,2})h$/.exec(text)?.[1]
    // `18h` is a time where none was typed yet.
    if ((this.to ?? this.from).hour === undefined && (this.ahead === null || this.to) && hour !== undefined && +hour <= 24) {
      this.change(text, to => to.hour === undefined, to => { to.hour = +hour })
      return 1
    }
    if ((this.from.hour === undefined && this.ahead === null) || this.to || this.span !== null) throw this.unclear(text)
    this.span = seconds
    return 1
  }

  /** `in 2 hours`, `in einer halben Stunde`, `in 3 days`; but `in the evening` says nothing more than `evening`. */
  takeAhead(rest) {
    const word = rest[0].text
    let count = 1, number = null, isHalf = false
    for (const one of rest.slice(1)) {
      count += 1
      if (one.is === "halved" && !isHalf) isHalf = true
      else if (one.is === "one" && number === null) number = 1
      else if (one.is === "number" && number === null) number = one.number
      else if (isBareNumber(one) && number === null && !isHalf) number = one.hour
      else if (one.is === "span" && count === 2) return this.setAhead(word, one.seconds, count)
      else if (one.is === "unit") {
        const many = number ?? (isHalf ? 1 : 0), isOfDays = one.unit === "days" || one.unit === "weeks"
        if (many <= 0 || (isOfDays && isHalf)) throw this.unclear(word)
        if (!isOfDays) return this.setAhead(word, many * units[one.unit] / (isHalf ? 2 : 1), count)
        this.setDay(word, to => { to.day = this.today + many * units[one.unit] * 1000 })
        return count
      } else if ((one.is === "filler" || one.is === "part") && count === 2) return 1
      else throw this.unclear(word)
    }
    throw this.unclear(word)
  }

  setAhead(word, seconds, count) {
    const { from } = this
    if (this.ahead !== null || this.to || from.hour !== undefined || from.part || hasDay(from)) throw this.unclear(word)
    this.ahead = seconds
    return count
  }

  /** Sets a day, which stands before its time or after it. After a span without a day, it is the span's day. */
  setDay(word, set) {
    if (this.span !== null || (this.ahead !== null && !this.to)) throw this.unclear(word)
    const isOfStart = !this.to || (this.to.hour !== undefined && !hasDay(this.to)), point = isOfStart ? this.from : this.to
    const { weekday, day } = point
    if (point.hour !== undefined && hasDay(point) && !point.isBehind) throw this.unclear(word)
    if (point.hour !== undefined) point.isBehind = true
    set(point)
    // Neither may be said twice.
    const isOther = weekday !== point.weekday || day !== point.day
    if ((weekday !== undefined && weekday !== point.weekday) || (day !== undefined && day !== point.day) || !(isOther || point.isNext || point.isNextWeek)) throw this.unclear(word)
  }

  setPart(word, part) { this.change(word, to => !to.part, to => { to.part = part }) }

  change(word, isFree, set) {
    const point = this.to ?? this.from
    if (!isFree(point) || this.span !== null || (this.ahead !== null && !this.to)) throw this.unclear(word)
    set(point)
  }

  /** The hour that is meant in a part of a day, or the one at which it begins. */
  settlePart(point) {
    const { part, hour, half } = point
    if (!part) return
    if (hour === undefined) {
      point.hour = parts[part]
      // A part of the day that has already begun starts at the next full hour.
      const now = new Date(this.today).getUTCHours(), isToday = point.day !== undefined && startOf(point.day) === startOf(this.today)
      if (isToday && part === "evening" && now >= parts[part] && now < 23) point.hour = now + 1
      return
    }
    if (half && (half === "morning") !== (part === "morning")) throw this.unclear(this.text)
    const other = (hour <= 12 && point.isBare) || hour < 12 ? hour % 12 + 12 : hour
    if (part === "morning" && hour < 12) return
    const isFit = part === "afternoon" ? other >= 12 && other <= 18 : part === "evening" && hour !== 12 && other >= 16 && other <= 24
    if (!isFit) throw this.unclear(this.text)
    point.hour = other
  }

  /** A day and a month's name, with the year if it follows. */
  setMonth(word, rest, month, day) {
    const year = rest[0]?.is === "year" ? rest[0].year : undefined
    this.setDate(word, year, month, day)
    return year === undefined ? 2 : 3
  }

  setDate(word, year, month, day) {
    const { today, text } = this, thisYear = yearOf(today)
    let found = dateOf(year ?? thisYear, month, day)
    // Gone this year, or 29 February: the next year that has it.
    if (year === undefined && (found === undefined || found < startOf(today))) {
      found = [1, 2, 3, 4, 5, 6, 7, 8].map(by => dateOf(thisYear + by, month, day)).find(one => one !== undefined)
    }
    if (found === undefined) throw new Unread("typed.no-date", { word, text })
    this.setDay(word, to => { Object.assign(to, { day: found, isYearless: year === undefined }) })
  }

  /** `6-8pm` means both; `11-1pm` does not. */
  inheritHalf() {
    const { from, to } = this
    if (to?.half === "afternoon" && !from.half && from.isBare && from.hour < 12 && (from.hour < to.hour % 12 || from.hour === to.hour)) from.half = "afternoon"
  }

  /** A day with a time of day. */
  at(day, { hour, minute = 0, half }) {
    return startOf(day) + ((half === "morning" ? hour % 12 : half === "afternoon" ? hour % 12 + 12 : hour) * 60 + minute) * minuteMs
  }

  /** The first day that is meant, today included; the time of day is not looked at. */
  firstDay() {
    const { from, text } = this, start = startOf(this.today)
    if (from.day !== undefined) {
      if (from.weekday !== undefined && from.weekday !== weekdayOf(from.day)) throw new Unread("typed.other-weekday", { text, date: from.day, typed: from.weekday, weekday: weekdayOf(from.day) })
      return startOf(from.day)
    }
    if (from.weekday === undefined) return start
    if (from.isNextWeek) return start + (7 + from.weekday - weekdayOf(start)) * dayMs
    const ahead = (from.weekday - weekdayOf(start) + 7) % 7
    return start + (from.isNext && ahead === 0 ? 7 : ahead) * dayMs
  }

  /** The beginning: on the day that was typed, else the next time it comes. */
  start() {
    const { from, today } = this, day = this.firstDay(), start = this.at(day, from)
    if (from.day !== undefined) {
      // A date without a year that is today and over is next year's; one typed with its year is over.
      if (!from.isYearless || day !== startOf(today) || start >= today) return start
      const date = new Date(day)
      return this.at(dateOf(date.getUTCFullYear() + 1, date.getUTCMonth() + 1, date.getUTCDate()) ?? day, from)
    }
    if (start > today || from.isNext || from.isNextWeek) return start
    return this.at(day + (from.weekday === undefined ? 1 : 7) * dayMs, from)
  }

  /** The end, when one was typed: on its own day, else within the day after the beginning. */
  end(start) {
    const { to } = this
    if (!to) return null
    if (to.hour === undefined) throw this.noTime()
    const day = startOf(start)
    if (to.day !== undefined) {
      // Without a year it is the next such day after the beginning.
      if (!to.isYearless || to.day >= day) return this.at(to.day, to)
      const typed = new Date(to.day), later = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(by => dateOf(yearOf(day) + by, typed.getUTCMonth() + 1, typed.getUTCDate()))
      return this.at(later.find(one => one !== undefined && one >= day) ?? to.day, to)
    }
    if (to.weekday !== undefined) return this.at(day + (to.weekday - weekdayOf(day) + 7) % 7 * dayMs, to)
    const end = this.at(day, to)
    return end > start ? end : this.at(day + dayMs, to)
  }
}

/**
 * One span of time, as instants in milliseconds. `order`: `monthFirst` or `dayFirst`, how `12/25` is read; `lasts`: the seconds of
 * a span whose end is not typed.
 */
export function read(text, { now, zone, order = null, lasts = 3_600 }) {
  const reading = new Reading(text, wallOf(now - now % 1000, zone), order)
  reading.read()
  const moment = wall => {
    const { found, before, after } = instants(wall, zone)
    if (!found.length) throw new Unread("typed.skipped", { text, time: clockOf(wall), before: clockOf(wallOf(before, zone)), after: clockOf(wallOf(after, zone)), zone })
    return found
  }
  let start, wall
  if (reading.ahead === null) {
    wall = reading.start();
    [start] = moment(wall)
  } else {
    // To the minute, as everything that is typed.
    const ahead = now + reading.ahead * 1000
    start = ahead - ahead % minuteMs
    wall = wallOf(start, zone)
  }
  const to = reading.end(wall)
  let end
  if (to === null) end = start + (reading.span ?? lasts) * 1000
  else {
    const found = moment(to)
    // A clock put back between the two: an end that a clock shows twice is the later one.
    end = found[0] > start ? found[0] : found.at(-1)
  }
  if (end <= start) throw new Unread("typed.ends-first", { text })
  if (end <= now) throw new Unread("typed.over", { text })
  return { start, end, isDayBehind: !!reading.from.isBehind }
}

const attempt = work => { try { return work() } catch (error) { if (error instanceof Unread) return null; throw error } }

/** As many spans as the words make: `sat 18-20 sun 12-14`. */
export function readAll(text, how) {
  const times = []
  let rest = text.trim().split(/\s+/).filter(Boolean)
  if (!rest.length) throw new Unread("typed.nothing")
  while (rest.length) {
    let found = null, trouble = null, count = Math.min(rest.length, wordsMax)
    // The problem of the longest attempt is kept, because its sentence names all of the words.
    for (; count > 0; count -= 1) {
      try { found = read(rest.slice(0, count).join(" "), how); break } catch (error) {
        if (!(error instanceof Unread)) throw error
        trouble ??= error
      }
    }
    if (!found) throw trouble
    // `6pm sat 8pm` is Saturday at six and the next eight, or the next six and Saturday at eight.
    if (found.isDayBehind && count > 1) {
      const [one, first, second] = [rest.slice(0, count), rest.slice(0, count - 1), rest.slice(count - 1)].map(all => all.join(" "))
      if (attempt(() => read(first, how)) && attempt(() => readAll(second, how))) throw new Unread("typed.apart", { one, first, second })
    }
    times.push({ start: found.start, end: found.end })
    rest = rest.slice(count)
  }
  return times
}

const monthFirst = new Set(["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "US", "VI"])
const undecided = new Set(["BT", "CA", "CN", "HU", "IR", "JP", "KE", "KP", "KR", "LT", "MN", "NP", "PA", "PH", "SE", "TW", "ZA"])
/** Whether the day or the month comes first in `12/25`, which depends on the territory; null where both are usual, or none is known. */
export function orderOf(locale) {
  const territory = locale.split("-").slice(1).find(one => one.length === 2)?.toUpperCase()
  return !territory || undecided.has(territory) ? null : monthFirst.has(territory) ? "monthFirst" : "dayFirst"
}
