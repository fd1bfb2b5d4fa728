// SPDX-License-Identifier: Apache-2.0
// Screens on walls, as an admin adds, pairs and removes them.

import { act, asked, button, field, undoable } from "./base.js"
import { address } from "./browser.js"
import { ask, fill, h } from "./dom.js"
import { showLink } from "./family.js"
import { household, me, state } from "./state.js"
import { age, near, t } from "./words.js"

/** Those there are, with a form for another. */
export async function walls() {
  let { walls: all } = await asked("wall.list", {})
  const made = await ask(t("family.walls"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("walls.none"))
    const draw = () => {
      fill(rows, ...all.map(one => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, one.name),
        h("span", { class: "soft" }, [household(one.household)?.name, one.pairedAt ? t("walls.paired", { age: age(one.pairedAt) }) : t("walls.not-paired")].filter(Boolean).join(" · "))),
      button(t("walls.pair"), async () => {
        const link = await act("session.link", { member: one.member }, { mayWait: false })
        if (link) close(link)
      }, { class: "quiet small", title: one.pairedAt ? t("walls.pair-again") : null }),
      button("✗", () => {
        const before = all
        undoable(t("walls.removed", { name: one.name }), "member.remove", { member: one.member, keep: "delete" },
          () => { all = all.filter(other => other !== one); draw() }, () => { all = before; draw() })
      }, { class: "quiet small danger", "aria-label": t("walls.remove", { name: one.name }) }))))
      empty.hidden = all.length > 0
    }
    draw()
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "wall-name" })
    name.value = t("walls.name-own")
    const home = h("select", {}, (state.snapshot.households ?? []).map(one => h("option", { value: one.id, selected: one.id === me().household }, one.name)))
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const result = await act("wall.add", { name: name.value.trim(), household: home.value }, { mayWait: false })
      if (result) close(result)
    } }, rows, empty, h("p", { class: "hint" }, t("walls.about")), field(t("walls.name"), name), field(t("walls.household"), home),
    h("button", { type: "submit", id: "wall-add" }, t("walls.add")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
  if (made) await showLink(t("walls.link"), `${address()}/wall/${made.link}`, isHere => t(isHere ? "walls.once-here" : "walls.once", { time: near(made.expires) }))
}
