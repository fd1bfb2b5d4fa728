// SPDX-License-Identifier: Apache-2.0
// The gallery: pictures of the family's, sent from here in pieces, looked at one by one.

import { act, asked, button, field, told, undoable } from "./base.js"
import { ask, fill, h, say, set, show } from "./dom.js"
import { hearers, me, state } from "./state.js"
import { name } from "./voice.js"
import { near, t } from "./words.js"

/** The address of a picture's pixels. */
export const pixels = (id, size) => `/api/pictures/${id}/${size}`

// Sending ----------------------------------------------------------------------------------------------------------

/** Bytes that go at a time: what is cut off is sent again, and no more. */
const pieceBytes = 1 << 20
const patience = 20

const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** What the daemon says of a request; null while it is not reached. */
async function reached(method, address, headers, body) {
  try {
    return await fetch(address, { method, headers, body, credentials: "same-origin" })
  } catch { return null }
}

/**
 * Sends a file, and goes on where it was cut off, however often (draft-ietf-httpbis-resumable-upload). Answers the picture,
 * or throws a sentence. `said`: what goes with it, as a query.
 */
export async function send(file, progress = () => {}, said = "") {
  if (!file.size) throw t("gallery.empty")
  let address = null, offset = 0, tries = 0
  for (;;) {
    if (tries > patience) throw t("act.not-reached")
    if (tries) await wait(Math.min(500 * 2 ** tries, 15_000))
    if (!address) {
      const begun = await reached("POST", `/api/pictures${said}`, {
        "Content-Type": "application/octet-stream", "Upload-Complete": "?0", "Upload-Length": String(file.size) })
      if (!begun || begun.status >= 500 || begun.status === 429) { tries++; continue }
      if (!begun.ok) throw await sentence(begun)
      address = begun.headers.get("Location")
      offset = 0
    } else if (tries) {
      const there = await reached("HEAD", address, {})
      if (!there || there.status >= 500) { tries++; continue }
      if (there.status === 404) { address = null; tries++; continue }
      offset = Number(there.headers.get("Upload-Offset") ?? 0)
    }
    const end = Math.min(offset + pieceBytes, file.size), isLast = end === file.size
    const answer = await reached("PATCH", address, {
      "Content-Type": "application/partial-upload", "Upload-Offset": String(offset), "Upload-Complete": isLast ? "?1" : "?0",
    }, file.slice(offset, end))
    if (!answer || answer.status >= 500 || answer.status === 429 || answer.status === 409) { tries++; continue }
    if (!answer.ok) throw await sentence(answer)
    tries = 0
    offset = end
    progress(offset / file.size)
    if (isLast) return (await answer.json()).picture
  }
}

async function sentence(answer) {
  try { return (await answer.json()).detail ?? t("act.failed") } catch { return t("act.failed") }
}

/** Files that are pictures, of a paste or a drop. */
export const filesOf = data => [...(data?.files ?? [])].filter(one => one.type.startsWith("image/") || /\.(heic|heif)$/i.test(one.name))

/** Files on their way, each with how far it is; `done` is told each picture. */
export class Tray {
  constructor(done, said = () => "") {
    Object.assign(this, { done, said })
    this.element = h("ul", { class: "rows tray", hidden: true })
  }

  async take(files) {
    show(this.element, true)
    for (const file of files) {
      const bar = h("progress", { max: 1, value: 0, "aria-label": file.name }), words = h("span", { class: "soft" }, file.name)
      const row = h("li", { class: "bar" }, words, bar)
      this.element.append(row)
      try {
        const picture = await send(file, part => { bar.value = part }, this.said())
        row.remove()
        await this.done(picture)
      } catch (error) {
        bar.remove()
        say(words, `${file.name}: ${typeof error === "string" ? error : t("act.failed")}`)
        row.append(button(t("gallery.again"), () => { row.remove(); return this.take([file]) }, { class: "quiet small" }))
      }
    }
    show(this.element, this.element.children.length)
  }
}

// Looking ----------------------------------------------------------------------------------------------------------

/** The least side of a square in the grid, in pixels; rows that are drawn above and below what is seen. */
const squareMin = 110, rowsBeside = 2, perPage = 60

