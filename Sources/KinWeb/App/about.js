// SPDX-License-Identifier: Apache-2.0
// Something of the family's that a post or a message shows: a meeting, a list, a place, a picture, an entry, a post that is quoted; and
// the lists that belong to something.

import { act, asked, button, isNone, retry } from "./base.js"
import { fill, h } from "./dom.js"
import { changed, me, meeting, state } from "./state.js"
import { name } from "./voice.js"
import { t } from "./words.js"

/** What things are called that were asked for; null where one does not see them, undefined while that is not known. */
const names = new Map()
addEventListener("kin-event", ({ detail }) => {
  const part = detail.type.split(".")[0], kind = part === "calendar" ? "entry" : part
  // What happens to things of one kind says nothing of the others.
  for (const about of [...names.keys()]) if (part === "reset" || about.startsWith(`${kind}/`)) names.delete(about)
})

/** Tells what something is called, where that was heard otherwise. */
export const known = (about, title) => names.set(about, title)

/** Characters of a post that is quoted. */
const most = 280

/** A post as it is quoted: who says what. */
export function quoted({ author, text, link, pictures }) {
  const said = text ?? link ?? pictures?.map(one => one.caption).find(Boolean), all = [...said ?? ""]
  return said ? `${name(author)}: ${all.length > most ? `${all.slice(0, most).join("")}…` : said}` : name(author)
}

/** What there is: what was decided, or what there may be. */
function dinner({ choices, chosen }) {
  const decided = choices.filter(one => one.number === chosen)
  return (decided.length ? decided : choices).map(one => one.title).join(" / ")
}

/** How it is asked for what the page does not hold. */
const asks = {
  entry: async id => (await asked("entry.show", { entry: id })).entry.subject,
  list: async id => (await asked("list.show", { list: id })).list.name,
  meal: async id => dinner((await asked("meal.show", { meal: id })).meal),
  meeting: async id => (await asked("meeting.show", { meeting: id })).meeting.title,
  place: async id => (await asked("place.show", { place: id })).place.name,
  picture: async id => (await asked("picture.show", { picture: id })).picture.caption ?? "",
  post: async id => quoted((await asked("post.show", { post: id })).post),
}

/** What something is called. It is asked for once, and what shows it is drawn again. */
function heard(about) {
  if (names.has(about) || state.line !== "live") return names.get(about)
  const [kind, id] = about.split("/")
  names.set(about, undefined)
  asks[kind](id).then(title => { names.set(about, title); changed() }, error => {
    // Where the line broke it is asked for with the next one, and where the daemon was busy, later.
    if (error.code === 0) return names.delete(about)
    if (!isNone(error)) return setTimeout(() => names.delete(about), 60_000)
    names.set(about, null)
    changed()
  })
}

/** What each kind is called, out of what the page holds or was told. */
const finds = {
  meeting: id => meeting(id)?.meeting.title ?? heard(`meeting/${id}`),
  place: id => (state.snapshot.places ?? []).find(one => one.id === id)?.name ?? heard(`place/${id}`),
  list: id => (state.snapshot.lists ?? []).find(one => one.id === id)?.name ?? heard(`list/${id}`),
  entry: id => heard(`entry/${id}`),
  meal: id => {
    const meal = (state.snapshot.meals ?? []).find(one => one.id === id)
    return meal ? dinner(meal) : heard(`meal/${id}`)
  },
  picture: id => heard(`picture/${id}`),
  post: id => {
    const post = (state.snapshot.posts ?? []).find(one => one.id === id)
    return post ? quoted(post) : heard(`post/${id}`)
  },
}

/** Where one looks at each. */
const places = { meeting: "meetings", place: "map", list: "lists", entry: "calendar", picture: "pictures", post: "posts" }

function found(about) {
  const [kind, id] = (about ?? "").split("/")
  // What is of a kind that this page does not know is not seen in it.
  return { kind, id, words: finds[kind] ? finds[kind](id) : about ? null : undefined }
}

/** Where something is looked at, and what it is called; null where one does not see it. Of a post `words` says more. */
export function thing(about) {
  const { kind, id, words } = found(about)
  if (typeof words !== "string") return null
  return { title: kind === "post" ? [...words].slice(0, 60).join("") : words, words, href: kind === "meal" ? "#/meals" : `#/${places[kind]}/${id}`, kind }
}

/** Whether one does not see it, as far as that is known. */
export const isUnseen = about => found(about).words === null

/** What it is, and what it is called. */
export const said = ({ kind, title }) => title ? `${t(`chat.about.${kind}`)}: ${title}` : t(`chat.about.${kind}`)

/** The same of what a list belongs to, asked for where this page does not hold it. */
export async function looked(about) {
  const [kind, id] = about.split("/")
  if (asks[kind] && typeof found(about).words !== "string") {
    try { names.set(about, await asks[kind](id)) } catch { return null }
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
