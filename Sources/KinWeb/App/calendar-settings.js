// SPDX-License-Identifier: Apache-2.0
// A calendar itself: a new one, what it is called, its colour and who may do what in it; and what was removed from one.

import { act, asked, button, ends, field, hasRows } from "./base.js"
import { longDay } from "./calendar-days.js"
import { calendarName, categoryName, chooseReminders, reminderChecks, remindersIn, remindersOf } from "./calendar-entry.js"
import { source } from "./calendar-outside.js"
import { ask, fill, h, show } from "./dom.js"
import { household, member, people, state } from "./state.js"
import { near, t } from "./words.js"

const rights = ["busy", "read", "write", "own"]

/** Makes one, or changes one that the member owns. */
export async function calendarSettings(one, screen) {
  const shared = (screen.shared ?? []).find(each => each.calendar === one?.id)?.with ?? []
  await ask(one ? calendarName(one) : t("cal.new-calendar"), close => {
    const name = h("input", { maxlength: 64, required: !one || one.kind === "added", autocomplete: "off", id: "calendar-name" })
    name.value = one ? calendarName(one) : ""
    const color = h("input", { type: "color" })
    color.value = one ? colorOf(one, screen) : "#0b6b5d"
    const before = { name: name.value, color: color.value, remind: String([...one?.remind ?? []].sort((a, b) => a - b)) }
    // What comes from outside reminds of nothing by itself.
    const ticks = one?.kind === "subscribed" ? null : h("div", { class: "ticks" }, reminderChecks(one?.remind ?? []))
    const grants = h("ul", { class: "rows" }), whom = each => each === "everyone" ? t("list.for.everyone") : member(each)?.displayName ?? household(each)?.name ?? t("names.unknown")
    const share = async (each, right) => { const answer = await act("calendar.share", { calendar: one.id, with: each, right }, { mayWait: false }); if (answer) { screen.hasCalendars = false; screen.ask() } return answer }
    const choice = (now, props) => h("select", props, (one?.kind === "subscribed" ? ["busy", "read"] : rights).map(right => h("option", { value: right, selected: right === now }, t(`cal.right-to.${right}`))))
    const draw = () => {
      fill(grants, shared.map(grant => h("li", { class: "row" }, h("span", { class: "grow" }, whom(grant.with)),
        choice(grant.right, { "aria-label": t("cal.right-of", { name: whom(grant.with) }), onchange: async event => { if (await share(grant.with, event.target.value)) grant.right = event.target.value } }),
        button("✗", async () => { if (await share(grant.with, "none")) { shared.splice(shared.indexOf(grant), 1); draw() } }, { class: "quiet small", "aria-label": t("cal.share-end", { name: whom(grant.with) }) }))))
      show(grants, shared.length)
    }
    const others = ["everyone", ...(state.snapshot.households ?? []).map(each => each.id), ...people().filter(each => each.id !== state.snapshot.me).map(each => each.id)]
    const added = h("select", { "aria-label": t("cal.share-with"), id: "share-with" }, h("option", { value: "" }, t("cal.share-none")), others.map(each => h("option", { value: each }, whom(each)))), right = choice("read", { "aria-label": t("cal.share-right") })
    const shareAdded = async () => {
      if (!added.value) { added.focus(); return false }
      if (!await share(added.value, right.value)) return false
      const known = shared.find(each => each.with === added.value)
      if (known) known.right = right.value
      else shared.push({ with: added.value, right: right.value })
      added.value = ""
      draw()
      return true
    }
    draw()
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      // One button for all of it: only what is another is said.
      if (one && added.value && !await shareAdded()) return
      const said = { ...(!one || color.value !== before.color ? { color: color.value } : {}),
        ...(!one || name.value.trim() !== before.name ? { name: name.value.trim() || (one && one.kind !== "added" ? null : "") } : {}),
        ...(ticks && String(remindersIn(ticks)) !== before.remind ? { remind: remindersIn(ticks) } : {}) }
      const answer = !one ? await act("calendar.add", said, { mayWait: false })
        : !Object.keys(said).length || await act("calendar.update", { calendar: one.id, ...said }, { mayWait: false })
      if (!answer) return
      screen.hasCalendars = false
      screen.ask()
      close(true)
    } }, field(t("list.name"), name), field(t("cal.color"), color),
    ticks ? h("details", { class: "done", id: "calendar-remind", open: !!one?.remind?.length }, h("summary", {}, t("cal.remind-new")), h("p", { class: "hint" }, t("cal.remind-new-hint")), ticks) : null,
    one?.kind === "subscribed" ? source(one, screen) : null,
    one ? h("fieldset", {}, h("legend", {}, t("cal.shared-with")), grants, h("div", { class: "slot" }, added, right, button(t("cal.share"), shareAdded, { class: "quiet small" }))) : null,
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
      one?.kind === "added" || one?.kind === "subscribed" ? h("button", { type: "button", class: "danger", onclick: async () => {
        close(null)
        await removeCalendar(one, screen)
      } }, t("cal.remove-calendar")) : null))
  })
}

