// SPDX-License-Identifier: Apache-2.0
// What was typed into a dialog and not sent is there again when that dialog is opened again: after the page was loaded
// anew, and after the dialog was left by Escape or by the way back. What was sent, or left by its own button, is not.

import { h } from "./dom.js"
import { ofTab } from "./store.js"
import { t } from "./words.js"

const typing = ["textarea", "text", "url", "tel", "email", "number", "date", "time", "datetime-local"]
const choosing = ["select-one", "checkbox", "radio"]
/** No form with a password, none with a draft of its own, and none in which one types to be sure. */
const isSpared = form => !form || form.oninput || form.querySelector("[type=password], [type=submit].danger")
const isTick = field => field.type === "checkbox" || field.type === "radio"
const valueOf = field => isTick(field) ? field.checked : field.value

/**
 * The fields that there are now, by names that stay when what is chosen shows more of them: who is to see it, by member. A
 * member may be in two lists of a form, as one of those in a picture and of those who see it.
 */
function named(form) {
  const counts = {}
  return new Map([...form.querySelectorAll("input, textarea, select")].filter(one => typing.includes(one.type) || choosing.includes(one.type)).map(one => {
    const name = isTick(one) && one.hasAttribute("value") ? `${one.type} ${one.value}` : one.type
    return [`${name} ${counts[name] = (counts[name] ?? 0) + 1}`, one]
  }))
}

/**
 * Keeps what is typed into a dialog, with what was chosen beside it: under the screen's address, the dialog's title, what
 * stood there first, and where these say too little the thing that the form names as `data-of`. So the draft of another
 * thing is another.
 */
export function keep(dialog, title) {
  const form = dialog.querySelector("form")
  // It may be closed again before this was there.
  if (!dialog.open || isSpared(form)) return
  const texts = [...form.querySelectorAll("input, textarea")].filter(one => typing.slice(0, 5).includes(one.type)).map(one => one.value)
  if (!texts.length) return
  const all = () => Object.fromEntries([...named(form)].map(([name, field]) => [name, valueOf(field)]))
  const before = all(), key = `kinwire.form.${JSON.stringify([location.hash.split("?")[0], form.dataset.of ?? "", title, texts])}`
  // What nobody touched is as it is then: another spot of the map, another default.
  const changes = () => Object.fromEntries(Object.entries(all()).filter(([name, value]) => value !== before[name]))
  const isTyped = now => Object.keys(now).some(name => typing.includes(name.split(" ")[0]))
  const put = values => {
    // What is chosen first may show more to fill in.
    for (const isChoice of [true, false, true]) for (const [name, field] of named(form)) {
      if (values[name] === undefined || valueOf(field) === values[name] || choosing.includes(field.type) !== isChoice) continue
      if (isTick(field)) field.checked = values[name]
      else field.value = values[name]
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
  let kept = null
  try { kept = JSON.parse(ofTab.getItem(key)) } catch { /* Nothing was typed before. */ }
  // What an older page kept had no names.
  if (kept && !Array.isArray(kept)) {
    put(kept)
    const said = h("p", { class: "hint", id: "draft" }, `${t("cal.draft")} `, h("button", { type: "button", class: "quiet small", onclick: () => {
      said.remove()
      put(before)
      ofTab.removeItem(key)
    } }, t("cal.anew")))
    form.prepend(said)
  }
  form.addEventListener("input", () => {
    const now = changes()
    if (isTyped(now)) ofTab.setItem(key, JSON.stringify(now))
    else ofTab.removeItem(key)
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
