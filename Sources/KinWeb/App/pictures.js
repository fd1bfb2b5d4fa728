// SPDX-License-Identifier: Apache-2.0
// The gallery: pictures of the family's, sent from here in pieces, looked at one by one.

import { act, asked, button, field, retry, lazily, told, undoable, whom, why } from "./base.js"
import { fill, h, openDialog, say, set, show } from "./dom.js"
import { fold } from "./fold.js"
import { reactions, saidBy } from "./reactions.js"
import { now as present } from "./served.js"
import { hearers, me, people, state } from "./state.js"
import { name } from "./voice.js"
import { civil, knows, moment, near, t } from "./words.js"

/** The address of a picture's pixels, of its film, or of its document. */
export const pixels = (id, size) => `/api/pictures/${id}/${size}`
/** How long a file is: whole numbers of up to four digits. */
const size = bytes => { const step = Math.min(3, Math.floor(Math.log2(Math.max(bytes, 1)) / 10)); return `${Math.floor(bytes / 1024 ** step)} ${["B", "KiB", "MiB", "GiB"][step]}` }
const titled = ({ name: called, bytes }) => `${called} (${size(bytes)})`
/** What a picture of a post or a message is called. */
export const called = ({ document, caption, film }) => document ? titled(document) : caption ?? t(film ? "gallery.film" : "gallery.one")
/** How many of a post's or a message's pictures are larger than the others, so that the rows of the collage come out even. */
export const large = count => count === 3 ? 1 : count % 3
/** How many think something of a picture. */
const hearts = ({ likes }) => likes?.length ? h("span", { class: "hearts" }, h("span", { "aria-hidden": "true" }, "❤️ "), String(likes.length)) : null
/** A picture after an event, which may have changed what members think of it. */
const folded = (picture, event) => fold({ pictures: [structuredClone(picture)] }, event).pictures[0]
/** Draws a picture as a button; of a film it says so, of a document its name. */
export const frame = ({ film, document }, attributes, ...inner) =>
  h("button", { type: "button", class: film ? "picture film" : document ? "picture document" : "picture", ...attributes }, inner, document ? h("span", { class: "called" }, titled(document)) : null)

// Sending ----------------------------------------------------------------------------------------------------------

/** Files of these kinds may be chosen. */
export const kinds = "image/*,video/*,.heic,.heif,.mov"
export const isFilm = file => file.type.startsWith("video/") || /\.(mp4|m4v|mov|3gp)$/i.test(file.name)
const isPicture = file => file.type.startsWith("image/") || isFilm(file) || /\.(heic|heif)$/i.test(file.name)
/** Files of a paste or a drop. */
export const filesOf = data => [...(data?.files ?? [])]

/** Files on their way, each with how far it is; `done` is told each picture. */
export class Tray {
  constructor(done, said = () => ({})) {
    Object.assign(this, { done, said })
    this.element = h("ul", { class: "rows tray", hidden: true })
  }

  /**
   * What is no picture is a document; so is every file that was chosen as one. What goes with the files is what was chosen when
   * they came: whatever is chosen while they are on their way is for others.
   */
  take(...all) { return this.under = Promise.all([this.under, this.send(...all)]) }

