// SPDX-License-Identifier: Apache-2.0
// The contacts of the family, found by any of their words; admins add and change them. They are asked for and are nothing
// that the page keeps.

import { act, asked, button, field, undoable, why } from "./base.js"
import { ask, h, say, show, sync } from "./dom.js"
import { way } from "./family.js"
import { me } from "./state.js"
import { t } from "./words.js"

/** What is taken away here, and may be had back. */
const going = new Set()
const called = one => [one.title, one.firstName, one.lastName].filter(Boolean).join(" ") || one.company || ""

/** `sought`: the words to begin with. */
export async function contacts(sought) {
  let typed = sought, find = () => {}
  const { hash } = location
  for (;;) {
    const next = await ask(t("family.contacts"), close => {
      const mayChange = me()?.role === "admin"
      const rows = h("ul", { class: "rows", id: "contacts" }), empty = h("p", { class: "empty" })
      const words = h("input", { type: "search", autocomplete: "off", maxlength: 200 })
      words.value = typed
      const more = button(t("act.more"), () => find(next), { class: "quiet small", id: "more-contacts", hidden: true })
      let number = 0, found = [], next = null
      find = async (after = null) => {
        const mine = ++number, text = typed = words.value.trim()
        let answer
        try { answer = await asked("contact.list", { limit: 50, ...(text ? { words: text } : {}), ...(after ? { after } : {}) }) } catch (error) {
          if (mine !== number) return
          say(empty, error.code === 1403 ? t("contacts.not-for-you") : why(error))
          return show(empty, true)
        }
        if (mine !== number) return
        found = [...(after ? found : []), ...answer.contacts]
        next = answer.next ?? null
        show(more, next)
        const shown = found.filter(one => !going.has(one.id))
        sync(rows, shown, one => JSON.stringify(one), one => h("li", { class: "row" }, h("span", { class: "grow" },
          h("strong", {}, called(one)),
          h("span", { class: "soft" }, [one.category, one.firstName || one.lastName ? one.company : null].filter(Boolean).join(" · ")),
          one.phones.map(each => h("span", {}, way({ kind: "phone" }, each.value), each.label ? ` ${each.label}` : "")),
          one.emails.map(each => h("span", {}, way({ kind: "email" }, each.value))),
          one.addresses.map(each => h("span", {}, each.value)),
          one.birthday ? h("span", {}, `${t("profile.birthday")}: `, way({ kind: "birthday" }, one.birthday)) : null),
        mayChange ? button(t("profile.change"), () => close({ one }), { class: "quiet small", "aria-label": t("contacts.change", { name: called(one) }) }) : null))
        say(empty, t(text ? "contacts.none-found" : mayChange ? "contacts.none" : "contacts.none-yet"))
        show(empty, !shown.length)
      }
      words.oninput = () => find()
      find()
      return h("form", { onsubmit: event => event.preventDefault() }, field(t("contacts.search"), words), rows, empty, more,
        h("div", { class: "actions" }, mayChange ? button(t("contacts.add"), () => close({ one: null }), { id: "add-contact" }) : null,
          h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))))
    })
    if (!next) return
    await write(next.one, () => find())
    // Whoever went to another screen meanwhile stays there.
    if (location.hash !== hash) return
  }
}

/** Ways to reach somebody as lines, and back: `work: +49 30 1234`. What stood there `before` is read as what it was. */
const asLine = ({ label, value }) => label ? `${label}: ${value}` : value
const lines = ways => ways.map(asLine).join("\n")
function ways(text, before = []) {
  return text.split("\n").map(one => one.trim()).filter(Boolean).map(one => {
    const old = before.find(way => asLine(way) === one)
    if (old) return old
    const [, label, value] = /^([^:\d]{1,32}): *(.+)$/.exec(one) ?? []
    return value ? { label: label.trim(), value } : { value: one }
  })
}

/** The form of one contact; of a new one where there is none. */
async function write(one, then) {
  await ask(t(one ? "contacts.change-one" : "contacts.add"), close => {
    const line = (key, max = 100) => { const input = h("input", { maxlength: max, autocomplete: "off", id: `contact-${key}` }); input.value = one?.[key] ?? ""; return input }
    const [title, firstName, lastName, company, category] = [["title", 50], ["firstName"], ["lastName"], ["company"], ["category"]].map(all => line(...all))
    const [phones, emails, addresses] = ["phones", "emails", "addresses"].map(key => {
      const area = h("textarea", { rows: 2, autocomplete: "off", id: `contact-${key}` })
      area.value = lines(one?.[key] ?? [])
      return area
    })
    const note = h("textarea", { rows: 2, maxlength: 1000, id: "contact-note" })
    note.value = one?.note ?? ""
    const isYearless = one?.birthday?.startsWith("--"), yearless = h("input", { type: "checkbox", checked: isYearless })
    const birthday = h("input", { type: "date", id: "contact-birthday" })
    birthday.value = isYearless ? `2000${one.birthday.slice(1)}` : one?.birthday ?? ""
    const texts = { title, firstName, lastName, company, category, note }, lists = { phones, emails, addresses }
    const now = () => ({
      ...Object.fromEntries(Object.entries(texts).map(([key, input]) => [key, input.value.trim() || null])),
      ...Object.fromEntries(Object.entries(lists).map(([key, area]) => [key, ways(area.value, one?.[key])])),
      birthday: birthday.value ? yearless.checked ? `-${birthday.value.slice(4)}` : birthday.value : null,
    })
    // What is as it was is not sent: another may have changed it meanwhile.
    const json = JSON.stringify, before = Object.fromEntries(Object.entries(now()).map(([key, value]) => [key, json(value)]))
    return h("form", { "data-of": one?.id, onsubmit: async event => {
      event.preventDefault()
      const said = Object.fromEntries(Object.entries(now()).filter(([key, value]) => one ? json(value) !== before[key] : value !== null && value.length))
      if (one && !Object.keys(said).length) return close(true)
      if (await act(one ? "contact.update" : "contact.add", one ? { contact: one.id, ...said } : said, { mayWait: false })) close(true)
    } }, field(t("contacts.first"), firstName), field(t("contacts.last"), lastName), field(t("contacts.company"), company),
    field(t("contacts.phones"), phones, t("contacts.lines")), field(t("contacts.emails"), emails), field(t("contacts.addresses"), addresses),
    h("details", {}, h("summary", {}, t("contacts.more")), field(t("contacts.title"), title, t("contacts.title-hint")),
      field(t("contacts.category"), category, t("contacts.category-hint")), field(t("profile.birthday"), birthday),
      h("label", { class: "check" }, yearless, t("profile.yearless")), field(t("contacts.note"), note)),
    h("button", { type: "submit" }, t("act.save")),
    one ? h("button", { type: "button", class: "quiet danger", onclick: () => {
      close(null)
      undoable(t("contacts.removed", { name: called(one) }), "contact.remove", { contact: one.id }, () => going.add(one.id), () => { going.delete(one.id); then() })
    } }, t("contacts.remove")) : null,
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}
