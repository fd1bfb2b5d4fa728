// SPDX-License-Identifier: Apache-2.0
// One thing in a calendar: all there is to it, and the form by which it is made and changed.

import { act, asked, button, field, told, undoable, why } from "./base.js"
import { dayAt, daysBetween, isDay, later, longDay, minutesBetween, plus } from "./calendar-days.js"
import { answerOf, signOf, times } from "./calendar-views.js"
import { ask, fill, h, show } from "./dom.js"
import { household, me, people, place as placeOf, state } from "./state.js"
import { ofTab } from "./store.js"
import { name } from "./voice.js"
import { day as written, knows, span, t, zoneName } from "./words.js"

const words = ["daily", "weekly", "biweekly", "monthly", "yearly"]
const reminders = [0, 10, 30, 60, 120, 1440, 2880, 10080]
const everyCategory = ["none", "celebration", "club", "education", "medical", "music", "other", "outing", "pets", "shopping", "sport", "vacation", "work"]

/** What a calendar is called. */
export function calendarName(one) {
  if (one.name) return one.name
  if (one.kind === "household") return household(one.id)?.name ?? t("names.unknown")
  if (one.kind === "personal") return t("calendar.personal", { member: name(one.owner) })
  return t(one.kind === "toDecide" ? "calendar.to-decide" : one.kind === "added" ? "names.a-calendar" : `calendar.${one.kind}`)
}
export const categoryName = category => knows(`cal.category.${category}`) ? t(`cal.category.${category}`) : category

/** What a rule says: one of the words people know and until when; or null where it says more. */
export function repeats(rule) {
  if (!rule) return { word: "", until: "" }
  const parts = Object.fromEntries(rule.split(";").map(part => part.split("=")))
  const rest = Object.keys(parts).filter(key => !["FREQ", "UNTIL", "INTERVAL", "WKST"].includes(key)), every = parts.INTERVAL ?? "1"
  const isClamped = parts.BYSETPOS === "-1" && rest.every(key => ["BYMONTHDAY", "BYSETPOS", "BYMONTH"].includes(key))
  const word = parts.FREQ === "WEEKLY" && every === "2" && !rest.length ? "biweekly"
    : every !== "1" ? null
    : parts.FREQ === "MONTHLY" || parts.FREQ === "YEARLY" ? (!rest.length || isClamped ? parts.FREQ.toLowerCase() : null)
    : rest.length ? null : { DAILY: "daily", WEEKLY: "weekly" }[parts.FREQ] ?? null
  const [, year, month, date, time] = parts.UNTIL?.match(/^(\d{4})(\d\d)(\d\d)(T\d{6}Z)?/) ?? []
  const until = !year ? "" : time ? dayAt(`${year}-${month}-${date}T${time.slice(1, 3)}:${time.slice(3, 5)}:${time.slice(5, 7)}Z`) : `${year}-${month}-${date}`
  return { word, until }
}

function ruleInWords(rule) {
  const { word, until } = repeats(rule), [year, month, date] = until.split("-").map(Number)
  return [word ? t(`cal.repeat.${word}`) : t("cal.repeat.custom", { rule }), until ? t("cal.repeats-until", { day: written({ year, month, day: date }) }) : ""].filter(Boolean).join(", ")
}

/** Whether it is more than once: by a rule, or on days beside it. */
export const isMany = entry => !!entry.times.repeat || (entry.times.dates ?? []).length > 0

const onDay = text => { const [year, month, day] = text.slice(0, 10).split("-").map(Number); return written({ year, month, day }) }
/** Days beside the rule: those to come, the next ten. */
const otherDays = entry => (entry.times.dates ?? []).filter(one => one.slice(0, 10) >= dayAt(new Date().toISOString())).slice(0, 10).map(onDay).join(", ")

