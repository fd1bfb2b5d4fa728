// SPDX-License-Identifier: Apache-2.0
// One thing in a calendar: all there is to it, and what is done with it.

import { listsOf } from "./about.js"
import { act, asked, button, field, lazily, told, undoable } from "./base.js"
import { date, dayAt, longDay } from "./calendar-days.js"
import { inWords } from "./calendar-rule.js"
import { answerOf, signOf, times } from "./calendar-views.js"
import { ask, fill, h } from "./dom.js"
import { now as present } from "./served.js"
import { household, place as placeOf, state } from "./state.js"
import { name } from "./voice.js"
import { knows, span, t } from "./words.js"

const reminders = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10080]

/** What a calendar is called. */
export function calendarName(one) {
  if (one.name) return one.name
  if (one.kind === "household") return household(one.id)?.name ?? t("names.unknown")
  if (one.kind === "personal") return t("calendar.personal", { member: name(one.owner) })
  return t(one.kind === "toDecide" ? "calendar.to-decide" : one.kind === "added" ? "names.a-calendar" : `calendar.${one.kind}`)
}
export const categoryName = category => knows(`cal.category.${category}`) ? t(`cal.category.${category}`) : category

/** Whether it is more than once: by a rule, or on days beside it. */
export const isMany = entry => !!entry.times.repeat || (entry.times.dates ?? []).length > 0

/** Days beside the rule: those to come, the next ten. */
const otherDays = entry => (entry.times.dates ?? []).filter(one => one.slice(0, 10) >= dayAt(present())).slice(0, 10).map(date).join(", ")

/** For whom an entry is: a word of the form's choice. */
export const sightOf = ({ privacy }, audience) => privacy !== "public" ? privacy : Array.isArray(audience) ? "some" : audience ?? "public"
export const sees = all => ["everyone", "household", "some"].includes(all.privacy)
  ? { privacy: "public", audience: all.privacy === "some" ? all.named : all.privacy } : { privacy: all.privacy }

/** To how much of what repeats something goes; null where it is left. */
export const scopeOf = (title, choices = ["this", "following", "all"]) => ask(title, close => h("div", {}, h("p", {}, t("cal.scope")),
  choices.map(one => h("button", { type: "button", class: "quiet", "data-scope": one, onclick: () => close(one) }, t(`cal.scope.${one}`))),
  h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

// All there is to it ------------------------------------------------------------------------------------------------

/** Shows an entry as it stands in `item`, and what can be done with it. It follows what others change meanwhile. */
export async function showEntry(item, screen) {
  let shown = { entry: item.entry, remind: [], mayChange: false }
  const inside = h("div", { class: "entry" }), lists = listsOf(`entry/${item.entry.id}`, item.subject)
  const next = await ask(item.subject, close => {
    // It stays the same whatever others change meanwhile: what was typed is not lost.
    const said = h("input", { type: "text", id: "answer-note", maxlength: 400, autocomplete: "off", oninput: () => { said.dataset.typed = "" } })
    const draw = () => {
      const hasFocus = document.activeElement === said
      if (said.dataset.typed === undefined) said.value = shown.entry.invitees.find(one => one.member === state.snapshot.me)?.note ?? ""
      fill(inside, details(item, shown, screen, close, said))
      if (hasFocus) said.focus()
    }
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
    return h("div", {}, inside, lists)
  })
  if (next === "change") return lazily(() => import("./calendar-form.js"), all => all.editEntry(item, shown, screen))
  if (next === "remove") return removeEntry(item, screen)
}

/** Whether clocks where it was put down show another time: zones have more than one name. */
const isElsewhere = ({ one, from }) => Number(one.starts.slice(11, 13)) * 60 + Number(one.starts.slice(14, 16)) !== from

/** Where it is: in words, and on the map where that is known. */
function spot({ text, mapPlace, ...own }, leave) {
  const known = placeOf(mapPlace), { lat, lon } = own.lat !== undefined ? own : known ?? {}, said = text ?? known?.name
  if (lat === undefined) return said
  return h("a", { href: `#/map/${lat},${lon}${said ? `,${encodeURIComponent(said)}` : ""}`, onclick: leave }, said ?? `${lat.toFixed(5)}, ${lon.toFixed(5)}`)
}

function details(item, { entry, remind, mayChange, audience }, screen, close, said) {
  const mine = entry.invitees.find(one => one.member === state.snapshot.me), exception = entry.exceptions.find(one => one.occurrence === item.one.occurrence)
  const note = exception?.note ?? entry.note, where = item.one.place, category = item.one.category ?? entry.category, status = item.one.status ?? entry.status, sign = signOf(category, screen.categories)
  const calendar = screen.calendars.find(one => one.id === entry.calendar)
  const facts = [
    ["cal.when", `${longDay(item.first)}${item.last !== item.first ? ` – ${longDay(item.last)}` : ""}${item.isAllDay ? "" : `, ${times(item)}`}`],
    entry.times.zone && isElsewhere(item) ? ["cal.zone", `${item.one.starts.slice(11, 16)} ${entry.times.zone}`] : null,
    entry.times.repeat ? ["cal.repeat", inWords(entry.times.repeat, entry.times)] : null,
    ["cal.dates", otherDays(entry)],
    status !== "confirmed" ? ["cal.status", t(`cal.status.${status}`)] : null,
    where ? ["cal.place", spot(where, () => close(null))] : null,
    ["cal.calendar", calendar && calendarName(calendar)],
    category && category !== "none" ? ["cal.category", [sign, categoryName(category)].filter(Boolean).join(" ")] : null,
    ["cal.owner", name(entry.owner)],
    entry.privacy !== "public" || audience ? ["cal.privacy", Array.isArray(audience) && audience.length ? audience.map(name).join(", ") : t(`cal.privacy.${sightOf(entry, audience)}`)] : null,
    remind.length ? ["cal.remind", remind.map(reminderName).join(", ")] : null,
    entry.stars.length ? ["cal.interested", entry.stars.map(name).join(", ")] : null,
  ].filter(fact => fact?.[1])
  const hasStar = entry.stars.includes(state.snapshot.me)
  const say = async (answer, isAll = false) => {
    const { value } = said, isTaken = await screen.answer(item, answer, isAll, value.trim())
    // What was refused stays typed, and so does what was typed meanwhile.
    if (isTaken && (isAll || !isMany(entry)) && said.value === value) delete said.dataset.typed
  }
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
        "data-answer": answer, "aria-pressed": String(item.one.answer === answer), onclick: () => say(answer) }, t(`cal.answer.${answer}`))),
      isMany(entry) ? h("button", { type: "button", class: "quiet small", onclick: () => say(item.one.answer, true) }, t("cal.answer-all")) : null) : null,
    mine && !entry.meeting ? answerNote(entry, said, () => say(item.one.answer)) : null,
    h("div", { class: "actions" },
      mayChange ? h("button", { type: "button", id: "entry-change", onclick: () => close("change") }, t("cal.change")) : null,
      !mayChange ? button(t("cal.remind-me"), async () => {
        const chosen = await chooseReminders(remind)
        if (chosen) await act("entry.remind", { entry: entry.id, minutes: chosen })
      }, { class: "quiet", "data-do": "remind" }) : null,
      entry.owner === state.snapshot.me || mine ? null : button(t(hasStar ? "cal.unstar" : "cal.star"), () => act("entry.star", { entry: entry.id, on: !hasStar }), { class: "quiet", "aria-pressed": String(hasStar) }),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")),
      mayChange ? h("button", { type: "button", class: "danger", id: "entry-remove", onclick: () => close("remove") }, t("cal.remove")) : null),
  ]
}