class Gallery extends HTMLElement {
  connectedCallback() {
    if (this.grid) return
    this.items = []
    this.input = h("input", { type: "file", accept: "image/*,.heic,.heif", multiple: true, hidden: true, id: "picture-files" })
    this.input.onchange = () => { this.take([...this.input.files]); this.input.value = "" }
    this.tray = new Tray(picture => this.put(picture), () => this.who.value === "some" ? "" : `?audience=${this.who.value}`)
    this.who = h("select", { "aria-label": t("list.for"), id: "picture-audience" }, ["everyone", "household", "some"].map(value =>
      h("option", { value }, t(value === "some" ? "gallery.me" : `list.for.${value}`))))
    this.adding = h("div", { class: "card bar" }, this.who, this.input,
      button(t("gallery.add"), () => this.input.click(), { class: "small", id: "add-pictures" }))
    this.album = h("select", { "aria-label": t("gallery.album") })
    this.album.onchange = () => this.begin()
    this.share = button(t("gallery.share-album"), () => shareAlbum(this.album.value), { class: "quiet small", id: "share-album" })
    show(this.share, false)
    this.bin = h("input", { type: "checkbox" })
    this.bin.onchange = () => this.begin()
    this.grid = h("div", { class: "pictures", id: "pictures", role: "list" })
    this.none = h("p", { class: "empty", hidden: true }, t("gallery.none"))
    this.append(h("div", { class: "bar" }, h("h1", {}, t("gallery.all"))),
      this.adding, this.tray.element, h("div", { class: "bar" }, this.album, this.share, h("label", { class: "check" }, this.bin, t("gallery.bin"))),
      this.none, this.grid)
    this.shown = new Map()
    this.paint = () => this.draw()
    addEventListener("scroll", this.paint, { passive: true })
    addEventListener("resize", this.paint)
    this.hear = event => this.heard(event)
    hearers.add(this.hear)
    this.ondragover = event => event.preventDefault()
    this.ondrop = event => { event.preventDefault(); this.take(filesOf(event.dataTransfer)) }
    this.paste = event => { const files = filesOf(event.clipboardData); if (files.length) { event.preventDefault(); this.take(files) } }
    document.addEventListener("paste", this.paste)
    this.begin()
  }

  disconnectedCallback() {
    removeEventListener("scroll", this.paint)
    removeEventListener("resize", this.paint)
    document.removeEventListener("paste", this.paste)
    hearers.delete(this.hear)
    this.viewer?.close()
  }

  open(id) { if (id) look([id], 0, this) }

  update() { show(this.adding, me()?.role !== "guest") }

  take(files) { if (me()?.role !== "guest" && files.length) this.tray.take(files) }

  /** From the beginning: what is newest comes first. */
  async begin() {
    const turn = this.turn = {}
    Object.assign(this, { items: [], next: undefined, isWhole: false, isAsking: false })
    this.draw()
    show(this.share, this.album.value && me()?.role !== "guest")
    await this.askMore(turn)
    try {
      const { albums } = await asked("picture.categories")
      const chosen = this.album.value
      fill(this.album, h("option", { value: "" }, t("gallery.every-album")), ...albums.map(one => h("option", { value: one.name, selected: one.name === chosen }, `${one.name} (${one.pictures})`)))
      show(this.album, albums.length)
    } catch { show(this.album, false) }
  }

  async askMore(turn = this.turn) {
    if (this.isAsking || this.isWhole || this.turn !== turn) return
    this.isAsking = true
    try {
      const { pictures, next } = await asked("picture.list", { limit: perPage, ...(this.next ? { before: this.next } : {}),
        ...(this.album.value ? { album: this.album.value } : {}), ...(this.bin.checked ? { bin: true } : {}) })
      if (this.turn !== turn) return
      const known = new Set(this.items.map(one => one.id))
      this.items.push(...pictures.filter(one => !known.has(one.id)))
      this.next = next
      this.isWhole = !next
    } catch { told(t("act.not-reached"), { isWrong: true }); this.isWhole = true } finally { this.isAsking = false }
    show(this.none, !this.items.length)
    this.draw()
  }

