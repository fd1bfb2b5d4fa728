// SPDX-License-Identifier: Apache-2.0
// What a list is called, who sees it and how the shop is laid out. It is of use only while the daemon is there.

import { act, asked, field, told, undoable, why } from "./base.js"
import { ask, h, show } from "./dom.js"
import { member, people, state } from "./state.js"
import { name } from "./voice.js"
import { t } from "./words.js"

const kinds = ["shopping", "tasks", "packing"]

/** A list itself: a new one, or what it is called, who sees it and how the shop is laid out. */
export async function settings(list) {
  const me = state.snapshot.me, own = !list || list.owner === me || member(me)?.role === "admin"
  if (!own) return told(t("list.not-yours", { name: name(list.owner) }))
  let audience = "everyone"
  if (list) {
    try { ({ list: { audience = "everyone" } } = await asked("list.show", { list: list.id })) } catch (error) {
      return told(why(error), { isWrong: true })
    }
  }
  await ask(list ? t("list.settings") : t("list.new"), close => {
    const title = h("input", { maxlength: 64, required: true, id: "list-name" })
    title.value = list?.name ?? ""
    const kind = h("select", {}, kinds.map(value => h("option", { value, selected: value === (list?.kind ?? "shopping") }, t(`list.kind.${value}`))))
    const layout = h("textarea", { rows: 3 })
    layout.value = (list?.sections ?? []).join("\n")
    const named = Array.isArray(audience) ? audience : []
    const who = h("select", { id: "list-audience" }, ["everyone", "household", "some"].map(value =>
      h("option", { value, selected: value === (Array.isArray(audience) ? "some" : audience) }, t(`list.for.${value}`))))
    const those = h("fieldset", {}, h("legend", {}, t("list.for.whom")), people().filter(one => one.id !== (list?.owner ?? me))
      .map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id, checked: named.includes(one.id) }), one.displayName)))
    who.onchange = () => show(those, who.value === "some")
    who.onchange()
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const chosen = [...those.querySelectorAll("input:checked")].map(one => one.value)
      const params = { name: title.value.trim(), kind: kind.value, audience: who.value === "some" ? chosen : who.value,
        sections: [...new Set(layout.value.split("\n").map(one => one.trim().slice(0, 40)).filter(Boolean))].slice(0, 40) }
      const result = list ? await act("list.update", { list: list.id, ...params }, { mayWait: false }) : await act("list.add", params, { mayWait: false })
      if (!result) return
      close(true)
      if (!list) location.hash = `#/lists/${result.list.id}`
    } },
    field(t("list.name"), title), field(t("list.kind"), kind), field(t("list.for"), who), those,
    field(t("list.sections"), layout, t("list.sections-hint")),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
      list ? h("button", { type: "button", class: "danger", onclick: () => {
        close(null)
        location.hash = "#/lists"
        undoable(t("list.removed", { list: list.name }), "list.remove", { list: list.id })
      } }, t("list.remove")) : null))
  })
}