  async send(files, asDocuments = false, said = this.said()) {
    show(this.element, true)
    for (const file of files) {
      const bar = h("progress", { max: 1, value: 0, "aria-label": file.name }), words = h("span", { class: "soft" }, file.name)
      const row = h("li", { class: "bar" }, words, bar)
      this.element.append(row)
      try {
        const isDocument = asDocuments || !isPicture(file), { sendFile } = await import("./uploads.js")
        const picture = await sendFile(file, isDocument, part => { bar.value = part }, said)
        row.remove()
        await this.done(picture)
      } catch (error) {
        bar.remove()
        say(words, `${file.name}: ${typeof error === "string" ? error : t("act.failed")}`)
        row.append(button(t("gallery.again"), () => { row.remove(); return this.take([file], asDocuments, said) }, { class: "quiet small" }))
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
    this.input = h("input", { type: "file", accept: kinds, multiple: true, hidden: true, id: "picture-files" })
    this.input.onchange = () => { this.take([...this.input.files]); this.input.value = "" }
    this.documents = h("input", { type: "file", multiple: true, hidden: true, id: "document-files" })
    this.documents.onchange = () => { this.take([...this.documents.files], true); this.documents.value = "" }
    this.who = whom("everyone", undefined, { alone: true })
    set(this.who.choice, { id: "picture-audience" })
    this.keeps = h("input", { type: "checkbox", id: "keep-original" })
    this.tray = new Tray(picture => this.put(picture), () => ({ album: this.album.value, audience: this.who.choice.value === "album" ? this.shared : this.who.value(), original: this.keeps.checked ? "true" : "" }))
    this.room = h("p", { class: "hint", id: "room-for-files" })
    this.roomSet = button(t("gallery.room-set"), () => ofWords(async all => { if (await all.room()) await this.askRoom() }), { class: "quiet small", id: "set-room", hidden: true })
    // A small phone shows pictures at once, and says in a line who is to see what is added.
    this.adding = h("div", { class: "card" }, this.input, this.documents, button(t("gallery.add"), () => this.input.click(), { class: "small", id: "add-pictures" }),
      this.how = h("details", { class: "done", id: "how-added", open: matchMedia("(min-width: 40rem)").matches, ontoggle: () => this.askRoom() }, this.who.how(), h("div", { class: "stack" }, h("label", { for: "picture-audience" }, t("gallery.for")),
        h("div", { class: "bar picking" }, this.who.choice, button(t("gallery.add-documents"), () => this.documents.click(), { class: "quiet small", id: "add-documents" })), this.who.people,
        h("label", { class: "check" }, this.keeps, t("gallery.keep-original")), this.room, this.roomSet)))
    this.album = h("select", { "aria-label": t("gallery.album"), hidden: true })
    this.category = h("select", { "aria-label": t("gallery.category"), hidden: true })
    this.pictured = h("select", { "aria-label": t("gallery.people"), id: "pictured", hidden: true })
    const ofDay = id => h("input", { type: "date", id, onchange: () => this.begin() })
    this.from = ofDay("pictures-from")
    this.to = ofDay("pictures-to")
    this.category.onchange = this.pictured.onchange = () => this.begin()
    this.album.onchange = () => { this.begin(); ofWords(all => all.asAlbum(this, true)) }
    this.share = button(t("gallery.share-album"), () => ofWords(all => all.shareAlbum(this.album.value).then(() => all.asAlbum(this))), { class: "quiet small", id: "share-album" })
    show(this.share, false)
    this.file = h("a", { class: "button quiet small", id: "archive", download: "" }, t("gallery.archive"))
    this.collage = button(t("gallery.collage"), () => lazily(() => import("./collage.js"), one => one.make(this.items.filter(each => !each.film && !each.document), picture => this.put(picture))), { class: "quiet small", id: "collage" })
    show(this.collage, false)
    this.bin = h("input", { type: "checkbox" })
    this.bin.onchange = () => this.begin()
    this.grid = h("div", { class: "pictures", id: "pictures", role: "group", "aria-label": t("gallery.all") })
    this.none = h("p", { class: "empty", hidden: true })
    this.hint = h("p", { class: "hint", hidden: true }, t("gallery.bin-hint"))
    this.end = h("p", { class: "empty", hidden: true }, t("line.older-away"))
    this.strip = h("div", { class: "strip" })
    this.day = h("section", { hidden: true, id: "on-this-day" }, h("h2", {}, t("gallery.on-this-day")), this.strip)
    this.append(h("div", { class: "bar" }, h("h1", {}, t("gallery.all"))),
      this.adding, this.tray.element, this.day,
      h("div", { class: "bar picking" }, this.album, this.category, this.pictured, h("label", { class: "check" }, this.bin, t("gallery.bin"))),
      h("details", { id: "by-date" }, h("summary", {}, t("gallery.dates")), h("div", { class: "bar picking" }, field(t("gallery.from"), this.from), field(t("gallery.to"), this.to))),
      h("div", { class: "actions" }, this.share, this.collage, this.file), this.hint, this.none, this.grid, this.end)
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
    // It is asked for as soon as there is a line.
    this.isDue = true
  }

  disconnectedCallback() {
    removeEventListener("scroll", this.paint)
    removeEventListener("resize", this.paint)
    document.removeEventListener("paste", this.paste)
    hearers.delete(this.hear)
    this.viewer?.close()
  }

  open(id) { if (id) look([id], 0, this) }

  update({ line }) {
    show(this.adding, me()?.role !== "guest")
    const isBack = line === "live" && this.line !== line
    this.line = line
    if (this.isDue && line === "live") {
      this.isDue = false
      this.begin(this.isKnown)
    } else if (isBack) {
      this.isStuck = false
      this.draw()
    }
    this.tell()
  }

  /** How much room one's own files take, where that is in sight. */
  async askRoom() {
    show(this.roomSet, me()?.role === "admin")
    if (!this.how.open || this.line !== "live" || me()?.role === "guest") return
    try {
      const { used, member } = await asked("quota.show")
      say(this.room, t("gallery.room", { used: size(used), member: size(member) }))
    } catch { /* It is asked for again when pictures are. */ }
  }

  async take(files, asDocuments) {
    if (me()?.role === "guest" || !files.length) return
    // It may have been shared with others meanwhile.
    if (this.album.value && !await ofWords(all => all.asAlbum(this))) return
    this.tray.take(files, asDocuments)
  }

  /** From the beginning: what is newest comes first. What was there stays until the answer comes, where it `keeps`. */
  async begin(keeps = false) {
    const turn = this.turn = {}
    Object.assign(this, { isFirst: true, isKnown: keeps, isWhole: false, isAsking: false, isStuck: false })
    if (!keeps) this.items = []
    this.draw()
    this.tell()
    const { value: album } = this.album
    show(this.share, album && me()?.role !== "guest")
    set(this.file, { href: `/api/pictures-archive${query({ album, format: "zip" })}` })
    show(this.hint, this.bin.checked)
    await this.askMore(turn)
    try {
      const known = await asked("picture.categories")
      if (this.turn === turn) this.choose(known)
      this.askRoom()
      await this.askDay(turn)
    } catch { /* They are chosen from when the daemon is reached again. */ }
  }

  /** The albums and categories there are. */
  choose({ albums, categories }) {
    Object.assign(words, { albums, categories })
    const used = categories.filter(one => one.pictures)
    for (const [select, all, every] of [[this.album, albums, "gallery.every-album"], [this.category, used, "gallery.every-category"]]) {
      const chosen = select.value
      fill(select, h("option", { value: "" }, t(every)), ...all.map(one => h("option", { value: one.name, selected: one.name === chosen }, `${select === this.album ? one.name : categoryName(one.name)} (${one.pictures})`)))
      show(select, all.length || chosen)
      // An album that is no more is looked at no more.
      if (select.value !== chosen) select.onchange()
    }
    const who = this.pictured.value
    fill(this.pictured, h("option", { value: "" }, t("gallery.with-anybody")), ...people().map(one => h("option", { value: one.id, selected: one.id === who }, one.displayName)))
    this.offerPictured()
  }

  /** Where somebody is said to be in a picture, one chooses by who that is. */
  offerPictured() { show(this.pictured, this.pictured.value || this.items.some(one => one.people.length)) }

  /** From when on and up to when they were taken, by the reader's clock: whole days. */
  get dates() {
    const start = (day, more) => new Date(moment(`${new Date(Date.parse(`${day}T00:00Z`) + more).toISOString().slice(0, 10)}T00:00`)).toISOString()
    return { ...(this.from.value ? { from: start(this.from.value, 0) } : {}), ...(this.to.value ? { to: start(this.to.value, 86_400_000) } : {}) }
  }

  /** What was taken on this day of other years. */
  async askDay(turn) {
    const { year, month, day } = civil(present())
    const isWhole = !this.bin.checked && !this.album.value && !this.category.value && !this.pictured.value && !this.from.value && !this.to.value
    const { pictures } = isWhole ? await asked("picture.onThisDay", { month, day, to: new Date(Date.UTC(year, 0, 1)).toISOString() }) : { pictures: [] }
    if (this.turn !== turn) return
    const ids = pictures.map(one => one.id)
    fill(this.strip, ...pictures.map((one, at) => frame(one, { "aria-label": label(one), onclick: () => look(ids, at, this) },
      h("img", { src: pixels(one.id, "small"), alt: "", loading: "lazy", decoding: "async" }), h("span", { class: "soft" }, String(civil(one.taken ?? one.at).year)))))
    show(this.day, ids.length)
  }

  async askMore(turn = this.turn) {
    if (this.isAsking || this.isWhole || this.turn !== turn) return
    this.isAsking = true
    try {
      const { pictures, next } = await asked("picture.list", { limit: perPage, ...(this.items.length && !this.isFirst ? { before: this.items.at(-1).id } : {}),
        ...(this.album.value ? { album: this.album.value } : {}), ...(this.category.value ? { category: this.category.value } : {}),
        ...(this.pictured.value ? { who: this.pictured.value } : {}), ...(this.bin.checked ? { bin: true } : {}), ...this.dates })
      if (this.turn !== turn) return
      // What came after the answer was made is kept.
      if (this.isFirst) { this.items = this.items.filter(one => one.id > (pictures[0]?.id ?? "")); this.redraw() }
      const known = new Set(this.items.map(one => one.id))
      this.items.push(...pictures.filter(one => !known.has(one.id)))
      Object.assign(this, { isWhole: !next, isFirst: false, isKnown: true })
    } catch (error) {
      if (this.turn !== turn) return
      told(why(error), { isWrong: true })
      // Later ones are asked for again when there is a line, from where they are.
      Object.assign(this, { isDue: this.isFirst, isStuck: true })
      retry(() => {
        if (this.turn !== turn || !this.isConnected) return
        this.isStuck = false
        this.draw()
      })
      return
    } finally { if (this.turn === turn) { this.isAsking = false; this.tell() } }
    this.draw()
  }

  /** What is drawn may show another state of a picture. */
  redraw() {
    for (const element of this.shown.values()) element.remove()
    this.shown.clear()
  }

  /** That there is nothing, where there is nothing; and that nobody knows, where nobody was asked. */
  tell() {
    const isAway = this.line === "away"
    show(this.end, isAway && this.items.length && !this.isWhole)
    if (!this.isKnown) {
      say(this.none, isAway ? t("line.unknown") : "")
      show(this.none, isAway && !this.items.length)
      show(this.collage, false)
      return show(this.file, false)
    }
    say(this.none, t(this.from.value || this.to.value ? "gallery.none-then" : this.pictured.value ? "gallery.none-with" : this.bin.checked ? "gallery.bin-empty" : me()?.role === "guest" ? "gallery.none-guest" : "gallery.none"))
    show(this.none, !this.items.length)
    show(this.file, this.items.length && !this.bin.checked)
    show(this.collage, this.items.length > 1 && !this.bin.checked && me()?.role !== "guest")
  }

  /** What is heard meanwhile; null: all anew. */
  heard(event) {
    if (!event) { this.isDue = true; return }
    const { type, data } = event
    if (!type.startsWith("picture.")) return
    if (type === "picture.liked") return this.change(event)
    if (data.picture?.id) this.put(data.picture)
    else if (type !== "picture.named") this.drop(data.picture)
    // What comes at once is counted once.
    clearTimeout(this.counts)
    this.counts = setTimeout(() => asked("picture.categories").then(all => this.choose(all), () => {}), 300)
  }

  put(picture) {
    const when = one => one.taken ?? one.at, { from, to } = this.dates
    const fits = Boolean(picture.binned) === this.bin.checked && (!this.album.value || picture.album === this.album.value) && (!this.category.value || picture.category === this.category.value)
      && (!this.pictured.value || picture.people.includes(this.pictured.value)) && when(picture) >= (from ?? "") && (!to || when(picture) < to)
    this.items = this.items.filter(one => one.id !== picture.id)
    const last = this.items.at(-1)
    if (fits && (this.isWhole || !last || when(picture) >= when(last))) {
      const at = this.items.findIndex(one => when(one) < when(picture))
      this.items.splice(at < 0 ? this.items.length : at, 0, picture)
    }
    this.shown.get(picture.id)?.remove()
    this.shown.delete(picture.id)
    this.offerPictured()
    this.tell()
    this.draw()
  }

  /** What members think of a picture is drawn anew where it is drawn. */
  change(event) {
    const at = this.items.findIndex(one => one.id === event.data.picture)
    if (at < 0) return
    this.items[at] = folded(this.items[at], event)
    const element = this.shown.get(event.data.picture)
    if (!element) return
    element.querySelector(".hearts")?.remove()
    element.append(hearts(this.items[at]) ?? "")
    set(element, { "aria-label": label(this.items[at]) })
  }

  drop(id) {
    this.items = this.items.filter(one => one.id !== id)
    this.tell()
    this.draw()
  }

  /** On the whole screen, with all that come after it, however many. */
  look(id) {
    look(this.items.map(one => one.id), this.items.findIndex(one => one.id === id), this, async () => {
      await this.askMore()
      return this.items.map(one => one.id)
    })
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
    const places = this.items.slice(first, Math.max(first, end)).map((_, at) => first + at)
    // Whoever is on a picture by the keyboard stays on it, however far one scrolls.
    const focused = this.items.findIndex(one => this.shown.get(one.id) === document.activeElement)
    if (focused >= 0 && !places.includes(focused)) places.push(focused)
    places.sort((a, b) => a - b)
    const wanted = new Set(places.map(at => this.items[at].id))
    for (const [id, element] of this.shown) if (!wanted.has(id)) { element.remove(); this.shown.delete(id) }
    // They stand in the page in the order in which they are seen: the keyboard goes through them in that order.
    let next = this.grid.firstElementChild
    for (const index of places) {
      const one = this.items[index]
      let element = this.shown.get(one.id)
      if (!element) {
        element = frame(one, { "aria-label": label(one), onclick: () => this.look(one.id) },
          h("img", { src: pixels(one.id, "small"), alt: "", loading: "lazy", decoding: "async" }), hearts(one))
        this.shown.set(one.id, element)
      }
      if (element === next) next = next.nextElementSibling
      else this.grid.insertBefore(element, next)
      Object.assign(element.style, { width: `${side}px`, height: `${side}px`, transform: `translate(${index % columns * side}px,${Math.floor(index / columns) * side}px)` })
    }
    if (end >= this.items.length - columns && this.items.length && !this.isWhole && !this.isStuck && state.line === "live") this.askMore()
  }
}
customElements.define("kin-gallery", Gallery)

/** The categories and albums that are known. */
export const words = { albums: [], categories: [] }
/** What goes with a file, as a query. A list without anybody says so: left out, whoever sees the album would see it. */
export const query = given => {
  const said = Object.entries(given).filter(([, value]) => Array.isArray(value) || value?.length).map(([key, value]) => `${key}=${encodeURIComponent([value].flat().join(","))}`)
  return said.length ? `?${said.join("&")}` : ""
}
/** The words that a family begins with are said in the reader's language; its own are said as they are. */
const categoryKey = word => `gallery.category.${word.replaceAll(" ", "-")}`
export const categoryName = word => knows(categoryKey(word)) ? t(categoryKey(word)) : word
export const categoryOf = said => words.categories.find(one => categoryName(one.name) === said)?.name ?? said

/** What is said of a picture or an album is asked for in dialogs that few open. */
const ofWords = then => lazily(() => import("./picture-words.js"), then)

const label = one => [one.film && t("gallery.film"), one.document && titled(one.document), one.caption, name(one.author), near(one.taken ?? one.at), one.likes?.length && saidBy(one.likes)].filter(Boolean).join(", ")

/** One picture on the whole screen: arrows and swipes go to the next, Escape goes back. `more`: asks for those behind the last. */
export function look(ids, at, gallery = null, more = null) {
  const steps = [[-1, "‹", "before", t("gallery.before")], [1, "›", "after", t("gallery.after")]].map(([step, sign, where, text]) =>
    h("button", { type: "button", class: `quiet ${where}`, "aria-label": text, onclick: () => go(step) }, sign))
  const image = h("img", { alt: "" }), film = h("video", { controls: true, playsinline: true, preload: "metadata" }), line = h("p", { class: "words" }), actions = h("div", { class: "actions" })
  // The picture that is looked at, once it is known.
  let shown = null
  const likes = reactions(() => shown?.likes, reaction => shown && act("picture.like", { picture: shown.id, reaction })), liked = h("p", { class: "words", id: "liked-by" })
  const dialog = h("dialog", { class: "viewer", "aria-label": t("gallery.one") }, image,
    h("button", { type: "button", class: "quiet close", "aria-label": t("act.close"), onclick: () => dialog.close() }, "×"), steps, line, liked, likes.element, actions)
  let turn = 0
  async function go(step) {
    at = Math.min(Math.max(at + step, 0), ids.length - 1)
    const id = ids[at], mine = ++turn
    if (more && at >= ids.length - 2) more().then(all => { if (all[at] === id) { ids = all; mark() } })
    mark()
    // The small one is there at once, the large one when it comes.
    set(image, { src: pixels(id, "small") })
    const large = new Image()
    large.onload = () => { if (mine === turn) set(image, { src: large.src }) }
    large.src = pixels(id, Math.max(innerWidth, innerHeight) * devicePixelRatio > 1400 ? "large" : "middle")
    say(line, "")
    fill(actions)
    play(null)
    think(null)
    try {
      const { picture } = await asked("picture.show", { picture: id })
      if (mine === turn) tell(picture)
    } catch (error) { if (mine === turn) say(line, error.code === 0 || error.code === 1503 ? why(error) : t("gallery.gone")) }
  }
  // They keep the focus, so that the keys go on.
  function mark() { steps.forEach((one, index) => set(one, { "aria-disabled": at === (index ? ids.length - 1 : 0) ? "true" : null })) }
  // A film that this browser cannot play is a picture, which can be saved.
  film.onerror = () => { if (film.getAttribute("src")) play(null) }
  function play(picture) {
    show(image, !picture)
    // It is in the page while it plays alone: a dialog that opens would give it the focus, hidden or not.
    if (!picture) { film.remove(); film.removeAttribute("src"); film.load(); return }
    image.after(film)
    set(film, { poster: pixels(picture.id, "middle"), src: pixels(picture.id, "film"), "aria-label": label(picture) })
  }
  /** What members think of it; nothing is said of what lies in the bin. */
  function think(picture) {
    shown = picture
    show(likes.element, picture && !picture.binned)
    likes.update(picture?.likes ?? [])
    say(liked, saidBy(picture?.likes ?? []))
    show(liked, picture?.likes?.length)
  }
  const hear = event => { if (shown && event?.type === "picture.liked" && event.data.picture === shown.id) think(folded(shown, event)) }
  hearers.add(hear)
  function tell(picture) {
    const { me: own } = state.snapshot
    think(picture)
    if (picture.film) play(picture)
    set(image, { alt: label(picture) })
    say(line, [picture.document && titled(picture.document), picture.document && t("gallery.kept"), picture.caption, name(picture.author), near(picture.taken ?? picture.at), picture.album, picture.category && categoryName(picture.category), picture.people.map(name).join(", ")].filter(Boolean).join(" · "))
    if (picture.author === own) import("./picture-words.js").then(all => { if (shown === picture) line.append(` · ${all.seenBy(picture)}`) }, () => {})
    fill(actions,
      picture.author === own && !picture.binned ? button(t("gallery.edit"), () => ofWords(all => all.edit(picture).then(() => go(0))), { class: "quiet small edit-picture" }) : null,
      picture.author === own && !picture.binned && !picture.post && !picture.message && me()?.role !== "guest"
        ? button(t("gallery.post"), () => lazily(() => import("./posts.js"), all => { dialog.close(); all.bring(picture); told(t("gallery.post-hint")) }), { class: "quiet small post-picture" }) : null,
      picture.people.includes(own) ? button(t("gallery.not-me"), () => act("picture.leave", { picture: picture.id }).then(() => go(0)), { class: "quiet small not-me" }) : null,
      // A HEIC's original may say where it was taken, and is its author's alone.
      picture.original && (picture.original !== "image/heic" || picture.author === own)
        ? h("a", { class: "button quiet small", href: pixels(picture.id, "original"), download: "" }, t("gallery.original")) : null,
      picture.document ? h("a", { class: "button quiet small", href: pixels(picture.id, "document"), download: "" }, t("gallery.download")) : null,
      picture.film ? h("a", { class: "button quiet small", href: pixels(picture.id, "film"), download: "" }, t("gallery.save-film")) : null,
      picture.binned ? button(t("gallery.restore"), () => act("picture.restore", { picture: picture.id }).then(() => dialog.close()), { class: "quiet small restore-picture" }) : null,
      picture.author === own || me()?.role === "admin" ? button(t(picture.binned ? "gallery.remove-now" : "gallery.remove"), () => {
        dialog.close()
        undoable(t("gallery.removed"), "picture.remove", { picture: picture.id, atOnce: Boolean(picture.binned) },
          () => gallery?.drop(picture.id), () => gallery?.put(picture))
      }, { class: "danger small remove-picture" }) : null)
  }
  // Wherever the focus is: what lies below may have taken it.
  const keys = event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step && document.activeElement !== film && [...document.querySelectorAll("dialog")].at(-1) === dialog) { event.preventDefault(); go(step) }
  }
  addEventListener("keydown", keys)
  let from = null
  image.onpointerdown = event => { from = event.clientX }
  image.onpointerup = event => { const far = from === null ? 0 : event.clientX - from; from = null; if (Math.abs(far) > 40) go(far > 0 ? -1 : 1) }
  image.draggable = false
  openDialog(dialog, () => { turn++; play(null); hearers.delete(hear); removeEventListener("keydown", keys) })
  if (gallery) gallery.viewer = dialog
  go(0)
}
