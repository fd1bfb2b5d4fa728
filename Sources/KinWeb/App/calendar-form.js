// SPDX-License-Identifier: Apache-2.0
// The form by which something is put into a calendar, and changed. It is of use only while the daemon is there.

import { asked, field, once, told, why } from "./base.js"
import { daysBetween, isDay, later, minutesBetween, plus } from "./calendar-days.js"
import { calendarName, categoryName, isMany, reminderChecks, remindersIn, remindersOf, scopeOf, sees, sightOf } from "./calendar-entry.js"
import { instantOf, isZone, wallOf } from "./calendar-rule.js"
import { datesEditor, ruleEditor } from "./calendar-rule-form.js"
import { ask, fill, h, say, show } from "./dom.js"
import { household, me, people, place as placeOf, state } from "./state.js"
import { ofTab } from "./store.js"
import { name } from "./voice.js"
import { list, range, t, zoneName } from "./words.js"

const everyCategory = ["none", "celebration", "club", "education", "medical", "music", "other", "outing", "pets", "shopping", "sport", "vacation", "work"]

/** A new one, with what is known of it. It is the family's business until another calendar is chosen; below its title stands who sees it. */
export function newEntry(begun, screen) {
  const all = screen.writable(), calendar = all.find(one => one.kind === "family") ?? all.find(one => one.id === state.snapshot.me) ?? all[0]
  return form(null, { subject: "", note: "", place: "", category: "none", privacy: "public", calendar: calendar?.id,
    invitees: [], named: [], remind: remindersOf(calendar, screen), isAllDay: false, repeat: "", dates: [], zone: zoneName(), ...begun }, screen)
}

/** Changes one. */
export function editEntry(item, { entry, remind, audience }, screen) {
  const exception = entry.exceptions.find(one => one.occurrence === item.one.occurrence)
  const starts = item.one.starts, isAllDay = !entry.times.zone
  const end = isAllDay ? plus(starts, (exception?.days ?? entry.times.days ?? 1) - 1)
    : isZone(entry.times.zone) ? new Date(wallOf(Date.parse(item.one.end), entry.times.zone)).toISOString().slice(0, 16) : later(starts, exception?.minutes ?? entry.times.minutes ?? 60)
  return form({ item, entry }, { subject: item.subject, note: exception?.note ?? entry.note ?? "", place: item.one.place?.text ?? placeOf(item.one.place?.mapPlace)?.name ?? "", category: entry.category ?? "none",
    privacy: sightOf(entry, audience), named: Array.isArray(audience) ? audience : [], calendar: entry.calendar, invitees: entry.invitees.map(one => one.member), remind, isAllDay,
    startDay: starts.slice(0, 10), startTime: isAllDay ? "18:00" : starts.slice(11, 16), endDay: end.slice(0, 10), endTime: isAllDay ? "19:00" : end.slice(11, 16),
    repeat: entry.times.repeat ?? "", dates: entry.times.dates ?? [], zone: entry.times.zone ?? zoneName() }, screen)
}

/** Who sees what stands in a calendar, in a sentence. Whom others let into their calendars only they are told. */
function seenBy(of, calendar, all, screen) {
  const isMine = !of || of.entry.owner === state.snapshot.me, isClosed = ["private", "confidential"].includes(all.privacy)
  if (isClosed ? !isMine : all.privacy !== "public") return `${t("cal.privacy")}: ${t(`cal.privacy.${all.privacy}`)}`
  const isOthers = calendar.owner && calendar.owner !== state.snapshot.me
  const grants = isClosed ? [] : (screen.shared ?? []).find(one => one.calendar === calendar.id)?.with.filter(one => one.right !== "busy").map(one => one.with) ?? []
  if (!isClosed && calendar.kind === "family" || grants.includes("everyone")) return t("cal.seen.family")
  if (!isClosed && (!isMine || isOthers)) return t("cal.seen.calendar")
  const homes = isOthers ? [calendar.owner] : !isClosed && calendar.kind === "household" ? [calendar.id] : []
  const names = [...new Set([...homes, ...grants, ...all.invitees])].map(one => household(one)?.name ?? name(one))
  return names.length ? t("cal.seen.some", { names: list(names) }) : t("cal.seen.you")
}

