// SPDX-License-Identifier: Apache-2.0
// Sentences, times and distances in the reader's language, from the same messages that `kin` speaks with.

import { now } from "./served.js"

const file = { en: () => import("./words.en.js"), de: () => import("./words.de.js") }
let phrases = {}, refusals = {}, tag = "en", zone, is12, wall

/** The languages that are spoken. */
export const languages = Object.keys(file)

/** Chooses language, zone and clock: the member's settings, else the browser's. */
export async function speak(settings = {}) {
  const wanted = [settings.language, ...(navigator.languages ?? [])].filter(Boolean).map(one => one.slice(0, 2))
  const has = Object.keys(phrases).length
  let language = wanted.find(one => file[one]) ?? "en"
  if (tag !== language || !has) {
    // Where a newer page is served, the words of this one may be had no more: it goes on as it speaks.
    try { ({ phrases, refusals } = await file[language]()) } catch (error) { if (!has) throw error; language = tag }
  }
  tag = language
  document.documentElement.lang = language
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  zone = isZone(settings.zone) ? settings.zone : own
  // The browser's own form of that language (en-GB, de-AT), else the language as such.
  const manner = (navigator.languages ?? []).find(one => one.slice(0, 2) === language) ?? language
  is12 = settings.clock ? settings.clock === "hours12" : new Intl.DateTimeFormat(manner, { hour: "numeric" }).resolvedOptions().hour12 === true
  wall = new Intl.DateTimeFormat("en", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric",
    day: "numeric", hour: "numeric", minute: "numeric", weekday: "short" })
}
const isZone = name => { try { return !!name && !!new Intl.DateTimeFormat("en", { timeZone: name }) } catch { return false } }

export const language = () => tag
export const zoneName = () => zone

/** Whether there is a phrase; the page's own come before those that `kin` says too. */
export const knows = key => `web.${key}` in phrases || key in phrases

/** The phrase of a key, its values filled in: `{name}`, and `{n|one|other}` by the number. */
export function t(key, values = {}) {
  const text = phrases[`web.${key}`] ?? phrases[key]
  if (text === undefined) return key
  return text.replace(/\{([^{}]*)\}/g, (_, inside) => {
    const [name, one, other] = inside.split("|")
    if (other === undefined) return String(values[name] ?? name)
    return ["1", "-1"].includes(String(values[name])) ? one : other
  })
}