/** What one says beside an answer. Of a series it is said of all of it alone, with an answer to all. It is no form: it keeps itself. */
function answerNote(entry, said, say) {
  if (isMany(entry)) return h("div", { class: "answer-note" }, field(t("cal.answer-note-all"), said))
  said.onkeydown = event => { if (event.key === "Enter" && !event.isComposing) say() }
  return h("div", { class: "answer-note" }, field(t("cal.answer-note"), said), h("button", { type: "button", class: "quiet small", "data-do": "note", onclick: say }, t("act.save")))
}

const reminderName = minutes => minutes ? t("cal.before", { span: minutes % 1440 ? span(minutes * 60) : t("cal.days", { n: minutes / 1440 }) }) : t("cal.when-it-begins")
export const reminderChecks = chosen => [...new Set([...reminders, ...chosen])].sort((a, b) => a - b).map(minutes =>
  h("label", { class: "check" }, h("input", { type: "checkbox", name: "remind", value: minutes, checked: chosen.includes(minutes) }), reminderName(minutes)))
/** Which of a form's are chosen. */
export const remindersIn = form => [...form.querySelectorAll("[name=remind]:checked")].map(one => Number(one.value))
/** Asks when one is reminded; `more` are further buttons. Null where that was left. */
export const chooseReminders = (chosen, { title = t("cal.remind"), hint = null, more = () => null } = {}) => ask(title, close => h("form", { onsubmit: event => {
  event.preventDefault()
  close(remindersIn(event.target))
} }, hint && h("p", { class: "hint" }, hint), h("div", { class: "ticks" }, reminderChecks(chosen)), h("button", { type: "submit" }, t("act.save")), more(close),
h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

/** When one is reminded of what is new in a calendar: as one set it, or as its owner did. */
export const remindersOf = (one, screen) => screen.reminders?.find(each => each.calendar === one?.id)?.remind ?? one?.remind ?? []

/** Takes it away: all of it can be brought back. */
export async function removeEntry(item, screen) {
  const scope = isMany(item.entry) ? await scopeOf(t("cal.remove")) : "all"
  if (!scope) return
  const params = { entry: item.entry.id, scope, ...(scope === "all" ? {} : { occurrence: item.one.occurrence }) }
  undoable(t("cal.removed", { entry: item.subject }), "entry.remove", params, () => screen.hide(item, scope), () => screen.unhide(item))
}
