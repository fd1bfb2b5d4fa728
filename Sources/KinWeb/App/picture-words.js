// SPDX-License-Identifier: Apache-2.0
// What is said of a picture, whom an album is shown to, and how much room there is for files. It is loaded when somebody opens one of these.

import { act, asked, field, whom } from "./base.js"
import { ask, h, set } from "./dom.js"
import { categoryName, categoryOf, words } from "./pictures.js"
import { me, people, state } from "./state.js"
import { name } from "./voice.js"
import { t } from "./words.js"

const whoOf = audience => typeof audience === "string" ? t(`list.for.${audience}`) : audience?.length ? audience.map(name).join(", ") : t("list.for.me")

/** Who sees a picture of one's own. */
export const seenBy = ({ audience, post, message }) =>
  post || message ? t(post ? "gallery.in-post" : "gallery.in-message") : `${t("list.for")}: ${whoOf(audience)}`

export const edit = picture => ask(t("gallery.edit"), close => {
  const caption = h("input", { maxlength: 200, id: "picture-caption" }), album = h("input", { maxlength: 40, id: "picture-album" }), category = h("input", { maxlength: 40, id: "picture-category", list: "known-categories" })
  set(album, { list: "known-albums" })
  caption.value = picture.caption ?? ""
  album.value = picture.album ?? ""
  category.value = picture.category ? categoryName(picture.category) : ""
  const those = h("fieldset", {}, h("legend", {}, t("gallery.people")), people()
    .map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id, checked: picture.people.includes(one.id) }), one.displayName)))
  const who = whom(picture.audience ?? [], picture.author, { alone: true })
  return h("form", { id: "edit-picture", "data-of": picture.id, onsubmit: async event => {
    event.preventDefault()
    const said = { caption: caption.value.trim() || null, album: album.value.trim() || null, category: categoryOf(category.value.trim()) || null,
      people: [...those.querySelectorAll("input:checked")].map(one => one.value), ...(picture.post || picture.message ? {} : { audience: who.value() }) }
    if (await act("picture.update", { picture: picture.id, ...said }, { mayWait: false })) close(true)
  } }, field(t("gallery.caption"), caption), field(t("gallery.album"), album), field(t("gallery.category"), category), those,
  h("datalist", { id: "known-albums" }, words.albums.map(one => h("option", { value: one.name }))),
  h("datalist", { id: "known-categories" }, words.categories.map(one => h("option", { value: categoryName(one.name) }))),
  picture.post || picture.message ? h("p", { class: "soft" }, t(picture.post ? "gallery.in-post" : "gallery.in-message")) : [field(t("list.for"), who.choice), who.people],
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

export const shareAlbum = album => ask(t("gallery.share-album"), close => {
  const who = whom("everyone", undefined, { alone: true })
  set(who.choice, { id: "album-audience" })
  return h("form", { onsubmit: async event => {
    event.preventDefault()
    if (await act("picture.shareAlbum", { album, audience: who.value() }, { mayWait: false })) close(true)
  } }, h("p", { class: "soft" }, t("gallery.share-album-hint")), field(t("list.for"), who.choice), who.people,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

/**
 * What is sent while an album is chosen comes into it, and is shared as one's own pictures there are, unless one says otherwise:
 * nobody sees more of an album than it is shown to. `isNew`: another album was chosen.
 */
export async function asAlbum(gallery, isNew = false) {
  const { choice } = gallery.who, { value: album } = gallery.album
  let shared = null
  if (album && me()?.role !== "guest") {
    try {
      const [{ albums }, { pictures }] = await Promise.all([asked("picture.categories"), asked("picture.list", { album, by: state.snapshot.me, limit: 20 })])
      shared = albums.find(one => one.name === album)?.audience ?? pictures.find(one => one.audience && !one.post && !one.message)?.audience ?? null
    } catch { shared = isNew ? [] : gallery.shared }
  }
  if (gallery.album.value !== album) return true
  const before = choice.value, who = whoOf(shared)
  if (!gallery.isHeard) choice.addEventListener("change", () => { gallery.given = "" })
  gallery.isHeard = true
  gallery.shared = shared
  choice.querySelector("[value=album]")?.remove()
  if (shared) choice.prepend(h("option", { value: "album" }, t("gallery.for-album", { who })))
  // What one chose oneself stays chosen; what the album before this one made of it does not.
  const isGiven = before === "album" || before === (gallery.given ?? "everyone"), none = album && !isNew ? "me" : "everyone"
  if (shared) choice.value = isGiven || isNew && before === "everyone" ? "album" : before
  else choice.value = before === "album" || isNew && isGiven ? none : before
  const given = choice.value === before ? gallery.given : choice.value
  choice.dispatchEvent(new Event("change"))
  gallery.given = given
  return true
}

const gibi = 2 ** 30

/** An admin says how much room there is for files. */
export async function room() {
  const now = await asked("quota.show")
  return ask(t("gallery.room-set"), close => {
    const fields = [["member", t("gallery.room-member")], ["family", t("gallery.room-family")]].map(([name, label]) => {
      const input = h("input", { type: "number", min: 0.02, max: 1_048_576, step: "any", required: true, id: `room-${name}` })
      input.value = now[name] / gibi
      return { name, label, input, before: input.value }
    })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const said = Object.fromEntries(fields.filter(one => one.input.value !== one.before).map(one => [one.name, Math.round(Number(one.input.value) * gibi)]))
      if (!Object.keys(said).length) return close(null)
      if (await act("quota.set", said, { mayWait: false })) close(true)
    } }, fields.map(one => field(one.label, one.input)), h("p", { class: "hint" }, t("gallery.room-hint")),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  })
}