/** When one alone is reminded of what is new in a calendar, whoever owns it. */
export async function ownReminders(one, screen) {
  const hasOwn = screen.reminders?.some(each => each.calendar === one.id)
  const chosen = await chooseReminders(remindersOf(one, screen), { title: t("cal.reminders-of", { calendar: calendarName(one) }), hint: t("cal.reminders-own-hint"),
    more: close => hasOwn ? h("button", { type: "button", class: "quiet", "data-do": "remind-as-owner", onclick: () => close("owner") }, t("cal.reminders-owner")) : null })
  if (chosen === null) return
  if (await act("calendar.remind", { calendar: one.id, minutes: chosen === "owner" ? null : chosen }, { mayWait: false })) { screen.hasCalendars = false; screen.ask() }
}

/** The colour that a calendar has on the screen: its own, or the one it got by its place. */
function colorOf(one, screen) {
  if (one.color) return one.color
  const probe = h("i", { "data-hue": String(screen.calendars.findIndex(each => each.id === one.id) % 8), hidden: true })
  document.body.append(probe)
  const color = getComputedStyle(probe).getPropertyValue("--mark").trim()
  probe.remove()
  return /^#[0-9a-f]{6}$/i.test(color) ? color : "#0b6b5d"
}

async function removeCalendar(one, screen) {
  const keep = await ask(t("cal.remove-calendar"), close => h("div", {}, h("p", {}, t("cal.remove-calendar-what", { calendar: calendarName(one) })),
    h("button", { type: "button", onclick: () => close("keep") }, t("cal.remove-keep")), h("button", { type: "button", class: "danger", onclick: () => close("erase") }, t("cal.remove-erase")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  if (keep && await act("calendar.remove", { calendar: one.id, keep: keep === "keep" }, { mayWait: false })) { screen.hasCalendars = false; screen.ask() }
}

/** The family's own kinds of entries: made, given another colour or sign, and removed. */
export async function categories(screen) {
  await ask(t("cal.categories"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("cal.categories-empty"))
    const own = () => screen.categories.filter(one => one.color || one.icon)
    const name = h("input", { maxlength: 40, required: true, autocomplete: "off", id: "category-name" }), color = h("input", { type: "color", id: "category-color" }), icon = h("input", { maxlength: 8, autocomplete: "off", id: "category-icon" })
    color.value = "#0b6b5d"
    const set = async said => {
      if (!await act("category.set", said, { mayWait: false })) return false
      const { categories: now } = await asked("category.list", {})
      screen.categories = now
      screen.draw()
      draw()
      return true
    }
    const choose = one => { name.value = one.name; color.value = one.color ?? "#0b6b5d"; icon.value = one.icon ?? ""; name.focus() }
    const draw = () => {
      fill(rows, own().map(one => {
        const swatch = h("i", { class: "swatch", "aria-hidden": "true" })
        if (one.color) swatch.style.setProperty("--mark", one.color)
        return h("li", { class: "row", "data-category": one.name }, swatch, h("span", { class: "grow" }, [one.icon, categoryName(one.name)].filter(Boolean).join(" ")),
          h("button", { type: "button", class: "quiet small", "aria-label": t("cal.category-change", { category: categoryName(one.name) }), onclick: () => choose(one) }, "…"),
          button("✗", () => set({ category: one.name, color: null, icon: null }), { class: "danger small", "aria-label": t("cal.category-remove", { category: categoryName(one.name) }) }))
      }))
      show(empty, !rows.children.length)
    }
    draw()
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      if (await set({ category: name.value.trim(), color: color.value, icon: icon.value.trim() || null })) { name.value = ""; icon.value = ""; name.focus() }
    } }, h("p", { class: "hint" }, t("cal.categories-hint")), rows, empty, field(t("list.name"), name), field(t("cal.color"), color), field(t("cal.category-icon"), icon, t("cal.category-icon-hint")),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))))
  })
}

/** What was removed within a week, to be brought back or erased. */
export async function bin() {
  const { entries } = await asked("entry.bin", {})
  await ask(t("cal.bin"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("cal.bin-empty")), count = () => show(empty, !hasRows(rows))
    for (const { entry, at, by } of entries) {
      const row = h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, entry.subject),
        h("span", { class: "soft" }, [longDay(entry.times.start.slice(0, 10)), by ? t("cal.removed-by", { name: member(by)?.displayName ?? t("names.somebody"), time: near(at) }) : near(at)].join(" · "))),
      button(t("cal.restore"), async () => { if (await act("entry.restore", { entry: entry.id }, { mayWait: false })) { row.remove(); count() } }, { class: "small", "data-do": "restore" }),
      button(t("cal.erase"), () => ends(row, t("cal.erased", { entry: entry.subject }), "entry.erase", { entry: entry.id }, count), { class: "danger small", "data-do": "erase" }))
      rows.append(row)
    }
    count()
    return h("div", {}, h("p", { class: "hint" }, t("cal.bin-hint")), rows, empty, h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}
