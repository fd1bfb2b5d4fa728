// SPDX-License-Identifier: Apache-2.0
// The inbox: what happened, official apart, read and cleared in step with all devices.

import { act, asked, button, isNone, lazily, undoable, why } from "./base.js"
import { fill, h, say, show, sync } from "./dom.js"
import { words } from "./said.js"
import { state } from "./state.js"
import { isCalm, name, sentence, title } from "./voice.js"
import { near, t } from "./words.js"

/** Where one does something about it, by the kind of its line. */
const leadsTo = { sharingChanged: "/sharing", sharingAsked: "/sharing", sharingToConfirm: "/sharing", childSharing: "/sharing",
  pictures: "#/pictures", placeAsked: "/sharing", positionAsked: "/sharing", moveAsked: "/household", moveAnswered: "/household", grownAsked: "/household",
  grownAnswered: "/household", phoneSilent: "/phone", arrived: "#/map", left: "#/map", pinned: "#/map", said: "#/home",
  memberJoined: "#/family", memberLeft: "#/family", roleChanged: "#/family", newDevice: "#/family", permissionChanged: "#/family",
  accountChanged: "#/family" }

/** What stands apart. */
const isGrave = one => one.official && !isCalm(one)

class Inbox extends HTMLElement {
  connectedCallback() {
    if (this.official) return
    this.gone = new Set()
    this.readAll = button(t("inbox.read-all"), () => this.read(), { class: "quiet small", id: "read-all" })
    const part = key => {
      const rows = h("ul", { class: "rows" })
      return { rows, section: h("section", {}, h("h2", {}, t(key)), rows) }
    }
    this.official = part("inbox.official")
    this.others = part("inbox.others")
    this.empty = h("p", { class: "empty" }, t("inbox.empty"))
    /** What was announced or said, whole: a search leads to it. */
    this.one = h("section", { class: "card", id: "inbox-one", role: "status", hidden: true })
    // What comes at all, and when nothing rings.
    this.rules = h("p", {}, button(t("family.rules"), () => lazily(() => import("./rules.js"), all => all.rules()), { class: "quiet small", id: "inbox-rules" }))
    this.earlier = h("section", {}, button(t("act.more"), () => this.showEarlier(), { class: "quiet" }))
    this.append(h("div", { class: "bar" }, h("h1", {}, t("tab.inbox")), this.readAll), this.one,
      this.official.section, this.others.section, this.empty, this.rules, this.earlier)
    this.update(state)
  }

  async open(id) {
    this.shownID = id
    this.isAway = false
    show(this.one, false)
    if (!id) return
    let saying = null, missing = null, isGone = false
    try { ({ saying } = await asked("activity.show", { id })) } catch (error) {
      isGone = isNone(error)
      missing = isGone ? t("inbox.one-gone") : why(error, "line.unknown")
    }
    // Meanwhile another one may be asked for.
    if (this.shownID !== id) return
    this.isAway = !saying && !isGone
    const facts = saying && [saying.by ? name(saying.by) : null, near(saying.at), saying.corrected ? t("said.corrected") : null]
    fill(this.one, saying
      ? [h("h2", {}, t(saying.official ? "search.kind.announcement" : "search.kind.saying")), h("p", { class: "words" }, saying.text),
        h("p", { class: "soft" }, facts.filter(Boolean).join(" · "))]
      : h("p", { class: "empty" }, missing),
    h("p", {}, h("a", { href: "#/inbox" }, `‹ ${t("tab.inbox")}`)))
    show(this.one, true)
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.official) return
    // What was asked for in vain is asked for again.
    if (line === "live" && this.isAway) this.open(this.shownID)
    const entries = (snapshot.inbox?.entries ?? []).filter(one => !this.gone.has(one.id))
    for (const [part, some] of [[this.official, entries.filter(isGrave)], [this.others, entries.filter(one => !isGrave(one))]]) {
      sync(part.rows, some, one => one.id, one => this.row(one), (row, one) => write(row, one))
      show(part.section, some.length)
    }
    show(this.empty, !entries.length)
    show(this.readAll, entries.length)
  }

  row(entry) {
    const subject = entry.about.startsWith("meeting/") ? `#/${entry.about.replace("meeting/", "meetings/")}`
      : entry.about.startsWith("entry/") ? `#/${entry.about.replace("entry/", "calendar/")}`
      : entry.about.startsWith("calendar/") ? "#/calendar"
      : entry.about.startsWith("alarm/") ? "#/home"
      : entry.about.startsWith("place/") ? `#/${entry.about.replace("place/", "map/")}`
      : entry.about.startsWith("room/") ? `#/${entry.about.replace("room/", "chat/")}`
      : entry.about.startsWith("post/") ? `#/${entry.about.replace("post/", "posts/")}`
      : entry.about.startsWith("news/") ? "#/posts/news"
      : entry.about.startsWith("meal/") ? "#/meals"
      : entry.about.startsWith("list/") ? `#/${entry.about.replace("list/", "lists/")}`
      : entry.about.startsWith("picture/") ? `#/${entry.about.replace("picture/", "pictures/")}`
      : leadsTo[entry.lines.at(-1)?.kind] ?? null
    const body = h(subject ? "a" : "div", { class: "grow", ...(subject ? { href: subject } : {}) })
    return h("li", { class: "row" }, body, h("button", { type: "button", class: "quiet small", "aria-label": t("inbox.dismiss"), onclick: () => {
      this.gone.add(entry.id)
      undoable(t("inbox.dismissed"), "activity.dismiss", { id: entry.id }, () => this.update(state),
        () => { this.gone.delete(entry.id); this.update(state) })
    } }, "✓"))
  }

  async read() {
    const newest = state.snapshot.inbox.entries[0]
    if (newest) await act("activity.read", { upTo: newest.at })
  }

  async showEarlier(before = null) {
    let read, next = before
    // What is unread stands above: a page of nothing else is no end.
    do {
      const answer = await asked("activity.list", { limit: 30, ...(next ? { before: next } : {}) })
      read = answer.entries.filter(one => !one.unread)
      next = answer.next
    } while (next && !read.length)
    const list = this.earlier.querySelector("ul") ?? h("ul", { class: "rows old" })
    list.append(...read.map(one => { const row = h("li", { class: "row" }, h("div", { class: "grow" })); write(row, one); return row }))
    fill(this.earlier, h("h2", {}, t("inbox.earlier")), list.children.length ? list : h("p", { class: "empty" }, t("inbox.no-earlier")),
      ...(next ? [button(t("act.more"), () => this.showEarlier(next), { class: "quiet" })] : []))
  }
}
customElements.define("kin-inbox", Inbox)

function write(row, entry) {
  const body = row.querySelector(".grow")
  const said = { ...entry, title: words(entry) }
  const texts = [title(entry), ...entry.lines.map(line => sentence(line, said)).reverse(),
    entry.more ? t("inbox.more", { n: entry.more }) : null, near(entry.at)]
  const key = JSON.stringify(texts)
  if (body.dataset.shown === key) return
  body.dataset.shown = key
  fill(body, ...texts.map((text, at) => text && h(at === 0 ? "strong" : "span",
    { class: at >= texts.length - 2 ? "soft" : null }, text)).filter(Boolean))
}