/** For whom an entry is: a word of the form's choice. */
const sightOf = ({ privacy }, audience) => privacy !== "public" ? privacy : Array.isArray(audience) ? "some" : audience ?? "public"
const sees = all => ["everyone", "household", "some"].includes(all.privacy)
  ? { privacy: "public", audience: all.privacy === "some" ? all.named : all.privacy } : { privacy: all.privacy }

/** To how much of what repeats something goes; null where it is left. */
export const scopeOf = (title, choices = ["this", "following", "all"]) => ask(title, close => h("div", {}, h("p", {}, t("cal.scope")),
  choices.map(one => h("button", { type: "button", class: "quiet", "data-scope": one, onclick: () => close(one) }, t(`cal.scope.${one}`))),
  h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

// All there is to it ------------------------------------------------------------------------------------------------

/** Shows an entry as it stands in `item`, and what can be done with it. It follows what others change meanwhile. */
export async function showEntry(item, screen) {
  let shown = { entry: item.entry, remind: [], mayChange: false }
  const inside = h("div", { class: "entry" })
  const next = await ask(item.subject, close => {
    const draw = () => fill(inside, details(item, shown, screen, close))
    const look = async () => {
      try { shown = await asked("entry.show", { entry: item.entry.id }) } catch (error) {
        if (error.code === 1404) { told(t("cal.gone"), { isWrong: true }); return close(null) }
        return
      }
      if (!inside.isConnected) return
      item.entry = shown.entry
      if (item.one.answer !== undefined) {
        const asked = shown.entry.invitees.find(one => one.member === state.snapshot.me)
        item.one = { ...item.one, answer: asked ? answerOf(item, asked) : undefined }
      }
      draw()
    }
    const hear = ({ detail }) => {
      if (!inside.isConnected) return removeEventListener("kin-event", hear)
      if (detail.type.startsWith("entry.") && (detail.data.entry === item.entry.id || detail.data.entry?.id === item.entry.id)) look()
    }
    addEventListener("kin-event", hear)
    draw()
    look()
    return inside
  })
  if (next === "change") return editEntry(item, shown, screen)
  if (next === "remove") return removeEntry(item, screen)
}

/** Whether clocks where it was put down show another time: zones have more than one name. */
const isElsewhere = ({ one, from }) => Number(one.starts.slice(11, 13)) * 60 + Number(one.starts.slice(14, 16)) !== from

function details(item, { entry, remind, mayChange, audience }, screen, close) {
  const mine = entry.invitees.find(one => one.member === state.snapshot.me), exception = entry.exceptions.find(one => one.occurrence === item.one.occurrence)
  const note = exception?.note ?? entry.note, where = item.one.place, sign = signOf(entry.category, screen.categories)
  const calendar = screen.calendars.find(one => one.id === entry.calendar)
  const facts = [
    ["cal.when", `${longDay(item.first)}${item.last !== item.first ? ` – ${longDay(item.last)}` : ""}${item.isAllDay ? "" : `, ${times(item)}`}`],
    entry.times.zone && isElsewhere(item) ? ["cal.zone", `${item.one.starts.slice(11, 16)} ${entry.times.zone}`] : null,
    entry.times.repeat ? ["cal.repeat", ruleInWords(entry.times.repeat)] : null,
    ["cal.dates", otherDays(entry)],
    entry.status !== "confirmed" ? ["cal.status", t(`cal.status.${entry.status}`)] : null,
    where?.text || where?.place ? ["cal.place", where.text ?? placeOf(where.place)?.name] : null,
    ["cal.calendar", calendar ? calendarName(calendar) : t("names.a-calendar")],
    entry.category && entry.category !== "none" ? ["cal.category", [sign, categoryName(entry.category)].filter(Boolean).join(" ")] : null,
    ["cal.owner", name(entry.owner)],
    entry.privacy !== "public" || audience ? ["cal.privacy", Array.isArray(audience) && audience.length ? audience.map(name).join(", ") : t(`cal.privacy.${sightOf(entry, audience)}`)] : null,
    remind.length ? ["cal.remind", remind.map(reminderName).join(", ")] : null,
    entry.stars.length ? ["cal.interested", entry.stars.map(name).join(", ")] : null,
  ].filter(fact => fact?.[1])
  const hasStar = entry.stars.includes(state.snapshot.me)
  return [
    h("dl", {}, facts.map(([key, value]) => [h("dt", {}, t(key)), h("dd", {}, value)])),
    note ? h("p", { class: "words" }, note) : null,
    entry.invitees.length ? h("ul", { class: "rows" }, entry.invitees.map(one => {
      const answer = answerOf(item, one)
      return h("li", { class: "row" }, h("span", { class: "grow" }, h("span", {}, one.member === state.snapshot.me && answer === "none" ? t("cal.invitee.own") : t(`cal.invitee.${answer}`, { name: name(one.member) })), one.note ? h("span", { class: "soft" }, one.note) : null))
    })) : null,
    entry.meeting ? h("p", {}, h("a", { class: "button quiet", href: `#/meetings/${entry.meeting}`, onclick: () => close(null) }, t("cal.to-meeting"))) : null,
    mine && !entry.meeting ? h("div", { class: "answers", role: "group", "aria-label": t("cal.answer-to", { entry: item.subject }) },
      ["accepted", "tentative", "declined"].map(answer => h("button", { type: "button", class: `answer ${{ accepted: "yes", tentative: "ifNeedBe", declined: "no" }[answer]}`,
        "data-answer": answer, "aria-pressed": String(item.one.answer === answer), onclick: () => screen.answer(item, answer) }, t(`cal.answer.${answer}`))),
      isMany(entry) ? h("button", { type: "button", class: "quiet small", onclick: () => screen.answer(item, item.one.answer, true) }, t("cal.answer-all")) : null) : null,
    h("div", { class: "actions" },
      mayChange ? h("button", { type: "button", id: "entry-change", onclick: () => close("change") }, t("cal.change")) : null,
      !mayChange ? button(t("cal.remind-me"), async () => {
        const chosen = await chooseReminders(remind)
        if (chosen) await act("entry.remind", { entry: entry.id, minutes: chosen })
      }, { class: "quiet" }) : null,
      entry.owner === state.snapshot.me || mine ? null : button(t(hasStar ? "cal.unstar" : "cal.star"), () => act("entry.star", { entry: entry.id, on: !hasStar }), { class: "quiet", "aria-pressed": String(hasStar) }),
      mayChange ? h("button", { type: "button", class: "quiet", id: "entry-remove", onclick: () => close("remove") }, t("cal.remove")) : null,
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))),
  ]
}