/** Why the daemon refused, in the reader's language. It says so in English; what has no other words stays as it is. */
export function refusal(sentence) {
  if (refusals[sentence] !== undefined) return refusals[sentence]
  let best = null
  for (const [key, text] of Object.entries(refusals)) {
    const names = [], own = key.replace(/\{[^{}]*\}/g, "").length
    if (best && own <= best.own) continue
    const pattern = key.split(/(\{[^{}]*\})/).map(part => {
      if (!part.startsWith("{")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      names.push(part.slice(1, -1).split("|")[0])
      return "([^]+?)"
    }).join("")
    const found = names.length ? new RegExp(`^${pattern}$`).exec(sentence) : null
    if (found) best = { own, text, values: Object.fromEntries(names.map((name, at) => [name, found[at + 1]])) }
  }
  return best ? best.text.replace(/\{([^{}|]*)[^{}]*\}/g, (_, name) => best.values[name] ?? name) : sentence
}

// Times ------------------------------------------------------------------------------------------------------------

const two = number => String(number).padStart(2, "0")
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

/** What clock and calendar on the reader's wall show. */
export function civil(instant) {
  const parts = Object.fromEntries(wall.formatToParts(new Date(instant)).map(part => [part.type, part.value]))
  return { year: +parts.year, month: +parts.month, day: +parts.day, hour: +parts.hour, minute: +parts.minute,
    weekday: weekdays.indexOf(parts.weekday) + 1 }
}

/** A moment as an input of the browser has it, by that clock, which may show another zone than this device's. */
export function local(instant) {
  const { year, month, day, hour, minute } = civil(instant)
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`
}
/** The moment at which that clock shows what was typed into such an input. */
export function moment(typed) {
  const wanted = Date.parse(`${typed}Z`)
  let at = wanted
  for (let turn = 0; turn < 2; turn += 1) at += wanted - Date.parse(`${local(at)}Z`)
  return at
}

const isSameDay = (a, b) => a.year === b.year && a.month === b.month && a.day === b.day

/** `18:04`, or `6:04 PM`. */
export function clock(wall) {
  if (!is12) return `${two(wall.hour)}:${two(wall.minute)}`
  return t(wall.hour < 12 ? "time.morning" : "time.afternoon", { time: `${(wall.hour + 11) % 12 + 1}:${two(wall.minute)}` })
}
export const weekday = wall => t(`weekday.${wall.weekday}`)
export const month = number => t(`month.${number}`)

/** Writes days of the calendar as all sentences do: the day stands before the month. */
export const dated = form => new Intl.DateTimeFormat(tag === "en" ? "en-GB" : tag, { timeZone: "UTC", ...form })

/** `22 Nov`, with the year unless it is this one's. */
export function day(wall, today = civil(now())) {
  return wall.year === today.year ? t("time.day", { day: wall.day, month: month(wall.month) })
    : t("time.day-of-year", { day: wall.day, month: month(wall.month), year: wall.year })
}

/** `18:04` today, `Sun 18:04` within six days, `22 Nov 18:04` else. */
export function near(instant, at = now()) {
  const then = civil(instant), today = civil(at)
  if (isSameDay(then, today)) return clock(then)
  const days = (new Date(instant) - at) / 86_400_000
  return days > -6 && days < 6 ? `${weekday(then)} ${clock(then)}` : `${day(then, today)} ${clock(then)}`
}

/** `Sun 22 Nov 17:00–19:00`, and `Fri 20 Nov 18:00 – Sun 22 Nov 12:00` over days. */
export function range(start, end) {
  const from = civil(start), to = civil(end)
  const whole = wall => `${weekday(wall)} ${day(wall)} ${clock(wall)}`
  const isShort = isSameDay(from, to) || new Date(end) - new Date(start) < 18 * 3_600_000
  return isShort ? `${whole(from)}–${clock(to)}` : `${whole(from)} – ${whole(to)}`
}

/** `just now`, `3 min ago`, `in 2 h`. */
export function age(instant, at = now()) {
  const seconds = Math.trunc((at - new Date(instant)) / 1000)
  if (seconds >= -30 && seconds < 60) return t("age.now")
  return t(seconds < 0 ? "age.ahead" : "age.behind", { span: span(Math.abs(seconds), true) })
}

/** `40 s`, `3 min`, `2 h`, `5 days`. */
export function span(seconds, isAfterPreposition = false) {
  if (seconds < 60) return t("span.seconds", { n: seconds })
  if (seconds < 3600) return t("span.minutes", { n: Math.trunc(seconds / 60) })
  if (seconds < 172_800) return t("span.hours", { n: Math.trunc(seconds / 3600) })
  return t(isAfterPreposition ? "span.of-days" : "span.days", { n: Math.trunc(seconds / 86_400) })
}

/** `40 m`, `2.3 km`, `120 km`. */
export function distance(metres) {
  if (metres < 995) return t("distance.metres", { n: Math.round(metres / 10) * 10 })
  if (metres < 9950) return t("distance.kilometres", { n: (metres / 1000).toFixed(1).replace(".", t("number.point")) })
  return t("distance.kilometres", { n: Math.round(metres / 1000) })
}

/** `Ada, Ben and Cleo`. */
export function list(names, key = "several.and") {
  if (names.length < 2) return names[0] ?? ""
  return t(key, { names: names.slice(0, -1).join(", "), last: names.at(-1) })
}