async function form(of, before, screen) {
  const draftKey = `kinwire.entry.${of ? of.item.key : "new"}`
  let draft = null
  try { draft = JSON.parse(ofTab.getItem(draftKey)) } catch { /* Nothing was typed before. */ }
  if (draft && !of) begin(draft, before)
  const begun = { startDay: before.startDay, startTime: before.startTime }
  let becomes = ""
  const made = await ask(t(of ? "cal.change" : "cal.new"), close => {
    const now = { ...before, ...draft }
    const input = (key, props = {}) => { const one = h("input", { name: key, autocomplete: "off", ...props }); one.value = now[key] ?? ""; return one }
    const choice = (key, values) => h("select", { name: key }, values.map(([value, text]) => h("option", { value, selected: value === now[key] }, text)))
    const subject = input("subject", { maxlength: 200, required: true, id: "entry-subject" }), isAllDay = h("input", { type: "checkbox", name: "isAllDay", checked: now.isAllDay })
    const [startDay, endDay] = ["startDay", "endDay"].map(key => input(key, { type: "date", required: true, "aria-label": t(`cal.part.${key}`) }))
    const [startTime, endTime] = ["startTime", "endTime"].map(key => input(key, { type: "time", required: true, "aria-label": t(`cal.part.${key}`) }))
    const zone = input("zone", { list: "entry-zones", maxlength: 64, spellcheck: "false", id: "entry-zone", onfocus: () => { if (!zones.firstChild) fill(zones, (Intl.supportedValuesOf?.("timeZone") ?? []).map(value => h("option", { value }))) } })
    const zones = h("datalist", { id: "entry-zones" }), zoneField = field(t("cal.zone-of"), zone), there = h("p", { class: "hint", id: "zone-there", "aria-live": "polite" })
    const elsewhere = h("details", { class: "done", id: "entry-elsewhere", open: now.zone !== zoneName() }, h("summary", {}, t("cal.zone-other")), zoneField, zones, there)
    const zoneSaid = () => zone.value.trim() || zoneName()
    /** Since when it repeats: what stands in a series begins with its first, unless it is moved. */
    const since = () => ({ start: of && startDay.value === before.startDay || !isDay(startDay.value) ? of?.entry.times.start ?? before.startDay : startDay.value, zone: isAllDay.checked ? undefined : zoneSaid() })
    /** How many days from where it stands. */
    const moved = () => of && isDay(startDay.value) ? daysBetween(before.startDay, startDay.value) : 0
    const rule = ruleEditor(before.repeat, { start: of?.entry.times.start ?? before.startDay, zone: before.isAllDay ? undefined : before.zone }, now.rule ? { said: now.rule, start: startDay.value, moved: moved() } : null)
    const dates = datesEditor(now.dates)
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
      rule: rule.typed(), dates: dates.value(), zone: zone.value.trim(), note: note.value.trim(), place: place.value.trim(), calendar: calendar.value, category: category.value, privacy: privacy.value,
      invitees: chosen("invitees"), named: chosen("named"), remind: remindersIn(element), begun })
    const place = input("place", { maxlength: 200, list: "known-places" })
    const wrong = h("p", { class: "wrong", role: "alert", hidden: true }), refuse = text => { wrong.textContent = text; show(wrong, text); if (text) wrong.scrollIntoView({ block: "center" }) }
    const subjectField = field(t("cal.subject"), subject), ends = field(t("cal.ends"), endDay), privacyField = field(t("cal.privacy"), privacy, t("cal.privacy-hint"))
    const seen = h("p", { class: "hint", id: "entry-seen", "aria-live": "polite" })
    const arrange = () => {
      const into = own.find(one => one.id === calendar.value), sight = into ? seenBy(of, into, { privacy: privacy.value, invitees: chosen("invitees") }, screen) : ""
      say(seen, sight)
      becomes = into ? t("cal.added", { calendar: calendarName(into), sight }) : ""
      for (const one of [startTime, endTime]) { show(one, !isAllDay.checked); one.required = !isAllDay.checked }
      rule.follow(since(), of ? moved() : null)
      dates.follow(isAllDay.checked ? "" : startTime.value)
      const isThere = !isAllDay.checked && isZone(zoneSaid()) && zoneSaid() !== zoneName() && isDay(startDay.value) && isDay(endDay.value) && startTime.value && endTime.value
      show(elsewhere, !isAllDay.checked)
      if (isThere) say(there, [t("cal.of-zone", { zone: zoneSaid() }), t("cal.zone-here", { time: range(...[[startDay, startTime], [endDay, endTime]].map(([day, time]) => instantOf(`${day.value}T${time.value}`, zoneSaid()))) })].join(" "))
      show(there, isThere)
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
    // A new one reminds as its calendar does, until another choice was made.
    const reminding = h("div", { class: "ticks" }, reminderChecks(now.remind)), remindAs = () => remindersOf(own.find(one => one.id === calendar.value), screen)
    let isRemindChosen = !!of || String([...now.remind].sort()) !== String([...remindAs()].sort())
    reminding.addEventListener("change", () => { isRemindChosen = true })
    calendar.onchange = () => { if (!isRemindChosen) fill(reminding, reminderChecks(remindAs())) }
    startDay.onchange = follow
    startTime.onchange = follow
    const element = h("form", { id: "entry-form", oninput: () => { arrange(); ofTab.setItem(draftKey, JSON.stringify(typed())) }, onsubmit: async event => {
      event.preventDefault()
      refuse("")
      subjectField.refuse(null)
      zoneField.refuse(null)
      const all = { ...typed(), zone: zoneSaid(), repeat: rule.value(), isRuleChosen: rule.isChosen() }, submit = event.submitter
      if (!all.subject) return subjectField.refuse(t("cal.no-subject"))
      // One that this browser does not know, and that stands there already, is the daemon's business.
      if (!all.isAllDay && all.zone !== before.zone && !isZone(all.zone)) { elsewhere.open = true; return zoneField.refuse(t("cal.no-zone")) }
      submit?.setAttribute("aria-busy", "true")
      try {
        const answer = of ? await change(of, before, all, screen) : await once("entry.add", whole(all))
        if (!answer) return
        ofTab.removeItem(draftKey)
        close(answer)
      } catch (error) {
        refuse(why(error))
      } finally { submit?.removeAttribute("aria-busy") }
    } },
    draft ? h("p", { class: "hint" }, `${t("cal.draft")} `, h("button", { type: "button", class: "quiet small", onclick: () => { ofTab.removeItem(draftKey); close("anew") } }, t("cal.anew"))) : null,
    subjectField, field(t("cal.calendar"), calendar), seen, h("label", { class: "check" }, isAllDay, t("cal.whole-days")),
    h("div", { class: "from-to" }, timed(field(t("cal.begins"), startDay), startTime), timed(ends, endTime)),
    elsewhere, rule.element, dates.element, field(t("cal.place"), place),
    h("datalist", { id: "known-places" }, (state.snapshot.places ?? []).map(one => h("option", { value: one.name }))),
    field(t("cal.category"), category),
    h("details", { class: "done", open: now.invitees.length > 0 }, h("summary", {}, t("cal.invite")), h("div", { class: "ticks" }, boxes.length ? boxes : h("p", { class: "empty" }, t("propose.alone")))),
    h("details", { class: "done", open: now.remind.length > 0 }, h("summary", {}, t("cal.remind")), reminding),
    field(t("cal.note"), note), privacyField, those, wrong,
    h("button", { type: "submit" }, t(of ? "act.save" : "cal.add")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
    arrange()
    return element
  })
  if (made === "anew") return form(of, before, screen)
  if (made) told(of ? t("cal.changed") : becomes)
  return made
}

/** What was typed of a new one begins where one tapped now, unless that is where one tapped then; it lasts as long. */
function begin(draft, before) {
  const when = one => [`${one.startDay}T${one.startTime}`, `${one.endDay}T${one.endTime}`], lasts = minutesBetween(...when(draft))
  for (const key of ["startDay", "startTime"]) if (draft.begun?.[key] !== before[key]) draft[key] = before[key]
  if (Number.isNaN(lasts)) return Object.assign(draft, { startDay: before.startDay, startTime: before.startTime, endDay: before.endDay, endTime: before.endTime })
  const end = later(when(draft)[0], lasts)
  return Object.assign(draft, { endDay: end.slice(0, 10), endTime: end.slice(11) })
}

/** The place of the map that is called so: its words stand for those who do not see it. */
const mapPlaceOf = text => (state.snapshot.places ?? []).find(one => one.name === text)?.id ?? null

/** A day with its time beside it. */
function timed(element, time) { element.querySelector("input").after(time); return element }

function whole(all) {
  return { subject: all.subject, ...when(all), calendar: all.calendar, category: all.category, ...sees(all), invitees: all.invitees, remind: all.remind,
    ...(all.isAllDay ? {} : { zone: all.zone }), ...(all.repeat ? { repeat: all.repeat } : {}), ...(all.dates.length ? { dates: datesOf(all) } : {}),
    ...(all.note ? { note: all.note } : {}), ...(all.place ? { place: all.place, ...(mapPlaceOf(all.place) ? { mapPlace: mapPlaceOf(all.place) } : {}) } : {}) }
}

const when = all => ({ start: all.isAllDay ? all.startDay : `${all.startDay}T${all.startTime}`, end: all.isAllDay ? all.endDay : `${all.endDay}T${all.endTime}` })
/** Days beside the rule as they are sent: a new one has the beginning's time of day, and all move along with it, which are so far behind what it was. */
const datesOf = (all, by = 0) => all.dates.map(one => all.isAllDay ? one.slice(0, 10) : one.length > 10 ? later(one, by) : `${one}T${all.startTime}`)
const lasting = all => all.isAllDay ? { days: daysBetween(all.startDay, all.endDay) + 1 } : { minutes: passing(when(all), all.zone) }
/** Minutes as they pass: on a night on which a zone's clocks change, more or fewer than between what they show. */
const passing = ({ start, end }, zone) => isZone(zone) ? Math.round((instantOf(end, zone) - instantOf(start, zone)) / 60_000) : minutesBetween(start, end)

/** Says what is another; of the rest what others said meanwhile stands. Null where the question for how much of it was left. */
async function change({ item, entry }, before, all, screen) {
  const said = {}, [was, is] = [when(before), when(all)]
  if (is.end < is.start) throw { code: 1422, message: "It ends before it begins." }
  if (was.start !== is.start) said.start = is.start
  if (JSON.stringify(lasting(before)) !== JSON.stringify(lasting(all))) Object.assign(said, lasting(all))
  if (!all.isAllDay && (before.isAllDay || before.zone !== all.zone)) said.zone = all.zone
  for (const key of ["subject", "category", "calendar"]) if (before[key] !== all[key]) said[key] = all[key]
  for (const key of ["note", "place"]) if (before[key] !== all[key]) said[key] = all[key] || null
  // Another place is on another spot.
  if ("place" in said) {
    if (item.one.place?.lat !== undefined) Object.assign(said, { lat: null, lon: null })
    if (mapPlaceOf(all.place) !== (item.one.place?.mapPlace ?? null)) said.mapPlace = mapPlaceOf(all.place)
  }
  const [saw, sight] = [sees(before), sees(all)]
  if (saw.privacy !== sight.privacy) said.privacy = sight.privacy
  if (JSON.stringify(saw.audience) !== JSON.stringify(sight.audience)) said.audience = sight.audience ?? null
  if (String([...before.invitees].sort()) !== String([...all.invitees].sort())) said.invitees = all.invitees
  if (before.repeat !== all.repeat) said.repeat = all.repeat || null
  const isOfDates = String(before.dates) !== String(all.dates)
  if (isOfDates) said.dates = datesOf(all, before.isAllDay || all.isAllDay ? 0 : minutesBetween(was.start, is.start))
  if (String(before.remind) !== String(all.remind)) await asked("entry.remind", { entry: entry.id, minutes: all.remind })
  if (!Object.keys(said).length) return { entry }
  // A rule that only follows another day is none that was chosen: a single one may be moved.
  const isOfAll = ["zone", "calendar", "invitees", "category", "privacy", "audience", "dates"].some(key => key in said) || "repeat" in said && all.isRuleChosen || before.isAllDay !== all.isAllDay
  const scope = isMany(entry) ? await scopeOf(t("cal.change"), isOfAll ? ["following", "all"] : ["this", "following", "all"]) : "all"
  if (!scope) return null
  if (scope === "this") delete said.repeat
  // What was before this one stays with what it was of.
  if (scope === "following" && said.dates) said.dates = said.dates.filter(one => one > is.start)
  return once("entry.update", { entry: entry.id, scope, occurrence: item.one.occurrence, ...said })
}