const reminderName = minutes => minutes ? t("cal.before", { span: minutes % 1440 ? span(minutes * 60) : t("cal.days", { n: minutes / 1440 }) }) : t("cal.when-it-begins")
const reminderChecks = chosen => [...new Set([...reminders, ...chosen])].sort((a, b) => a - b).map(minutes =>
  h("label", { class: "check" }, h("input", { type: "checkbox", name: "remind", value: minutes, checked: chosen.includes(minutes) }), reminderName(minutes)))
const chooseReminders = chosen => ask(t("cal.remind"), close => h("form", { onsubmit: event => {
  event.preventDefault()
  close([...event.target.querySelectorAll("[name=remind]:checked")].map(one => Number(one.value)))
} }, h("div", { class: "ticks" }, reminderChecks(chosen)), h("button", { type: "submit" }, t("act.save")),
h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

/** Takes it away: all of it can be brought back. */
export async function removeEntry(item, screen) {
  const scope = isMany(item.entry) ? await scopeOf(t("cal.remove")) : "all"
  if (!scope) return
  const params = { entry: item.entry.id, scope, ...(scope === "all" ? {} : { occurrence: item.one.occurrence }) }
  undoable(t("cal.removed", { entry: item.subject }), "entry.remove", params, () => screen.hide(item, scope), () => screen.unhide(item))
}

// The form ----------------------------------------------------------------------------------------------------------

/** A new one, with what is known of it. */
export const newEntry = (begun, screen) => form(null, { subject: "", note: "", place: "", category: "none", privacy: "public", calendar: screen.calendars.find(one => one.id === state.snapshot.me)?.id ?? screen.writable()[0]?.id,
  invitees: [], named: [], remind: [], isAllDay: false, repeat: "", until: "", ...begun }, screen)

/** Changes one. */
export function editEntry(item, { entry, remind, audience }, screen) {
  const { word, until } = repeats(entry.times.repeat), exception = entry.exceptions.find(one => one.occurrence === item.one.occurrence)
  const starts = item.one.starts, isAllDay = !entry.times.zone
  const end = isAllDay ? plus(starts, (exception?.days ?? entry.times.days ?? 1) - 1) : later(starts, exception?.minutes ?? entry.times.minutes ?? 60)
  return form({ item, entry }, { subject: item.subject, note: exception?.note ?? entry.note ?? "", place: item.one.place?.text ?? "", category: entry.category ?? "none",
    privacy: sightOf(entry, audience), named: Array.isArray(audience) ? audience : [], calendar: entry.calendar, invitees: entry.invitees.map(one => one.member), remind, isAllDay,
    startDay: starts.slice(0, 10), startTime: isAllDay ? "18:00" : starts.slice(11, 16), endDay: end.slice(0, 10), endTime: isAllDay ? "19:00" : end.slice(11, 16),
    repeat: entry.times.repeat && !word ? "custom" : word, until }, screen)
}

async function form(of, before, screen) {
  const draftKey = `kinwire.entry.${of ? of.item.key : "new"}`
  let draft = null
  try { draft = JSON.parse(ofTab.getItem(draftKey)) } catch { /* Nothing was typed before. */ }
  const made = await ask(t(of ? "cal.change" : "cal.new"), close => {
    const now = { ...before, ...draft }
    const input = (key, props = {}) => { const one = h("input", { name: key, autocomplete: "off", ...props }); one.value = now[key] ?? ""; return one }
    const choice = (key, values) => h("select", { name: key }, values.map(([value, text]) => h("option", { value, selected: value === now[key] }, text)))
    const subject = input("subject", { maxlength: 200, required: true, id: "entry-subject" }), isAllDay = h("input", { type: "checkbox", name: "isAllDay", checked: now.isAllDay })
    const [startDay, endDay] = ["startDay", "endDay"].map(key => input(key, { type: "date", required: true, "aria-label": t(`cal.part.${key}`) }))
    const [startTime, endTime] = ["startTime", "endTime"].map(key => input(key, { type: "time", required: true, "aria-label": t(`cal.part.${key}`) }))
    const repeat = choice("repeat", [["", t("cal.repeat.none")], ...words.map(one => [one, t(`cal.repeat.${one}`)]), ...(before.repeat === "custom" ? [["custom", t("cal.repeat.as-it-is")]] : [])])
    const until = input("until", { type: "date" }), untilField = field(t("cal.until-day"), until, t("cal.until-hint"))
    const note = h("textarea", { name: "note", rows: 2, maxlength: 4000 })
    note.value = now.note
    const own = screen.writable()
    if (!own.some(one => one.id === before.calendar)) own.push(...screen.calendars.filter(one => one.id === before.calendar))
    const calendar = choice("calendar", own.map(one => [one.id, calendarName(one)]))
    const category = choice("category", [...new Set([...everyCategory, ...screen.categories.map(one => one.name), before.category])].map(one => [one, categoryName(one)]))
    // For whom it is, its owner and admins choose.
    const mayChoose = !of || of.entry.owner === state.snapshot.me || me()?.role === "admin"
    const sights = ["public", ...(mayChoose ? ["household", "some"] : []), "private"]
    const privacy = choice("privacy", [...new Set([...sights, before.privacy])].map(one => [one, t(`cal.privacy.${one}`)]))
    const checks = key => people().filter(one => one.id !== (of?.entry.owner ?? me()?.id)).sort((a, b) => a.displayName.localeCompare(b.displayName))
      .map(one => h("label", { class: "check" }, h("input", { type: "checkbox", name: key, value: one.id, checked: now[key].includes(one.id) }), one.displayName))
    const boxes = checks("invitees"), those = h("fieldset", {}, h("legend", {}, t("list.for.whom")), checks("named"))
    const chosen = key => [...element.querySelectorAll(`[name=${key}]:checked`)].map(one => one.value)
    const typed = () => ({ subject: subject.value.trim(), isAllDay: isAllDay.checked, startDay: startDay.value, startTime: startTime.value, endDay: endDay.value, endTime: endTime.value,
      repeat: repeat.value, until: until.value, note: note.value.trim(), place: place.value.trim(), calendar: calendar.value, category: category.value, privacy: privacy.value,
      invitees: chosen("invitees"), named: chosen("named"), remind: [...element.querySelectorAll("[name=remind]:checked")].map(one => Number(one.value)) })
    const place = input("place", { maxlength: 200, list: "known-places" })
    const wrong = h("p", { class: "wrong", role: "alert", hidden: true }), refuse = text => { wrong.textContent = text; show(wrong, text); if (text) wrong.scrollIntoView({ block: "center" }) }
    const subjectField = field(t("cal.subject"), subject), ends = field(t("cal.ends"), endDay), privacyField = field(t("cal.privacy"), privacy, t("cal.privacy-hint"))
    const arrange = () => {
      for (const one of [startTime, endTime]) { show(one, !isAllDay.checked); one.required = !isAllDay.checked }
      show(untilField, words.includes(repeat.value))
      const hint = privacyField.querySelector(".hint")
      hint.textContent = t(["private", "confidential"].includes(privacy.value) ? "cal.privacy-hint" : "cal.audience-hint")
      show(hint, privacy.value !== "public")
      show(those, privacy.value === "some")
    }
    // The end moves with the beginning.
    let [lastDay, lastTime] = [now.startDay, now.startTime]
    const follow = () => {
      if (isDay(startDay.value) && isDay(endDay.value) && startTime.value && endTime.value) {
        const moved = later(`${endDay.value}T${endTime.value}`, minutesBetween(`${lastDay}T${lastTime}`, `${startDay.value}T${startTime.value}`))
        endDay.value = moved.slice(0, 10)
        endTime.value = moved.slice(11, 16)
        lastDay = startDay.value
        lastTime = startTime.value
      }
    }
    startDay.onchange = follow
    startTime.onchange = follow
    const element = h("form", { id: "entry-form", oninput: () => { arrange(); ofTab.setItem(draftKey, JSON.stringify(typed())) }, onsubmit: async event => {
      event.preventDefault()
      refuse("")
      subjectField.refuse(null)
      const all = typed(), submit = event.submitter
      if (!all.subject) return subjectField.refuse(t("cal.no-subject"))
      submit?.setAttribute("aria-busy", "true")
      try {
        const answer = of ? await change(of, before, all, screen) : await asked("entry.add", whole(all))
        if (!answer) return
        ofTab.removeItem(draftKey)
        close(answer)
      } catch (error) {
        refuse(why(error))
      } finally { submit?.removeAttribute("aria-busy") }
    } },
    draft ? h("p", { class: "hint" }, `${t("cal.draft")} `, h("button", { type: "button", class: "quiet small", onclick: () => { ofTab.removeItem(draftKey); close("anew") } }, t("cal.anew"))) : null,
    subjectField, h("label", { class: "check" }, isAllDay, t("cal.whole-days")),
    of && of.entry.times.zone && of.entry.times.zone !== zoneName() ? h("p", { class: "hint" }, t("cal.of-zone", { zone: of.entry.times.zone })) : null,
    h("div", { class: "from-to" }, timed(field(t("cal.begins"), startDay), startTime), timed(ends, endTime)),
    field(t("cal.repeat"), repeat), untilField, field(t("cal.place"), place),
    h("datalist", { id: "known-places" }, (state.snapshot.places ?? []).map(one => h("option", { value: one.name }))),
    field(t("cal.calendar"), calendar), field(t("cal.category"), category),
    h("details", { class: "done", open: now.invitees.length > 0 }, h("summary", {}, t("cal.invite")), h("div", { class: "ticks" }, boxes.length ? boxes : h("p", { class: "empty" }, t("propose.alone")))),
    h("details", { class: "done", open: now.remind.length > 0 }, h("summary", {}, t("cal.remind")), h("div", { class: "ticks" }, reminderChecks(now.remind))),
    field(t("cal.note"), note), privacyField, those, wrong,
    h("button", { type: "submit" }, t(of ? "act.save" : "cal.add")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
    arrange()
    return element
  })
  if (made === "anew") return form(of, before, screen)
  if (made) told(t(of ? "cal.changed" : "cal.added"))
  return made
}

/** A day with its time beside it. */
function timed(element, time) { element.querySelector("input").after(time); return element }

function whole(all) {
  return { subject: all.subject, ...when(all), calendar: all.calendar, category: all.category, ...sees(all), invitees: all.invitees, remind: all.remind,
    ...(all.isAllDay ? {} : { zone: zoneName() }), ...(all.repeat ? { repeat: all.repeat, ...(all.until ? { until: all.until } : {}) } : {}),
    ...(all.note ? { note: all.note } : {}), ...(all.place ? { place: all.place } : {}) }
}

const when = all => ({ start: all.isAllDay ? all.startDay : `${all.startDay}T${all.startTime}`, end: all.isAllDay ? all.endDay : `${all.endDay}T${all.endTime}` })
const lasting = all => all.isAllDay ? { days: daysBetween(all.startDay, all.endDay) + 1 } : { minutes: minutesBetween(when(all).start, when(all).end) }

/** Says what is another; of the rest what others said meanwhile stands. Null where the question for how much of it was left. */
async function change({ item, entry }, before, all, screen) {
  const said = {}, [was, is] = [when(before), when(all)]
  if (is.end < is.start) throw { code: 1422, message: "It ends before it begins." }
  if (was.start !== is.start) said.start = is.start
  if (JSON.stringify(lasting(before)) !== JSON.stringify(lasting(all))) Object.assign(said, lasting(all))
  if (before.isAllDay && !all.isAllDay) said.zone = zoneName()
  for (const key of ["subject", "category", "calendar"]) if (before[key] !== all[key]) said[key] = all[key]
  for (const key of ["note", "place"]) if (before[key] !== all[key]) said[key] = all[key] || null
  const [saw, sight] = [sees(before), sees(all)]
  if (saw.privacy !== sight.privacy) said.privacy = sight.privacy
  if (String([saw.audience ?? ""]) !== String([sight.audience ?? ""]) || Array.isArray(saw.audience) !== Array.isArray(sight.audience)) said.audience = sight.audience ?? null
  if (String([...before.invitees].sort()) !== String([...all.invitees].sort())) said.invitees = all.invitees
  if (all.repeat !== "custom" && (before.repeat !== all.repeat || before.until !== all.until)) Object.assign(said, { repeat: all.repeat || null }, all.repeat && all.until ? { until: all.until } : {})
  if (String(before.remind) !== String(all.remind)) await asked("entry.remind", { entry: entry.id, minutes: all.remind })
  if (!Object.keys(said).length) return { entry }
  const isOfAll = ["repeat", "zone", "calendar", "invitees", "category", "privacy", "audience"].some(key => key in said) || before.isAllDay !== all.isAllDay
  const scope = isMany(entry) ? await scopeOf(t("cal.change"), isOfAll ? ["following", "all"] : ["this", "following", "all"]) : "all"
  if (!scope) return null
  return asked("entry.update", { entry: entry.id, scope, occurrence: item.one.occurrence, ...said })
}
