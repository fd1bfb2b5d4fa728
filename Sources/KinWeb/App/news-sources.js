// SPDX-License-Identifier: Apache-2.0
// Where news come from: an admin allows that they are read outside, and names, changes and removes sources.

import { act, asked, button, field, told, undoable, whom } from "./base.js"
import { ask, fill, h, show } from "./dom.js"
import { near, t } from "./words.js"

const input = (value, props) => { const one = h("input", { autocomplete: "off", ...props }); one.value = value ?? ""; return one }
const address = (value, id) => input(value, { type: "url", required: true, maxlength: 2048, spellcheck: "false", id })
/** Sources that are removed here, and may be had back. */
const going = new Set()
const called = source => source.name ?? t("news.no-name")

/** Reads one now, and says what came of it. */
async function read(source) {
  const answer = await act("news.refresh", { source: source.id }, { mayWait: false })
  if (!answer) return
  const { trouble } = answer.source
  told(trouble ? t(`news.trouble.${trouble}`) : t("news.is-read", { source: called(answer.source) }), { isWrong: !!trouble })
}

/** The sources, each with how it went; a form for another; and the word by which nothing is read at all. */
export async function sources() {
  let now
  const anew = async () => { now = await asked("news.sources", {}) }
  await anew()
  await ask(t("news.sources"), close => {
    const part = h("div", { class: "stack" })
    const draw = () => {
      const where = address("", "news-address"), title = input("", { maxlength: 64, id: "news-name" }), who = whom("everyone")
      const form = h("form", { onsubmit: async event => {
        event.preventDefault()
        const name = title.value.trim()
        const made = await act("news.subscribe", { address: where.value.trim(), ...(name ? { name } : {}), audience: who.value() }, { mayWait: false })
        if (!made) return
        await read(made.source)
        await again()
      } }, h("h3", {}, t("news.another")), h("p", { class: "hint" }, t("news.address-hint")), field(t("news.address"), where),
      field(t("news.name"), title), field(t("news.for"), who.choice), who.people, h("button", { type: "submit", id: "add-news" }, t("news.add")))
      const shown = now.sources.filter(one => !going.has(one.id))
      const rows = h("ul", { class: "rows", id: "news-source-list" }, shown.map(one => row(one, again)))
      show(rows, shown.length)
      show(form, now.outside)
      fill(part, h("p", { class: "hint", id: "news-outside" }, t(now.outside ? "news.outside-on" : "news.outside-off")),
        button(t(now.outside ? "news.forbid" : "news.allow"), async () => {
          if (await act("news.allowOutside", { on: !now.outside }, { mayWait: false })) await again()
        }, { class: now.outside ? "quiet small danger" : "small", id: "allow-news" }), rows, form,
        h("div", { class: "actions" }, button(t("act.close"), () => close(null), { class: "quiet" })))
    }
    const again = async () => { await anew(); draw() }
    draw()
    return part
  })
}

function row(source, again) {
  return h("li", { class: "row" }, h("span", { class: "grow" }, called(source), h("br"),
    h("span", { class: "soft" }, source.refreshed ? t("news.read-at", { time: near(source.refreshed) }) : t("news.never")),
    source.trouble ? h("p", { class: "note" }, t(`news.trouble.${source.trouble}`)) : null),
  button(t("news.read"), async () => { await read(source); await again() }, { class: "quiet small read-source" }),
  button(t("news.change"), async () => { await change(source, again); await again() }, { class: "quiet small change-source" }))
}

async function change(source, again) {
  await ask(called(source), close => {
    const where = address(source.address, "source-address"), title = input(source.name, { maxlength: 64, id: "source-name" }), who = whom(source.audience)
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const name = title.value.trim(), audience = who.value()
      const said = { ...(name !== (source.name ?? "") ? { name: name || null } : {}), ...(where.value.trim() !== source.address ? { address: where.value.trim() } : {}),
        ...(JSON.stringify(audience) !== JSON.stringify(source.audience) ? { audience } : {}) }
      if (await act("news.update", { source: source.id, ...said }, { mayWait: false })) close(true)
    } }, field(t("news.name"), title), field(t("news.address"), where), field(t("news.for"), who.choice), who.people,
    h("p", { class: "hint" }, t("news.remove-hint")),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
      button(t("news.remove"), () => {
        close(true)
        undoable(t("news.removed"), "news.remove", { source: source.id }, () => going.add(source.id), () => { going.delete(source.id); again() })
      },
        { class: "quiet danger", id: "remove-source" })))
  })
}
