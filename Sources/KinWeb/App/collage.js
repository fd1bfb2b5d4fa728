// SPDX-License-Identifier: Apache-2.0
// A collage: two to twelve pictures beside each other, which are one picture of the gallery from then on. It is loaded when
// somebody makes one.

import { act, button, field, whom } from "./base.js"
import { ask, h, say, set } from "./dom.js"
import { pixels } from "./pictures.js"
import { name } from "./voice.js"
import { near, t } from "./words.js"

/** How many pictures a collage has. */
const least = 2, most = 12

/** Lets somebody choose some of these pictures, and has one made of them; `done` is told it. */
export const make = (pictures, done) => ask(t("gallery.collage"), close => {
  let chosen = [], isUnderWay = false
  const layout = h("select", { id: "collage-layout" }, ["mosaic", "grid", "row", "column"].map(one => h("option", { value: one }, t(`gallery.layout.${one}`))))
  const who = whom([], undefined, { alone: true }), count = h("p", { class: "soft", role: "status" })
  const rows = h("div", { class: "choosing", role: "group", "aria-label": t("gallery.all") }, pictures.map(one => h("button", {
    type: "button", class: "picture", "aria-pressed": "false", "data-picture": one.id, "aria-label": [one.caption, name(one.author), near(one.taken ?? one.at)].filter(Boolean).join(", "),
    onclick: () => {
      chosen = chosen.includes(one.id) ? chosen.filter(id => id !== one.id) : [...chosen, one.id].slice(0, most)
      tell()
    } }, h("img", { src: pixels(one.id, "small"), alt: "", loading: "lazy" }))))
  const made = button(t("gallery.collage-make"), async () => {
    isUnderWay = true
    tell()
    const seen = who.value(), result = await act("picture.collage", { pictures: chosen, layout: layout.value, ...(seen.length ? { audience: seen } : {}) }, { mayWait: false })
    isUnderWay = false
    if (!result) return tell()
    await done(result.picture)
    close(true)
  }, { id: "make-collage" })
  function tell() {
    for (const one of rows.children) set(one, { "aria-pressed": chosen.includes(one.dataset.picture) ? "true" : "false" })
    say(count, t("gallery.collage-chosen", { n: chosen.length }))
    set(made, { disabled: chosen.length < least || isUnderWay })
  }
  tell()
  set(who.choice, { id: "collage-audience" })
  return h("div", { class: "stack" }, h("p", { class: "hint" }, t("gallery.collage-hint")), rows, count, field(t("gallery.layout"), layout), field(t("list.for"), who.choice), who.people,
    h("div", { class: "actions" }, made, button(t("act.leave"), () => close(null), { class: "quiet" })))
})
