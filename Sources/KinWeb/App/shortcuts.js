// SPDX-License-Identifier: Apache-2.0
// Shortcuts for alarms: an address that a phone's or a watch's shortcut asks, and an alarm is raised in the member's name.

import { act, asked, button, ends, field, hasRows, told } from "./base.js"
import { ask, h, say, show, sync } from "./dom.js"
import { people, state } from "./state.js"
import { age, t } from "./words.js"

const kinds = ["sos", "come", "onTheWay", "check"]

export async function shortcuts() {
  await ask(t("family.shortcuts"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("shortcut.none"))
    const draw = async () => {
      let all
      try { ({ shortcuts: all } = await asked("alarm.shortcuts", {})) } catch { return told(t("act.not-reached"), { isWrong: true }) }
      sync(rows, all, one => one.id, one => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })),
        button(t("ring.remove"), element => ends(element.closest("li"), t("shortcut.removed", { name: one.name }), "alarm.removeShortcut", { shortcut: one.id }, () => show(empty, !hasRows(rows))), { class: "quiet small danger" })), (row, one) => {
        say(row.querySelector("strong"), one.name)
        say(row.querySelector(".soft"), [t(`alarm.do.${one.kind}`), one.text, one.used ? t("shortcut.used", { age: age(one.used) }) : t("shortcut.never")].filter(Boolean).join(" · "))
      })
      show(empty, !all.length)
    }
    draw()
    return h("div", {}, h("p", {}, t("shortcut.about")), rows, empty,
      button(t("shortcut.add"), async () => { close(null); await add() }, { id: "add-shortcut" }),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}

async function add() {
  const made = await ask(t("shortcut.add"), close => {
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "shortcut-name" })
    const kind = h("select", { id: "shortcut-kind" }, kinds.map(one => h("option", { value: one }, t(`alarm.do.${one}`))))
    const text = h("input", { type: "text", maxlength: 500, autocomplete: "off", id: "shortcut-text" })
    const others = people().filter(one => one.id !== state.snapshot.me)
    const whom = h("select", { id: "shortcut-whom" }, h("option", { value: "" }, t("alarm.household")),
      others.map(one => h("option", { value: one.id }, one.displayName)))
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const params = { name: name.value.trim(), kind: kind.value }
      if (text.value.trim()) params.text = text.value.trim()
      if (whom.value) params.to = [whom.value]
      const result = await act("alarm.addShortcut", params, { mayWait: false })
      if (result) close(result)
    } }, field(t("shortcut.name"), name, t("shortcut.name-hint")), field(t("shortcut.kind"), kind, t("shortcut.lends")), field(t("alarm.text"), text), field(t("alarm.whom"), whom),
    h("button", { type: "submit" }, t("ring.go-on")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
  if (!made) return
  const address = `${location.origin}/alarm/${made.secret}`
  await ask(t("shortcut.address"), close => h("div", {}, h("p", {}, t("shortcut.how")), h("p", { class: "link", id: "shortcut-address" }, address),
    h("p", { class: "hint" }, t("shortcut.where")), h("p", { class: "hint" }, t("shortcut.once")),
    h("div", { class: "actions" },
      button(t("invite.copy"), async () => {
        try { await navigator.clipboard.writeText(address); told(t("shortcut.copied")) } catch { told(t("invite.copy-by-hand"), { isWrong: true }) }
      }, { id: "copy-shortcut" }),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))))
}
