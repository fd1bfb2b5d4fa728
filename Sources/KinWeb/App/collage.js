// SPDX-License-Identifier: Apache-2.0
// A collage: two to twelve pictures beside each other, which are one picture of the gallery from then on. It is loaded when
// somebody makes one.

import { button, field, whom } from "./base.js"
import { ask, h, say, set, show } from "./dom.js"
import { pixels } from "./pictures.js"
import { sendFile } from "./uploads.js"
import { name } from "./voice.js"
import { near, t } from "./words.js"

/** How many pictures a collage has, and a sixth of its width and what lies between two, in pixels. */
const least = 2, most = 12, unit = 320, gap = 8

/** Where each of so many pictures is: left, top, width and height, in sixths. The rows come out even. */
export function places(count) {
  if (count === 3) return [[0, 0, 4, 4], [4, 0, 2, 2], [4, 2, 2, 2]]
  const large = count % 3, high = [0, 3, 2.25][large]
  return Array.from({ length: count }, (_, at) => at < large ? [at * 6 / large, 0, 6 / large, high]
    : [(at - large) % 3 * 2, high + Math.floor((at - large) / 3) * 2, 2, 2])
}

const loaded = address => new Promise((resolve, reject) => Object.assign(new Image(), { onload() { resolve(this) }, onerror: reject, src: address }))

/** Draws pictures beside each other, each cut around its middle. */
async function drawn(ids) {
  const all = places(ids.length), images = await Promise.all(ids.map(id => loaded(pixels(id, "middle"))))
  const canvas = h("canvas", { width: 6 * unit, height: Math.max(...all.map(([, top, , high]) => top + high)) * unit }), pen = canvas.getContext("2d")
  pen.fillStyle = "#fff"
  pen.fillRect(0, 0, canvas.width, canvas.height)
  images.forEach((image, at) => {
    const [left, top, wide, high] = all[at].map(one => one * unit), width = wide - gap, height = high - gap
    const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight), [cutWide, cutHigh] = [width / scale, height / scale]
    pen.drawImage(image, (image.naturalWidth - cutWide) / 2, (image.naturalHeight - cutHigh) / 2, cutWide, cutHigh, left + gap / 2, top + gap / 2, width, height)
  })
  return new Promise(resolve => canvas.toBlob(resolve, "image/jpeg", 0.9))
}

/** Lets somebody choose some of these pictures, and makes one of them; `done` is told it. */
export const make = (pictures, done) => ask(t("gallery.collage"), close => {
  let chosen = []
  const who = whom([], undefined, { alone: true }), bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("gallery.collage") })
  const count = h("p", { class: "soft", role: "status" }), wrong = h("p", { class: "wrong", role: "alert", hidden: true })
  const rows = h("div", { class: "choosing", role: "group", "aria-label": t("gallery.all") }, pictures.map(one => h("button", {
    type: "button", class: "picture", "aria-pressed": "false", "data-picture": one.id, "aria-label": [one.caption, name(one.author), near(one.taken ?? one.at)].filter(Boolean).join(", "),
    onclick: () => {
      chosen = chosen.includes(one.id) ? chosen.filter(id => id !== one.id) : [...chosen, one.id].slice(0, most)
      tell()
    } }, h("img", { src: pixels(one.id, "small"), alt: "", loading: "lazy" }))))
  const made = button(t("gallery.collage-make"), async () => {
    set(made, { disabled: true })
    show(wrong, false)
    show(bar, true)
    try {
      const seen = who.value(), file = new File([await drawn(chosen)], "collage.jpg", { type: "image/jpeg" })
      await done(await sendFile(file, false, part => { bar.value = part }, seen.length ? { audience: seen } : {}))
      close(true)
    } catch (error) {
      say(wrong, typeof error === "string" ? error : t("act.failed"))
      show(wrong, true)
      show(bar, false)
      tell()
    }
  }, { id: "make-collage" })
  function tell() {
    for (const one of rows.children) set(one, { "aria-pressed": chosen.includes(one.dataset.picture) ? "true" : "false" })
    say(count, t("gallery.collage-chosen", { n: chosen.length }))
    set(made, { disabled: chosen.length < least })
  }
  tell()
  set(who.choice, { id: "collage-audience" })
  return h("div", { class: "stack" }, h("p", { class: "hint" }, t("gallery.collage-hint")), rows, count, field(t("list.for"), who.choice), who.people, bar, wrong,
    h("div", { class: "actions" }, made, button(t("act.leave"), () => close(null), { class: "quiet" })))
})
