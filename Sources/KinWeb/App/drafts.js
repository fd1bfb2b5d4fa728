// SPDX-License-Identifier: Apache-2.0
// What was typed into a dialog and not sent is there again when that dialog is opened again: after the page was loaded
// anew, and after the dialog was left by Escape or by the way back. What was sent, or left by its own button, is not.

import { h } from "./dom.js"
import { ofTab } from "./store.js"
import { t } from "./words.js"

const kinds = ["textarea", "text", "url", "tel", "email"]
/** No form with a password, none with a draft of its own, and none in which one types to be sure. */
const isSpared = form => !form || form.oninput || form.querySelector("[type=password], [type=submit].danger")

/** Keeps what is typed into a dialog, under its title and what stood there first: so the draft of another thing is another. */
export function keep(dialog, title) {
  const form = dialog.querySelector("form")
  if (isSpared(form)) return
  const fields = [...form.querySelectorAll("input, textarea")].filter(one => kinds.includes(one.type))
  if (!fields.length) return
  const typed = () => fields.map(one => one.value), before = typed(), key = `kinwire.form.${JSON.stringify([title, before])}`
  const put = values => fields.forEach((field, at) => {
    if (field.value === values[at]) return
    field.value = values[at]
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
  })
  let kept = null
  try { kept = JSON.parse(ofTab.getItem(key)) } catch { /* Nothing was typed before. */ }
  if (kept?.length === fields.length) {
    put(kept)
    const said = h("p", { class: "hint", id: "draft" }, `${t("cal.draft")} `, h("button", { type: "button", class: "quiet small", onclick: () => {
      said.remove()
      put(before)
      ofTab.removeItem(key)
    } }, t("cal.anew")))
    form.prepend(said)
  }
  form.addEventListener("input", () => {
    const now = typed()
    if (now.every((value, at) => value === before[at])) ofTab.removeItem(key)
    else ofTab.setItem(key, JSON.stringify(now))
  })
  let isLost = false
  const lost = () => { isLost = true }
  // A chooser of files that is left says the same word.
  dialog.addEventListener("cancel", event => { if (event.target === dialog) lost() })
  addEventListener("hashchange", lost)
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", lost)
    if (!isLost) ofTab.removeItem(key)
  })
}
