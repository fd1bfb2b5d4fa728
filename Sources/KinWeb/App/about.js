// SPDX-License-Identifier: Apache-2.0
// Something of the family's that a post or a message shows: a meeting, a list, a place, a post, an entry; and the lists that belong to
// something.

import { act, asked, button, isNone, retry } from "./base.js"
import { fill, h } from "./dom.js"
import { changed, me, meeting, state } from "./state.js"
import { t } from "./words.js"

/** What entries of calendars are called that were asked for; null where one does not see them. */
const subjects = new Map()
addEventListener("kin-event", ({ detail }) => { if (/^(entry|calendar)\.|^reset$/.test(detail.type)) subjects.clear() })

/** Tells what an entry is called, where that was heard otherwise. */
export const known = (id, title) => subjects.set(id, title)

/** What an entry is called. It is asked for once, and what shows it is drawn again. */
function subject(id) {
  if (subjects.has(id) || state.line !== "live") return subjects.get(id)
  subjects.set(id, null)
  asked("entry.show", { entry: id }).then(({ entry }) => { subjects.set(id, entry.subject); changed() },
    // Where it could not be asked for, it is asked for again later.
    error => { if (error.code !== 1404) setTimeout(() => subjects.delete(id), 60_000) })
}

/** Where something is looked at, and what it is called; null where one does not see it. */
export function thing(about) {
  const [kind, id] = (about ?? "").split("/"), s = state.snapshot
  const found = { meeting: () => meeting(id)?.meeting.title, list: () => (s.lists ?? []).find(one => one.id === id)?.name,
    place: () => (s.places ?? []).find(one => one.id === id)?.name, post: () => (s.posts ?? []).find(one => one.id === id)?.text?.slice(0, 60),
    entry: () => subject(id) }[kind]?.()
  return found ? { title: found, href: { meeting: `#/meetings/${id}`, list: `#/lists/${id}`, place: `#/map/${id}`, post: `#/posts/${id}`, entry: `#/calendar/${id}` }[kind], kind } : null
}

/** The same of what a list belongs to, asked for where this page does not hold it. */
export async function looked(about) {
  const [kind, id] = about.split("/")
  if (kind === "entry") {
    try {
      const { entry } = await asked("entry.show", { entry: id })
      return { kind, title: entry.subject, href: `#/calendar/${id}` }
    } catch { return null }
  }
  const meal = kind === "meal" ? (state.snapshot.meals ?? []).find(one => one.id === id) : null
  if (meal) {
    const chosen = meal.choices.filter(one => one.number === meal.chosen)
    return { kind, title: (chosen.length ? chosen : meal.choices).map(one => one.title).join(" / "), href: "#/meals" }
  }
  return thing(about)
}

/** The lists that belong to something which is looked at, and a way to make one or to tie one that is there. */
export function listsOf(about, title) {
  const element = h("div", { class: "ties" })
  const look = async () => {
    let lists
    try { ({ lists } = await asked("list.list", { about })) } catch (error) {
      if (!isNone(error)) retry(() => { if (element.isConnected) look() })
      return
    }
    const others = (state.snapshot.lists ?? []).filter(one => !lists.some(other => other.id === one.id)
      && (one.owner === state.snapshot.me || me()?.role === "admin"))
    const choice = h("select", { "aria-label": t("list.tie"), onchange: async () => {
      if (choice.value && await act("list.update", { list: choice.value, about }, { mayWait: false })) look()
    } }, h("option", { value: "" }, t("list.tie")), others.map(one => h("option", { value: one.id }, one.name)))
    fill(element, lists.map(one => h("p", {}, h("a", { href: `#/lists/${one.id}` }, t("list.of-this", { list: one.name })))),
      me()?.role === "guest" ? null : h("p", { class: "row" }, button(t("list.for-this"), async () => {
        const made = await act("list.add", { name: title.slice(0, 64), about }, { mayWait: false })
        if (made) location.hash = `#/lists/${made.list.id}`
      }, { class: "quiet small list-for" }), others.length ? choice : null))
  }
  const hear = ({ detail }) => {
    if (!element.isConnected) return removeEventListener("kin-event", hear)
    if (/^list\./.test(detail.type)) look()
  }
  addEventListener("kin-event", hear)
  look()
  return element
}