  /** What is heard meanwhile; null: all anew. */
  heard(event) {
    if (!event) return this.begin()
    const { type, data } = event
    if (!type.startsWith("picture.")) return
    if (data.picture?.id) this.put(data.picture)
    else if (type !== "picture.named") this.drop(data.picture)
  }

  put(picture) {
    const fits = Boolean(picture.binned) === this.bin.checked && (!this.album.value || picture.album === this.album.value)
    this.items = this.items.filter(one => one.id !== picture.id)
    const when = one => one.taken ?? one.at
    const last = this.items.at(-1)
    if (fits && (this.isWhole || !last || when(picture) >= when(last))) {
      const at = this.items.findIndex(one => when(one) < when(picture))
      this.items.splice(at < 0 ? this.items.length : at, 0, picture)
    }
    this.shown.get(picture.id)?.remove()
    this.shown.delete(picture.id)
    show(this.none, !this.items.length)
    this.draw()
  }

  drop(id) {
    this.items = this.items.filter(one => one.id !== id)
    show(this.none, !this.items.length)
    this.draw()
  }

  /** Draws the rows that are seen and takes the others away: the page holds as much after ten years as after ten pictures. */
  draw() {
    const width = this.grid.clientWidth || this.clientWidth
    if (!width) return
    const columns = Math.max(3, Math.floor(width / squareMin)), side = width / columns
    this.grid.style.height = `${Math.ceil(this.items.length / columns) * side}px`
    const top = -this.grid.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(top / side) - rowsBeside) * columns
    const end = Math.min(this.items.length, (Math.ceil((top + innerHeight) / side) + rowsBeside) * columns)
    const wanted = new Set(this.items.slice(first, Math.max(first, end)).map(one => one.id))
    for (const [id, element] of this.shown) if (!wanted.has(id)) { element.remove(); this.shown.delete(id) }
    for (let index = first; index < end; index++) {
      const one = this.items[index]
      let element = this.shown.get(one.id)
      if (!element) {
        element = h("button", { type: "button", class: "picture", role: "listitem", "aria-label": label(one), onclick: () => look(this.items.map(all => all.id), this.items.findIndex(all => all.id === one.id), this) },
          h("img", { src: pixels(one.id, "small"), alt: "", loading: "lazy", decoding: "async" }))
        this.shown.set(one.id, element)
        this.grid.append(element)
      }
      Object.assign(element.style, { width: `${side}px`, height: `${side}px`, transform: `translate(${index % columns * side}px,${Math.floor(index / columns) * side}px)` })
    }
    if (end >= this.items.length - columns && this.items.length && !this.isWhole) this.askMore()
  }
}
customElements.define("kin-gallery", Gallery)

const label = one => [one.caption, name(one.author), near(one.taken ?? one.at)].filter(Boolean).join(", ")

