// SPDX-License-Identifier: Apache-2.0
// The contacts of the family, found by any of their words. They are asked for and are nothing that the page keeps.

import { asked, field, terminal } from "./base.js"
import { ask, h, say, show, sync } from "./dom.js"
import { way } from "./family.js"
import { t } from "./words.js"

/** `sought`: the words to begin with. */
export async function contacts(sought) {
  await ask(t("family.contacts"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }), byHand = terminal("kin contacts add")
    const words = h("input", { type: "search", autocomplete: "off", maxlength: 200 })
    words.value = sought
    let number = 0
    const find = async () => {
      const mine = ++number, text = words.value.trim()
      let found
      try { found = (await asked("contact.list", { limit: 50, ...(text ? { words: text } : {}) })).contacts } catch (error) {
        say(empty, t(error.code === 1403 ? "contacts.not-for-you" : "act.not-reached"))
        return show(empty, true)
      }
      if (mine !== number) return
      sync(rows, found, one => one.id, one => h("li", { class: "row" }, h("span", { class: "grow" },
        h("strong", {}, [one.title, one.firstName, one.lastName].filter(Boolean).join(" ") || one.company),
        h("span", { class: "soft" }, [one.category, one.firstName || one.lastName ? one.company : null].filter(Boolean).join(" · ")),
        one.phones.map(each => h("span", {}, way({ kind: "phone" }, each.value), each.label ? ` ${each.label}` : "")),
        one.emails.map(each => h("span", {}, way({ kind: "email" }, each.value))),
        one.addresses.map(each => h("span", {}, each.value)),
        one.birthday ? h("span", {}, `${t("profile.birthday")}: `, way({ kind: "birthday" }, one.birthday)) : null)))
      say(empty, t(text ? "contacts.none-found" : "contacts.none"))
      show(empty, !found.length)
      if (byHand) show(byHand, !found.length && !text)
    }
    words.oninput = find
    find()
    return h("form", { onsubmit: event => event.preventDefault() }, field(t("contacts.search"), words), rows, empty, byHand,
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}
