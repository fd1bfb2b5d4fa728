// SPDX-License-Identifier: Apache-2.0
// The feed: what members tell the family, what the others say to it, and what they think of it.

import { isUnseen, known as named, quoted, said as titled, thing } from "./about.js"
import { act, acted, asked, button, field, isNone, retry, lazily, told, tried, undoable, whom, why } from "./base.js"
import { fill, h, say, set, show, sync } from "./dom.js"
import { Endless } from "./endless.js"
import { fold } from "./fold.js"
import { Tray, called, filesOf, frame, kinds, large, look, pixels } from "./pictures.js"
import { reactions } from "./reactions.js"
import { changed, hearers, me, people, state } from "./state.js"
import { ofTab, queued } from "./store.js"
import { face, name } from "./voice.js"
import { near, t } from "./words.js"

/** What was asked for because the snapshot does not hold it; events keep it as they keep the snapshot. */
let older = { posts: [], comments: [] }
/** What was taken away here and may be undone. */
const gone = new Set()

/** Pictures of the gallery's that the next post shows, until the screen takes them. */
const brought = []

/** Begins a post with a picture that is in the gallery already. */
export function bring(picture) { brought.push(picture); location.hash = "#/posts"; repaint() }

/** Events change what was asked for, as they change the snapshot. */
hearers.add(event => {
  if (!event) { older = { posts: [], comments: [] }; return }
  if (!/^(post|comment|like)\./.test(event.type)) return
  const isOld = id => older.posts.some(one => one.id === id)
  const id = event.data.post?.id ?? event.data.post ?? event.data.comment?.post
  if (!isOld(id)) return
  const next = fold({ ...state.snapshot, ...structuredClone(older) }, event)
  older = { posts: next.posts.filter(one => isOld(one.id)), comments: next.comments }
})

const known = (id, part) => [...(state.snapshot?.[part] ?? []), ...older[part]].find(one => one.id === id)

function posts() {
  const all = new Map([...older.posts, ...(state.snapshot?.posts ?? [])].map(one => [one.id, one]))
  return [...all.values()].filter(one => !gone.has(one.id)).sort((a, b) => (a.id < b.id ? 1 : -1))
}

