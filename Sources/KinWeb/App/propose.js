// SPDX-License-Identifier: Apache-2.0
// Proposing a meeting: what, which times to choose from, who.

import { asked, button, field, lazily, once, told, why } from "./base.js"
import { Days } from "./days.js"
import { ask, h, say, show } from "./dom.js"
import { now } from "./served.js"
import { me, people, state } from "./state.js"
import { ofTab } from "./store.js"
import { name } from "./voice.js"
import { day as written, list, local, moment, range, t, zoneName } from "./words.js"

const slotsMax = 50, draftKey = "kinwire.proposal", dayMs = 86_400_000, freeMost = 50, freeMs = 397 * dayMs, waitMs = 300
const iso = at => new Date(at).toISOString()
/** Tomorrow evening: a time to begin with. */
const tomorrow = () => `${local(now() + dayMs).slice(0, 10)}T18:00`
/** Hours as the daemon has them: whole minutes. */
const hoursMs = hours => Math.round(hours * 60) * 60_000

/** Looks for times at which nobody is busy who shows it, and says who shows nothing. */
function finder(chosen, take) {
  const day = days => local(now() + days * dayMs).slice(0, 10)
  const [from, to] = [["from", 1], ["to", 14]].map(([name, days]) => { const one = h("input", { type: "date", required: true, name: `find-${name}` }); one.value = day(days); return one })
  const [earliest, latest] = [["earliest", "18:00"], ["latest", "22:00"]].map(([name, time]) => { const one = h("input", { type: "time", required: true, name: `find-${name}` }); one.value = time; return one })
  const said = h("p", { class: "hint", role: "status" })
  return h("details", { class: "done", id: "find-times" }, h("summary", {}, t("propose.find")), h("div", { class: "from-to" },
    field(t("propose.find-from"), from), field(t("propose.find-to"), to), field(t("propose.find-earliest"), earliest), field(t("propose.find-latest"), latest)),
  button(t("propose.find-do"), async () => {
    const { members, row } = chosen(), hours = Number(row?.querySelectorAll("input")[1].value) || 2
    try {
      const { found } = await asked("meeting.find", { from: from.value, to: to.value, earliest: earliest.value, latest: latest.value, minutes: Math.round(hours * 60), zone: zoneName(), members })
      const unknown = found[0]?.unknown ?? []
      said.textContent = [found.length ? t("propose.found", { n: found.length }) : t("propose.found-none"),
        unknown.length ? t("meetings.unknown", { names: list(unknown.map(name)) }) : ""].filter(Boolean).join(" ")
      if (found.length) take(found)
    } catch (error) { said.textContent = why(error) }
  }, { class: "quiet small" }), said)
}

/** Why what was typed is no time, in words. */
function unread({ key, values }) {
  const { date, weekday, typed } = values, dated = date === undefined ? null : new Date(date)
  return t(key, { ...values, ...(dated ? { date: written({ year: dated.getUTCFullYear(), month: dated.getUTCMonth() + 1, day: dated.getUTCDate() }), weekday: t(`weekday.${weekday}`), typed: t(`weekday.${typed}`) } : {}) })
}

/** Times that are typed as `kin` reads them: it says how they are understood while one types. `take` is given them. */
export function typing(hours, take) {
  const input = h("input", { maxlength: 400, autocomplete: "off", id: "propose-typed", enterkeyhint: "done" }), understood = h("p", { class: "hint", role: "status", id: "propose-understood" })
  const own = field(t("typed.label"), input, t("typed.hint"))
  const reading = one => {
    try {
      return { times: one.readAll(input.value, { now: now(), zone: zoneName(), order: one.orderOf(navigator.language ?? ""), lasts: Math.round(hours() * 60) * 60 }) }
    } catch (error) {
      if (!(error instanceof one.Unread)) throw error
      return { wrong: unread(error) }
    }
  }
  let number = 0
  const look = async () => {
    const mine = ++number, one = input.value.trim() ? await import("./typed.js").catch(() => null) : null
    if (mine !== number) return
    // What is half typed is no mistake yet.
    say(understood, one ? (reading(one).times ?? []).map(each => range(each.start, each.end)).join(", ") : "")
  }
  /** Whether what was typed is taken; where nothing was typed, it is. */
  const enter = async () => {
    own.refuse(null)
    const text = input.value
    if (!text.trim()) return true
    const found = await lazily(() => import("./typed.js"), reading)
    if (!found) return false
    if (found.wrong) { own.refuse(found.wrong); return false }
    input.value = ""
    if (!take(found.times)) { input.value = text; return false }
    look()
    return true
  }
  input.oninput = () => { own.refuse(null); look() }
  input.onkeydown = event => { if (event.key === "Enter" && !event.isComposing && input.value.trim()) { event.preventDefault(); enter() } }
  return { input, enter, look, element: h("div", { id: "typed-times" }, own, understood, button(t("typed.take"), enter, { class: "quiet small", id: "propose-take" })) }
}