/** One picture on the whole screen: arrows and swipes go to the next, Escape goes back. */
export function look(ids, at, gallery = null) {
  const image = h("img", { alt: "" }), words = h("p", { class: "words" }), actions = h("div", { class: "actions" })
  const dialog = h("dialog", { class: "viewer", "aria-label": t("gallery.one") }, image,
    h("button", { type: "button", class: "quiet close", "aria-label": t("act.close"), onclick: () => dialog.close() }, "×"),
    h("button", { type: "button", class: "quiet before", "aria-label": t("gallery.before"), onclick: () => go(-1) }, "‹"),
    h("button", { type: "button", class: "quiet after", "aria-label": t("gallery.after"), onclick: () => go(1) }, "›"), words, actions)
  let turn = 0
  async function go(step) {
    at = Math.min(Math.max(at + step, 0), ids.length - 1)
    const id = ids[at], mine = ++turn
    // The small one is there at once, the large one when it comes.
    set(image, { src: pixels(id, "small") })
    const large = new Image()
    large.onload = () => { if (mine === turn) set(image, { src: large.src }) }
    large.src = pixels(id, Math.max(innerWidth, innerHeight) * devicePixelRatio > 1400 ? "large" : "middle")
    say(words, "")
    fill(actions)
    try {
      const { picture } = await asked("picture.show", { picture: id })
      if (mine === turn) tell(picture)
    } catch { if (mine === turn) say(words, t("gallery.gone")) }
  }
  function tell(picture) {
    const { me: own } = state.snapshot
    set(image, { alt: label(picture) })
    say(words, [picture.caption, name(picture.author), near(picture.taken ?? picture.at), picture.album, picture.people.map(name).join(", ")].filter(Boolean).join(" · "))
    fill(actions,
      picture.author === own && !picture.binned ? button(t("gallery.edit"), () => edit(picture).then(() => go(0)), { class: "quiet small edit-picture" }) : null,
      picture.people.includes(own) ? button(t("gallery.not-me"), () => act("gallery.leave", { picture: picture.id }).then(() => go(0)), { class: "quiet small" }) : null,
      picture.binned ? button(t("gallery.restore"), () => act("gallery.restore", { picture: picture.id }).then(() => dialog.close()), { class: "quiet small" }) : null,
      picture.author === own || me()?.role === "admin" ? button(t(picture.binned ? "gallery.remove-now" : "gallery.remove"), () => {
        dialog.close()
        undoable(t("gallery.removed"), "picture.remove", { picture: picture.id, atOnce: Boolean(picture.binned) },
          () => gallery?.drop(picture.id), () => gallery?.put(picture))
      }, { class: "quiet small remove-picture" }) : null)
  }
  dialog.onkeydown = event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step) { event.preventDefault(); go(step) }
  }
  let from = null
  image.onpointerdown = event => { from = event.clientX }
  image.onpointerup = event => { const far = from === null ? 0 : event.clientX - from; from = null; if (Math.abs(far) > 40) go(far > 0 ? -1 : 1) }
  image.draggable = false
  dialog.onclose = () => { turn++; dialog.remove() }
  document.body.append(dialog)
  dialog.showModal()
  if (gallery) gallery.viewer = dialog
  go(0)
}

const edit = picture => ask(t("gallery.edit"), close => {
  const caption = h("input", { maxlength: 200, id: "picture-caption" }), album = h("input", { maxlength: 40, id: "picture-album" }), category = h("input", { maxlength: 40 })
  caption.value = picture.caption ?? ""
  album.value = picture.album ?? ""
  category.value = picture.category ?? ""
  const people = h("fieldset", {}, h("legend", {}, t("gallery.people")), (state.snapshot?.members ?? [])
    .map(one => h("label", { class: "check" }, h("input", { type: "checkbox", value: one.id, checked: picture.people.includes(one.id) }), one.displayName)))
  const whom = h("select", {}, ["everyone", "household", "some"].map(value => h("option", { value, selected: value === (Array.isArray(picture.audience) ? "some" : picture.audience) }, t(value === "some" ? "gallery.as-is" : `list.for.${value}`))))
  return h("form", { id: "edit-picture", onsubmit: async event => {
    event.preventDefault()
    const said = { caption: caption.value.trim() || null, album: album.value.trim() || null, category: category.value.trim() || null,
      people: [...people.querySelectorAll("input:checked")].map(one => one.value), ...(whom.value === "some" || picture.post ? {} : { audience: whom.value }) }
    if (await act("gallery.update", { picture: picture.id, ...said }, { mayWait: false })) close(true)
  } }, field(t("gallery.caption"), caption), field(t("gallery.album"), album), field(t("gallery.category"), category), people,
  picture.post ? null : field(t("list.for"), whom),
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

const shareAlbum = album => ask(t("gallery.share-album"), close => {
  const whom = h("select", { id: "album-audience" }, ["everyone", "household", "some"].map(value => h("option", { value }, t(value === "some" ? "gallery.me" : `list.for.${value}`))))
  return h("form", { onsubmit: async event => {
    event.preventDefault()
    if (await act("gallery.shareAlbum", { album, audience: whom.value === "some" ? [] : whom.value }, { mayWait: false })) close(true)
  } }, h("p", { class: "soft" }, t("gallery.share-album-hint")), field(t("list.for"), whom),
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})