function comments(post) {
  const all = new Map([...older.comments, ...(state.snapshot?.comments ?? [])].filter(one => one.post === post).map(one => [one.id, one]))
  return [...all.values()].filter(one => !gone.has(one.id)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Comments as they are read: each with the answers to it below. Where one is not there, `not` says so in its place. */
function threads(all) {
  const there = new Set(all.map(one => one.id)), top = one => one.to ?? one.id
  const rows = all.map(one => ({ id: one.id, top: top(one), one }))
  for (const id of new Set(all.map(top))) {
    const not = id < all[0].id ? "comment.is-earlier" : "comment.is-gone"
    if (!there.has(id)) rows.push({ id: `${not}-${id}`, top: id, not })
  }
  const rank = row => (row.one && row.id !== row.top ? 1 : 0)
  return rows.sort((a, b) => (a.top !== b.top ? (a.top < b.top ? -1 : 1) : rank(a) - rank(b) || (a.id < b.id ? -1 : 1)))
}

function keep(found) {
  const merge = (had, all) => [...had.filter(one => !all.some(other => other.id === one.id)), ...all]
  older = { posts: merge(older.posts, found.posts ?? []), comments: merge(older.comments, found.comments ?? []) }
}

/** Where a post that is being written is kept, and each comment. */
const draft = "kinwire.post", keepBegun = (part, what) => ofTab.setItem(`${draft}.${part}`, JSON.stringify(what ?? null)), begun = part => JSON.parse(ofTab.getItem(`${draft}.${part}`))
const draftOf = id => `kinwire.comment.${id}`, answerOf = id => `kinwire.answer.${id}`

class Posts extends HTMLElement {
  connectedCallback() {
    if (this.all) { hearers.add(this.hear); return this.cards.connect() }
    this.text = h("textarea", { rows: 2, maxlength: 4000, id: "post-text", "aria-label": t("post.text"), placeholder: t("post.hint") })
    // What is typed stays, wherever one looks meanwhile.
    this.text.value = ofTab.getItem(draft) ?? ""
    this.text.oninput = () => ofTab.setItem(draft, this.text.value)
    this.link = h("input", { type: "url", maxlength: 2048, "aria-label": t("post.link"), value: ofTab.getItem(`${draft}.link`) ?? "", oninput: () => ofTab.setItem(`${draft}.link`, this.link.value) })
    this.who = whom(begun("for") ?? "everyone")
    this.hung = begun("hung") ?? []
    this.tied = begun("about")
    this.files = h("input", { type: "file", accept: kinds, multiple: true, hidden: true, id: "post-files" })
    this.files.onchange = () => { this.tray.take([...this.files.files]); this.files.value = "" }
    this.documents = h("input", { type: "file", multiple: true, hidden: true, id: "post-document-files" })
    this.documents.onchange = () => { this.tray.take([...this.documents.files], true); this.documents.value = "" }
    this.tray = new Tray(picture => (document.querySelector("kin-posts") ?? this).put(picture), () => ({ for: "post" }))
    this.text.onpaste = event => { const files = filesOf(event.clipboardData); if (files.length) { event.preventDefault(); this.tray.take(files) } }
    this.hanging = h("div", { class: "hanging" })
    this.writing = h("div", { class: "card stack" }, this.text, this.tray.element, this.hanging, this.files, this.documents,
      h("details", {}, this.who.how(), field(t("post.link"), this.link), field(t("list.for"), this.who.choice), this.who.people),
      h("div", { class: "actions" }, button(t("post.send"), () => this.send(), { class: "small", id: "send-post" }),
        button(t("post.pictures"), () => this.files.click(), { class: "quiet small", id: "post-pictures" }),
        button(t("gallery.add-documents"), () => this.documents.click(), { class: "quiet small", id: "post-documents" })))
    this.chosen = h("div", { class: "slot", hidden: true })
    this.hanging.after(this.chosen)
    this.writing.lastChild.append(button(t("chat.attach"), () => lazily(() => import("./chat-things.js"), one => one.choose(about => this.tie(about))), { class: "quiet small", id: "post-about" }))
    this.writing.onchange = () => keepBegun("for", this.who.value())
    this.writing.ondragover = event => event.preventDefault()
    this.writing.ondrop = event => { event.preventDefault(); this.tray.take(filesOf(event.dataTransfer)) }
    this.words = h("input", { type: "search", maxlength: 100, "aria-label": t("post.search"), placeholder: t("post.search"), id: "search-posts" })
    this.words.oninput = () => { clearTimeout(this.waits); this.waits = setTimeout(() => this.search(), 300) }
    this.by = h("select", { "aria-label": t("post.by"), id: "posts-by", onchange: () => this.search() })
    this.all = h("div", { id: "posts" })
    this.cards = new Endless(this.all, { label: t("tab.posts"), key: one => one.id, make: one => new Card(one.id).element, update: (element, one) => element.card.update(one), more: () => this.askOlder() })
    this.cards.connect()
    this.unsent = h("ul", { class: "rows", id: "unsent-posts" })
    this.end = h("p", { class: "empty", hidden: true })
    this.none = h("p", { class: "empty" })
    this.more = button(t("post.older"), () => this.askOlder(), { class: "quiet", id: "older-posts" })
    this.back = h("a", { href: "#/posts" }, t("post.back"))
    this.unread = h("span", { class: "badge" })
    this.parts = h("nav", { class: "slot parts", "aria-label": t("news.parts"), hidden: true },
      h("a", { href: "#/posts", "data-part": "posts" }, t("news.family")), h("a", { href: "#/posts/news", "data-part": "news", id: "to-news" }, t("news.title"), " ", this.unread))
    this.outside = h("div")
    this.append(h("div", { class: "bar" }, h("h1", {}, t("tab.posts")), this.back), this.parts, this.writing, this.unsent, h("div", { class: "bar picking" }, this.words, this.by), this.none, this.all, this.end, this.more, this.outside)
    this.hear = event => {
      // What was asked for is let go of with the snapshot that it belonged to.
      if (!event) Object.assign(this, { reach: undefined, isAll: false, isDue: !!this.post, isSeekDue: !!this.sought, line: null })
      if (!event || /^news\./.test(event.type)) this.count()
    }
    hearers.add(this.hear)
    this.hang()
    this.count()
    this.isAll = false
    this.update(state)
  }

  disconnectedCallback() {
    hearers.delete(this.hear)
    this.cards.disconnect()
  }

  /** Whether there are news from outside, and how many are new. An admin is led there to name the first source. */
  async count() {
    try {
      const { unread, sources } = await asked("news.list", { limit: 1 })
      this.hasNews = sources.length > 0
      say(this.unread, unread ? (unread > 99 ? "99+" : String(unread)) : "")
      set(this.unread, { "aria-label": unread ? t("news.unread", { n: unread }) : null })
    } catch { /* It is asked again with the next event. */ }
    this.update(state)
  }

  open(id, query) {
    this.isNews = id === "news"
    const sought = query?.get("q")
    if (this.isNews && (sought || !this.outside.firstChild)) {
      import("./news.js").then(() => fill(this.outside, h("kin-news", { "data-words": sought ?? "" })), () => told(t("act.not-reached"), { isWrong: true }))
    } else if (!this.isNews) fill(this.outside)
    if (this.isNews) id = null
    this.post = id
    this.isGone = false
    this.isDue = !!id && !known(id, "posts")
    if (this.all) this.update(state)
  }

  /** Asks for the post that the address names. That it is gone only the daemon knows. */
  async find() {
    const mine = this.post
    this.isDue = false
    try {
      const { post, comments } = await asked("post.show", { post: mine })
      keep({ posts: [post], comments })
    } catch (error) {
      if (this.post !== mine) return
      if (isNone(error)) this.isGone = true
      else if (state.line !== "live") this.isDue = true
      else return retry(() => { if (this.post === mine) { this.isDue = true; changed() } })
    }
    changed()
  }

  /** What was written here and waits in the browser. */
  async askUnsent() {
    const all = (await queued()).filter(one => ["post.add", "comment.add"].includes(one.method) && one.params.text)
    sync(this.unsent, all, one => one.op, one => h("li", { class: "row" }, h("span", { class: "grow" }, h("span", { class: "words" }, t("said.by-you", { text: one.params.text })), h("br"), h("span", { class: "soft" }, t("said.waits")))))
  }

  /** What is looked for: words, one member's posts, or both; null: nothing, all are shown. */
  get sought() {
    const words = this.words.value.trim(), by = this.by.value
    return words || by ? { ...(words ? { words } : {}), ...(by ? { by } : {}) } : null
  }

  /** Whose posts one may choose. */
  offerAuthors() {
    const all = people(), key = all.map(one => one.id + one.displayName).join(), { value } = this.by
    if (this.authors === key) return
    this.authors = key
    fill(this.by, h("option", { value: "" }, t("post.by-anybody")), all.map(one => h("option", { value: one.id, selected: one.id === value }, one.displayName)))
  }

  update({ snapshot, line, queue }) {
    if (!snapshot || !this.all) return
    this.offerAuthors()
    this.takeBrought()
    const isBack = line === "live" && this.line !== line
    this.line = line
    this.drawTied()
    if (isBack) this.lookAfter()
    if (this.isDue && line === "live") this.find()
    if (isBack && this.isSeekDue) this.search()
    if (this.waited !== queue) { this.waited = queue; this.askUnsent() }
    const every = posts(), said = this.sought
    let shown = every
    if (this.post) shown = every.filter(one => one.id === this.post)
    // What one member writes meanwhile is one of that member's posts.
    else if (said) shown = every.filter(one => this.found?.has(one.id) || !said.words && this.isSought && one.author === said.by && one.id > this.newest)
    else {
      // Older ones that were found by words or by address stand nowhere before those between were asked for.
      const extra = new Set(older.posts)
      shown = every.filter(one => !extra.has(one) || this.reach && one.id >= this.reach).sort((a, b) => (a.pinned === b.pinned ? 0 : a.pinned ? -1 : 1))
    }
    show(this.parts, !this.post && (this.isNews || this.hasNews || me()?.role === "admin"))
    for (const one of this.parts.children) set(one, { "aria-current": (one.dataset.part === "news") === !!this.isNews ? "page" : null })
    if (this.isNews) {
      for (const one of [this.back, this.writing, this.unsent, this.words, this.by, this.none, this.all, this.end, this.more]) show(one, false)
      return
    }
    for (const one of [this.unsent, this.all]) show(one, true)
    show(this.writing, me()?.role !== "guest" && !this.post && !said)
    for (const one of [this.words, this.by]) show(one, !this.post)
    show(this.back, this.post)
    const hasMore = !this.post && (said ? this.next : !this.isAll && (snapshot.more?.includes("posts") || this.reach)), isLive = line === "live"
    show(this.more, hasMore && isLive)
    say(this.end, t("line.older-away"))
    show(this.end, hasMore && line === "away" && shown.length)
    const none = this.post ? (this.isGone ? "post.gone" : line === "away" ? "line.unknown" : null)
      : said ? (this.isSeekDue ? "search.away" : this.isSought ? (said.words ? "post.none-found" : "post.none-by") : null)
      : line === "away" ? "line.unknown" : line !== "live" ? null : me()?.role === "guest" ? "post.none-guest" : "post.none"
    say(this.none, none ? t(none) : "")
    show(this.none, none && !shown.length)
    // Last, since it keeps what one looks at where it is: above it all stands as it will.
    this.cards.show(shown, { hasMore: !!hasMore && isLive, isFresh: isBack })
  }

  async send() {
    // What is on its way goes with it. Where something could not be sent, that is said there: nothing goes without it unasked.
    const failed = () => this.tray.element.querySelectorAll("button").length, before = failed(), after = (await this.tray.under, failed())
    if (after > before) return
    const text = this.text.value.trim(), link = this.link.value.trim()
    if (!text && !link && !this.hung.length && !this.tied) return this.text.focus()
    const pictures = this.hung.slice(0, 20).map(({ picture, caption }) => ({ picture, ...(caption ? { caption } : {}) }))
    const { result, isTaken } = await tried("post.add", { ...(text ? { text } : {}), ...(pictures.length ? { pictures } : {}), ...(link ? { link } : {}), ...(this.tied ? { about: this.tied } : {}), audience: this.who.value() })
    // What is neither sent nor waits stays typed. What was typed meanwhile, or came, is of the next one.
    if (!isTaken) return
    if (this.text.value.trim() === text) { this.text.value = ""; ofTab.removeItem(draft) }
    if (this.link.value.trim() === link) { this.link.value = ""; ofTab.removeItem(`${draft}.link`) }
    this.hung = this.hung.filter(one => !pictures.some(sent => sent.picture === one.picture))
    this.hang()
    this.tie(null)
    if (result) told(t("post.sent"))
  }

  /** What was chosen in the gallery hangs with what was sent here. It stays in the gallery where it is taken out again. */
  takeBrought() {
    if (!brought.length || this.post || this.isNews) return
    for (const one of brought.splice(0)) if (!this.hung.some(other => other.picture === one.id)) this.hung.push({ picture: one.id, document: one.document, caption: one.caption, isSaved: true })
    this.hang()
    this.forget()
    show(this.writing, true)
    this.text.focus()
  }

  /** Looks for nothing any more: while one looks for something, no post is written. */
  forget() { if (this.sought) { this.words.value = this.by.value = ""; this.search() } }

  /** What one waited for elsewhere hangs with what hangs there by now. */
  put({ id, document }) {
    this.hung = [...begun("hung") ?? [], { picture: id, document }]
    this.hang()
  }

  /** Something of the family's that goes with the post, or nothing. */
  tie(about) {
    this.tied = about
    keepBegun("about", about)
    this.drawTied()
  }

  /** What it is called may be known only later; what is not there any more goes with no post. */
  drawTied() {
    const { tied } = this
    if (tied && isUnseen(tied)) return this.tie(null)
    const words = tied ? titled(thing(tied) ?? { kind: tied.split("/")[0] }) : ""
    if (this.chosen.firstChild?.textContent !== words) fill(this.chosen, h("span", { class: "grow" }, words), button(t("gallery.out"), () => this.tie(null), { class: "quiet small" }))
    show(this.chosen, tied)
  }

  /** What waits for a post is kept by the daemon for a day, and may stand in another one by now: as after a reload. */
  lookAfter() {
    const leave = picture => { this.hung = this.hung.filter(one => one.picture !== picture); this.hang() }
    for (const { picture } of this.hung) asked("picture.show", { picture }).then(({ picture: { post, message, binned } }) => { if (post ?? message ?? binned) leave(picture) }, error => { if (isNone(error)) leave(picture) })
  }

  /** Begins a post that quotes another one. */
  quote(post) {
    named(`post/${post.id}`, quoted(post))
    this.forget()
    if (this.post) { this.open(null); location.hash = "#/posts" }
    this.tie(`post/${post.id}`)
    this.text.focus()
  }

  /** What goes with the post: each with its words, and a way out. */
  hang() {
    keepBegun("hung", this.hung)
    fill(this.hanging, ...this.hung.map(one => {
      const caption = h("input", { maxlength: 200, "aria-label": t("gallery.caption"), placeholder: t("gallery.caption") })
      caption.value = one.caption ?? ""
      caption.oninput = () => { one.caption = caption.value.trim(); keepBegun("hung", this.hung) }
      return h("div", { class: "hung" }, h("img", { src: pixels(one.picture, "small"), alt: "" }), one.document ? h("span", { class: "soft" }, called(one)) : null, caption,
        button(t("gallery.out"), () => {
          this.hung = this.hung.filter(other => other !== one)
          this.hang()
          return one.isSaved ? null : act("picture.remove", { picture: one.picture })
        }, { class: "danger small" }))
    }))
  }

  /** What is older than the oldest that is shown; with words, of what has them. Answers whether something came. */
  async askOlder() {
    const { sought } = this, key = JSON.stringify(sought)
    const before = sought ? this.next : this.reach ?? (state.snapshot.posts ?? []).filter(one => !one.pinned).map(one => one.id).sort()[0]
    const { posts: found, next } = await asked("post.list", { ...(before ? { before } : {}), ...sought })
    // Meanwhile something else may have been looked for.
    if (key !== JSON.stringify(this.sought)) return false
    keep({ posts: found })
    if (sought) {
      if (!this.isSought) this.newest = found[0]?.id ?? ""
      for (const one of found) this.found.add(one.id)
      Object.assign(this, { next, isSought: true })
    } else {
      this.reach = found.at(-1)?.id ?? this.reach
      this.isAll = !next || !found.length
    }
    this.update(state)
    return found.length > 0
  }

  async search() {
    Object.assign(this, { found: new Set(), next: undefined, isSought: false, isSeekDue: false })
    if (this.sought) {
      try { await this.askOlder() } catch (error) {
        if (error.code === 0 || error.code === 1503) this.isSeekDue = true
        else told(why(error), { isWrong: true })
      }
    }
    changed()
  }
}
customElements.define("kin-posts", Posts)

/** What is said in one word to a post, or to a comment under it. */
const liking = (post, comment) => reactions(() => (comment ? known(comment, "comments") : known(post, "posts"))?.likes,
  reaction => act("like.set", { post, ...(comment ? { comment } : {}), reaction }))

/** One post with what stands under it. */
class Card {
  constructor(id) {
    this.id = id
    this.author = h("strong")
    this.when = h("span", { class: "soft" })
    this.text = h("p", { class: "words" })
    this.link = h("a", { target: "_blank", rel: "noreferrer noopener" })
    this.about = h("a", { class: "soft post-about" })
    this.pictures = h("div", { class: "shots" })
    this.likes = liking(id)
    this.actions = h("div", { class: "actions" })
    this.earlier = button(t("comment.earlier"), () => this.askEarlier(), { class: "quiet small" })
    this.comments = h("ul", { class: "rows comments" })
    this.input = h("input", { maxlength: 2000, autocomplete: "off", enterkeyhint: "send", class: "comment-text", placeholder: t("comment.hint"), "aria-label": t("comment.hint") })
    this.input.value = ofTab.getItem(draftOf(id)) ?? ""
    this.input.oninput = () => ofTab.setItem(draftOf(id), this.input.value)
    this.to = ofTab.getItem(answerOf(id))
    this.input.onkeydown = event => { if (event.key === "Enter" && !event.isComposing) { event.preventDefault(); this.send() } }
    this.answering = h("div", { class: "slot answering", hidden: true })
    this.face = h("span")
    this.element = h("article", { class: "card stack post" }, h("div", { class: "bar" }, h("span", { class: "person" }, this.face, h("span", { class: "grow" }, this.author, h("br"), this.when))),
      this.text, this.link, this.about, this.pictures, this.likes.element, this.actions, this.earlier, this.comments, this.answering,
      h("div", { class: "say" }, this.input, button(t("comment.send"), () => this.send(), { class: "small send-comment" })))
    this.element.card = this
  }

  update(post) {
    if (!this.face.firstChild) fill(this.face, face(post.author))
    say(this.author, name(post.author))
    say(this.when, [near(post.at), post.edited ? t("post.edited") : null, post.pinned ? t("post.pinned") : null].filter(Boolean).join(" · "))
    say(this.text, post.text ?? "")
    show(this.text, post.text)
    const isPage = /^https?:\/\//i.test(post.link ?? "")
    say(this.link, post.link ?? "")
    set(this.link, { href: isPage ? post.link : null })
    show(this.link, isPage)
    const seen = thing(post.about)
    const isHidden = !seen && isUnseen(post.about)
    say(this.about, seen ? (seen.kind === "post" ? seen.words : titled(seen)) : isHidden ? t("chat.about-unseen") : "")
    set(this.about, { href: seen?.href ?? null, class: seen?.kind === "post" ? "quote words post-about" : "soft post-about" })
    show(this.about, seen || isHidden)
    const shots = post.pictures ?? [], hung = JSON.stringify(shots)
    if (this.hung !== hung) {
      this.hung = hung
      fill(this.pictures, ...shots.map((one, at) => h("figure", {},
        frame(one, { "aria-label": called(one), onclick: () => look(shots.map(all => all.picture), at) },
          h("img", { src: pixels(one.picture, at < large(shots.length) ? "middle" : "small"), alt: one.caption ?? "", width: one.width, height: one.height, loading: "lazy", decoding: "async" })),
        one.caption ? h("figcaption", {}, one.caption) : null)))
      set(this.pictures, { "data-count": shots.length, "data-large": large(shots.length) })
    }
    show(this.pictures, shots.length)
    this.likes.update(post.likes)
    const isOwn = post.author === state.snapshot.me, role = me()?.role, isAdmin = role === "admin", rights = `${isOwn}${role}${post.pinned}`
    if (this.rights !== rights) {
      this.rights = rights
      fill(this.actions, button(t("post.share"), () => share(this.now()), { class: "quiet small" }),
        role === "guest" ? null : button(t("post.quote"), () => this.element.closest("kin-posts").quote(this.now()), { class: "quiet small quote-post" }),
        isOwn || isAdmin ? button(t("post.links"), () => import("./post-link.js").then(one => one.links(this.now()), () => told(t("act.not-reached"), { isWrong: true })), { class: "quiet small post-links" }) : null,
        isOwn ? button(t("post.edit"), () => forms(all => all.edit(this.now())), { class: "quiet small edit-post" }) : null,
        isAdmin ? button(t(post.pinned ? "post.unpin" : "post.pin"), () => act("post.update", { post: this.id, pinned: !this.now().pinned }), { class: "quiet small pin-post" }) : null,
        isOwn || isAdmin ? button(t("post.remove"), () => {
          undoable(t("post.removed"), "post.remove", { post: this.id }, () => { gone.add(this.id); repaint() }, () => { gone.delete(this.id); repaint() })
        }, { class: "danger small remove-post" }) : null)
    }
    const all = comments(this.id)
    show(this.earlier, post.comments > all.length)
    sync(this.comments, threads(all), row => row.id,
      row => (row.one ? line(this, post, row.one) : h("li", { class: "comment soft" }, t(row.not))), (element, row) => element.tell?.(row.one))
    show(this.comments, all.length)
    // What was begun to be answered is so still, where the card is drawn anew.
    if (this.to && this.answering.hidden) this.tellAnswer(known(this.to, "comments"))
  }

  now() { return known(this.id, "posts") }

  async send() {
    const text = this.input.value.trim()
    if (!text) return this.input.focus()
    if (!await acted("comment.add", { post: this.id, text, ...(this.to && !this.answering.hidden ? { to: this.to } : {}) })) return
    if (this.input.value.trim() === text) { this.input.value = ""; ofTab.removeItem(draftOf(this.id)) }
    this.answer(null)
  }

  /** What is written next answers a comment, or none. */
  answer(one) {
    this.to = one?.id
    if (one) ofTab.setItem(answerOf(this.id), one.id)
    else ofTab.removeItem(answerOf(this.id))
    this.tellAnswer(one)
    if (one) this.input.focus()
  }

  tellAnswer(one) {
    fill(this.answering, one ? [h("span", { class: "grow" }, t("comment.answering", { name: name(one.author) })),
      button(t("comment.no-answer"), () => this.answer(null), { class: "quiet small" })] : [])
    show(this.answering, one)
  }

  async askEarlier() {
    try {
      const first = comments(this.id)[0]?.id
      keep(await asked("comment.list", { post: this.id, ...(first ? { before: first } : {}) }))
      keep({ posts: [this.now()] })
      repaint()
    } catch { told(t("act.not-reached"), { isWrong: true }) }
  }
}

const repaint = () => document.querySelector("kin-posts")?.update(state)

const forms = use => lazily(() => import("./post-forms.js"), use)

/** One comment, on the card of its post. */
function line(card, post, one) {
  const author = h("strong"), words = h("p", { class: "words" }), when = h("span", { class: "soft" }), likes = liking(post.id, one.id)
  const isOwn = one.author === state.snapshot.me, mayRemove = isOwn || post.author === state.snapshot.me || me()?.role === "admin"
  const element = h("li", { class: one.to ? "comment answer" : "comment" }, h("span", { class: "person" }, face(one.author), h("span", { class: "grow" }, author, " ", when)), words,
    h("div", { class: "actions" }, likes.element,
      button(t("comment.answer"), () => card.answer(one), { class: "quiet small answer-comment" }),
      isOwn ? button(t("comment.edit"), () => forms(all => all.change(known(one.id, "comments"))), { class: "quiet small edit-comment" }) : null,
      mayRemove ? button(t("comment.remove"), () => undoable(t("comment.removed"), "comment.remove", { post: post.id, comment: one.id },
        () => { gone.add(one.id); repaint() }, () => { gone.delete(one.id); repaint() }), { class: "danger small remove-comment" }) : null))
  element.tell = now => {
    say(author, name(now.author))
    say(words, now.text)
    say(when, [near(now.at), now.edited ? t("post.edited") : null].filter(Boolean).join(" · "))
    likes.update(now.likes)
  }
  return element
}

/** Gives it to another program, or to the clipboard. */
async function share(post) {
  const text = `${t("post.share-text")}\n${post.link ?? t("post.share-none")}`
  try {
    if (navigator.share) await navigator.share({ text })
    else { await navigator.clipboard.writeText(text); told(t("post.copied")) }
  } catch (error) {
    if (error.name !== "AbortError") told(t("post.not-shared"), { isWrong: true })
  }
}