/** Says at each time who has something on then, as far as they show it. It asks once what is typed has rested. */
function watcher(slots, chosen) {
  let timer = null, number = 0
  const look = async () => {
    const mine = ++number, rows = [...slots.children].map(row => {
      const [from, hours] = row.querySelectorAll("input"), start = from.value ? moment(from.value) : NaN
      return { row, start, end: start + hours.value * 3_600_000 }
    }), times = rows.filter(one => one.end > one.start), members = [state.snapshot.me, ...chosen()].slice(0, freeMost)
    const from = Math.min(...times.map(one => one.start)), to = Math.max(...times.map(one => one.end))
    let known = []
    if (times.length && to - from <= freeMs) {
      try { known = (await asked("entry.free", { from: new Date(from).toISOString(), to: new Date(to).toISOString(), members })).members } catch { /* Then nothing is said of it. */ }
    }
    if (mine !== number) return
    for (const { row, start, end } of rows) {
      const busy = known.filter(one => one.busy.some(each => new Date(each.start) < end && new Date(each.end) > start)), unknown = known.filter(one => !one.known), names = some => list(some.map(one => name(one.member)))
      const [has, rest] = row.querySelectorAll(".against"), isSaid = end > start && known.length > 1
      say(has, isSaid && busy.length ? t("meetings.busy", { names: names(busy) }) : "")
      say(rest, isSaid ? [!busy.length && unknown.length < known.length - 1 ? t("propose.all-free") : null, unknown.length ? t("meetings.unknown", { names: names(unknown) }) : null].filter(Boolean).join(" ") : "")
      for (const one of [has, rest]) show(one, one.textContent)
    }
  }
  return () => { clearTimeout(timer); timer = setTimeout(look, waitMs) }
}

/**
 * Asks for everything, and proposes. What was typed is there again when it is opened after a refusal or by mistake; what it
 * is `begun` with stands in its place. Answers which one was made, or null.
 */
