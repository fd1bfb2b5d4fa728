// SPDX-License-Identifier: Apache-2.0
// Calendars that are read outside, at an address: one is added, read now, read at another address; and why one is not read.

import { act, button, field, told } from "./base.js"
import { calendarName } from "./calendar-entry.js"
import { ask, fill, h, show } from "./dom.js"
import { me } from "./state.js"
import { near, t } from "./words.js"

const address = value => {
  const input = h("input", { type: "url", required: true, maxlength: 2048, autocomplete: "off", spellcheck: "false", id: "outside-address" })
  input.value = value ?? ""
  return input
}

const anew = screen => { screen.hasCalendars = false; screen.ask() }

/** Adds one, and reads it: what cannot be read stays open with its reason, to be corrected, kept or left. While no admin allows it, an admin does so here; others are told whom to ask. */
export async function subscribe(screen) {
  await ask(t("cal.outside"), close => {
    const part = h("div"), leave = () => h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))
    const draw = () => {
      if (!screen.outside) {
        const isAdmin = me()?.role === "admin"
        return fill(part, h("p", {}, t(isAdmin ? "cal.outside-allow-what" : "cal.outside-ask")), h("div", { class: "actions" },
          isAdmin ? button(t("cal.outside-allow"), async () => {
            if (!await act("calendar.allowOutside", { on: true }, { mayWait: false })) return
            screen.outside = true
            draw()
          }, { id: "outside-allow" }) : null, leave()))
      }
      const where = address(), name = h("input", { maxlength: 64, autocomplete: "off", id: "outside-name" })
      let made = null
      const kept = button(t("cal.outside-keep"), () => close(true), { class: "quiet", id: "outside-keep", hidden: true })
      const left = button(t("act.leave"), async () => {
        if (made && !await act("calendar.remove", { calendar: made.id, keep: false }, { mayWait: false })) return
        close(null)
        anew(screen)
      }, { class: "quiet" })
      return fill(part, h("form", { onsubmit: async event => {
        event.preventDefault()
        const said = { address: where.value.trim(), ...(name.value.trim() ? { name: name.value.trim() } : {}) }
        const answer = await (made ? act("calendar.update", { calendar: made.id, ...said }, { mayWait: false }) : act("calendar.subscribe", said, { mayWait: false }))
        if (!answer) return
        made = answer.calendar
        const now = await read(made, screen)
        if (now && !now.trouble) return close(true)
        show(kept, true)
      } }, h("p", { class: "hint" }, t("cal.outside-hint")), field(t("cal.outside-address"), where), field(t("cal.outside-name"), name),
      h("div", { class: "actions" }, h("button", { type: "submit" }, t("cal.outside-add")), kept, left)))
    }
    draw()
    return part
  })
}

/** Has one be read now, and says what came of it. */
async function read(calendar, screen) {
  const answer = await act("calendar.refresh", { calendar: calendar.id }, { mayWait: false })
  anew(screen)
  if (!answer) return null
  const { trouble } = answer.subscription
  told(trouble ? t(`calendar.trouble.${trouble}`) : t("cal.outside-is-read", { calendar: calendarName(answer.calendar) }), { isWrong: !!trouble })
  return answer.subscription
}

/** How one of the member's own is read: when, where, and what stands in the way. */
export function source(one, screen) {
  const known = (screen.subscribed ?? []).find(each => each.calendar === one.id), part = h("fieldset", { class: "outside" })
  const draw = now => {
    if (!now) return
    const where = address(now.address)
    fill(part, h("legend", {}, t("cal.outside")),
      now.trouble ? h("p", { class: "note" }, t(`calendar.trouble.${now.trouble}`)) : null,
      h("p", { class: "hint" }, now.refreshed ? t("cal.outside-read-at", { time: near(now.refreshed) }) : t("cal.outside-never")),
      now.leftOut ? h("p", { class: "hint" }, t("cal.outside-left", { n: now.leftOut })) : null,
      field(t("cal.outside-address"), where), h("div", { class: "slot" },
        button(t("cal.outside-move"), async () => {
          if (where.reportValidity() && await act("calendar.update", { calendar: one.id, address: where.value.trim() }, { mayWait: false })) draw(await read(one, screen) ?? now)
        }, { class: "quiet small" }),
        button(t("cal.outside-read"), async () => draw(await read(one, screen) ?? now), { class: "quiet small", id: "outside-read" })))
  }
  draw(known)
  return part
}