export async function proposal(begun = null) {
  let draft = {}
  try { draft = begun ?? JSON.parse(ofTab.getItem(draftKey)) ?? {} } catch { draft = {} }
  const made = await ask(t("meetings.propose"), close => {
    const title = h("input", { maxlength: 120, required: true, autocomplete: "off", id: "propose-title" })
    title.value = draft.title ?? ""
    const place = h("input", { maxlength: 200, autocomplete: "off" })
    place.value = draft.place ?? ""
    const note = h("textarea", { rows: 2, maxlength: 2000 })
    note.value = draft.note ?? ""
    const slots = h("ul", { class: "rows" })
    const add = ({ start = tomorrow(), hours = 2 } = {}) => {
      const from = h("input", { type: "datetime-local", required: true, "aria-label": t("propose.start"), value: start })
      from.value = start
      // What was typed or found may last 20 minutes.
      const isOdd = hours % 0.25 !== 0, long = h("input", { type: "number", min: isOdd ? 0 : 0.25, max: 240, step: isOdd ? "any" : 0.25, required: true, "aria-label": t("propose.hours") })
      long.value = String(isOdd ? Number(Number(hours).toFixed(4)) : hours)
      const row = h("li", { class: "slot" }, from, h("span", { class: "hours" }, long, t("propose.hours-short")),
        h("button", { type: "button", class: "quiet small", "aria-label": t("propose.remove"), onclick: () => { row.remove(); days.draw(); keep() } }, "✗"),
        h("span", { class: "against conflict", hidden: true }), h("span", { class: "against soft", hidden: true }))
      from.onchange = () => days.draw()
      slots.append(row)
    }
    const startOf = row => row.querySelector("input").value
    /** A day that is tapped gets the times of the last one, or loses those it has. */
    const days = new Days(() => new Set([...slots.children].map(row => startOf(row).slice(0, 10))), day => {
      const there = [...slots.children].filter(row => startOf(row).startsWith(day))
      if (there.length) for (const row of there) row.remove()
      else if (slots.children.length >= slotsMax) refuse(t("propose.many"))
      else {
        const last = slots.lastElementChild
        add({ start: `${day}T${last && startOf(last) ? startOf(last).slice(11, 16) : "18:00"}`, hours: last?.querySelectorAll("input")[1].value ?? 2 })
      }
      order()
      keep()
    })
    const order = () => slots.append(...[...slots.children].sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1)))
    for (const slot of draft.slots ?? [{}]) add(slot)
    days.draw()
    // The time that stands there to begin with gives way to those that are typed, unless somebody touched it.
    const offered = draft.slots ? null : slots.firstElementChild
    let isTouched = false
    slots.addEventListener("input", () => { isTouched = true })
    const typedTimes = typing(() => Number(slots.lastElementChild?.querySelectorAll("input")[1].value) || 1, times => {
      const isOffered = slots.children.length === 1 && slots.firstElementChild === offered && !isTouched
      if (times.length + (isOffered ? 0 : slots.children.length) > slotsMax) { refuse(t("propose.many")); return false }
      if (isOffered) offered.remove()
      for (const one of times) add({ start: local(one.start), hours: (one.end - one.start) / 3_600_000 })
      order()
      days.draw()
      keep()
      return true
    })
    typedTimes.input.value = draft.typed ?? ""
    if (draft.typed) typedTimes.look()
    const others = people().filter(one => one.id !== me()?.id)
      .sort((a, b) => a.displayName.localeCompare(b.displayName))
    const boxes = others.map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id,
      checked: draft.invitees ? draft.invitees.includes(one.id) : one.role !== "guest" }), one.displayName))
    const deadline = h("input", { type: "datetime-local" })
    deadline.value = draft.deadline ?? ""
    const titleField = field(t("propose.title"), title), wrong = h("p", { class: "wrong", role: "alert", hidden: true })
    const typed = () => ({
      title: title.value.trim(), place: place.value.trim(), note: note.value.trim(), deadline: deadline.value, typed: typedTimes.input.value,
      slots: [...slots.children].map(row => ({ start: row.querySelector("input").value, hours: row.querySelectorAll("input")[1].value })),
      invitees: boxes.map(one => one.querySelector("input")).filter(one => one.checked).map(one => one.value),
    })
    const watch = watcher(slots, () => typed().invitees), keep = () => { ofTab.setItem(draftKey, JSON.stringify(typed())); watch() }
    watch()
    const refuse = text => { wrong.textContent = text; wrong.hidden = !text; if (text) wrong.scrollIntoView({ block: "center" }) }
    return h("form", { oninput: keep, onsubmit: async event => {
      event.preventDefault()
      refuse("")
      titleField.refuse(null)
      // A time that was typed and not entered is meant, too.
      if (!await typedTimes.enter()) return
      const all = typed()
      if (!all.title) return titleField.refuse(t("propose.no-title"))
      if (!all.slots.length) return refuse(t("propose.no-slot"))
      if (!all.invitees.length) return refuse(t("propose.nobody"))
      const times = all.slots.map(({ start, hours }) => {
        const from = moment(start)
        return { start: iso(from), end: iso(from + hoursMs(hours)) }
      }).sort((a, b) => (a.start < b.start ? -1 : 1))
      if (new Date(times[0].start) < now() && !confirm(t("propose.past"))) return
      const submit = event.submitter
      submit?.setAttribute("aria-busy", "true")
      try {
        const answer = await once("meeting.propose", {
          title: all.title, kind: "group", zone: zoneName(), slots: times, invitees: all.invitees,
          ...(all.place ? { place: all.place } : {}), ...(all.note ? { note: all.note } : {}),
          ...(all.deadline ? { deadline: iso(moment(all.deadline)) } : {}),
        })
        ofTab.removeItem(draftKey)
        close(answer.meeting.id)
      } catch (error) {
        refuse(why(error))
      } finally { submit?.removeAttribute("aria-busy") }
    } },
    titleField, field(t("propose.place"), place),
    h("fieldset", {}, h("legend", {}, t("propose.times")), days.element, typedTimes.element, slots,
      finder(() => ({ members: boxes.map(one => one.querySelector("input")).filter(one => one.checked).map(one => one.value), row: slots.lastElementChild }), found => {
        for (const row of [...slots.children]) row.remove()
        for (const one of found) add({ start: local(one.start), hours: (new Date(one.end) - new Date(one.start)) / 3_600_000 })
        days.draw()
        keep()
      }),
      h("button", { type: "button", class: "quiet small", onclick: () => {
        if (slots.children.length >= slotsMax) return refuse(t("propose.many"))
        const last = slots.lastElementChild
        if (!last) return add()
        const day = Date.parse(`${startOf(last)}Z`)
        if (Number.isNaN(day)) return add()
        add({ start: iso(day + dayMs).slice(0, 16), hours: last.querySelectorAll("input")[1].value })
        days.draw()
        keep()
      } }, t("propose.more"))),
    h("fieldset", {}, h("legend", {}, t("propose.who")), boxes.length ? boxes : h("p", { class: "empty" }, t("propose.alone"))),
    field(t("propose.deadline"), deadline), field(t("propose.note"), note), wrong,
    h("button", { type: "submit" }, t("meetings.propose")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
  if (made) { told(t("propose.done")); if (!begun) location.hash = `#/meetings/${made}` }
  return made
}
