// SPDX-License-Identifier: Apache-2.0
// A list that one scrolls through without end: only the cards around what is seen stand in the page, and gaps stand for
// the others. It is a feed as ARIA knows it: each card says its place, and Page Up and Page Down go from card to card.

import { retry } from "./base.js"
import { h, set, sync } from "./dom.js"

/** Cards in the page at most, beside those with the focus; windows drawn above and below what is seen; a card's height before one is known. */
const most = 50, beside = 1, guess = 240
/** So many cards before the last one, more are asked for. */
const ahead = 3

const top = card => card.getBoundingClientRect().top
const isGap = one => one.classList.contains("gap")
const jump = by => { if (Math.abs(by) >= 1) scrollBy({ top: by, behavior: "instant" }) }

export class Endless {
  /**
   * Fills `element`, whose name is `label`. `key` names an item, `make` makes its card, `update` tells the card what it shows now; `more` asks
   * for what comes behind the last, and answers whether something came.
   */
  constructor(element, { label, key, make, update, more }) {
    Object.assign(this, { element, label, key, make, update, more, items: [], keys: [], places: new Map(), heights: new Map(), version: 0, margin: 0 })
    element.classList.add("endless")
    element.addEventListener("keydown", event => this.step(event))
    this.paint = () => { this.frame ??= requestAnimationFrame(() => { this.frame = null; this.draw() }) }
    this.sizes = new ResizeObserver(entries => this.resized(entries))
    // A line that comes above the list, or goes there, changes how high all is.
    this.page = new ResizeObserver(this.paint)
  }

  connect() {
    addEventListener("scroll", this.paint, { passive: true })
    addEventListener("resize", this.paint)
    this.page.observe(document.body)
  }

  disconnect() {
    removeEventListener("scroll", this.paint)
    removeEventListener("resize", this.paint)
    this.page.disconnect()
    clearTimeout(this.again)
  }

  /** These items, from now on; `hasMore`: others come behind them. What failed is tried again where `isFresh`. */
  show(items, { hasMore = false, isFresh = false } = {}) {
    const keys = items.map(one => String(this.key(one)))
    Object.assign(this, { items, keys, hasMore, places: new Map(keys.map((name, at) => [name, at])) })
    if (isFresh) this.isStuck = false
    this.version += 1
    this.draw()
  }

  measure() {
    for (const card of this.element.children) if (!isGap(card)) this.heights.set(card.dataset.key, card.getBoundingClientRect().height + this.margin)
  }

  /** Draws what is seen and what is near it; around one card where `target` is its place. What one looks at stays where it is. */
  draw(target = -1) {
    const { element, items, keys, places, heights } = this
    // Where it is not shown, nothing has a height.
    if (!element.getClientRects().length) return
    if (this.width !== element.clientWidth) { this.width = element.clientWidth; heights.clear() }
    const cards = [...element.children].filter(one => !isGap(one)), sight = innerHeight
    // What came above the list meanwhile, or went there, as a line that says so: nobody scrolled, and nobody is moved.
    const { card, at, y: before } = this.rests ?? {}
    // Where one stands is rounded a moment later.
    if (card?.isConnected && scrollY > 0 && Math.abs(scrollY - before) < 1 && target < 0) jump(top(card) - at)
    if (cards.length) this.margin = parseFloat(getComputedStyle(cards[0]).marginBlockEnd) || 0
    this.measure()
    const known = [...heights.values()], usual = known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : guess
    const high = at => heights.get(keys[at]) ?? usual
    const isSeen = card => { const box = card.getBoundingClientRect(); return box.bottom > 0 && box.top < sight }
    // At the very top what is new comes into sight.
    const anchor = scrollY > 0 && target < 0 ? cards.find(card => places.has(card.dataset.key) && isSeen(card)) : null
    let middle = 0, y = 0
    if (anchor) { middle = places.get(anchor.dataset.key); y = top(anchor) }
    else if (target >= 0) middle = target
    else for (y = top(element); middle < items.length - 1 && y + high(middle) <= 0; middle += 1) y += high(middle)
    let first = middle, end = middle
    for (let above = y; first > 0 && above > -sight * beside && middle - first < most / 5; first -= 1) above -= high(first - 1)
    for (let below = y; end < items.length && (end === middle || below < sight * (1 + beside)) && end - first < most; end += 1) below += high(end)
    // Whoever is in a card stays in it, however far one scrolls.
    const selection = getSelection(), within = [document.activeElement, selection?.isCollapsed === false ? selection.anchorNode : null]
    const held = within.map(one => one && cards.find(card => card.contains(one))).map(card => places.get(card?.dataset.key)).filter(at => at !== undefined)
    const shown = [...new Set([...held, ...Array.from({ length: end - first }, (_, at) => first + at)])].sort((a, b) => a - b)
    const rows = []
    let next = 0
    for (const at of [...shown, items.length]) {
      let height = 0
      for (let out = next; out < at; out += 1) height += high(out)
      if (at > next) rows.push({ gap: `gap ${keys[at] ?? ""}`, height })
      if (at < items.length) rows.push({ at })
      next = at + 1
    }
    const isGuessed = shown.some(at => !heights.has(keys[at])), was = anchor ? top(anchor) : 0, wanted = new Set(rows.map(row => row.gap ?? keys[row.at]))
    // Meanwhile the page gets no shorter: else one would be taken to its new end.
    element.style.minHeight = `${element.offsetHeight}px`
    // What goes, goes first: what stays is moved by nobody, and keeps the focus.
    for (const one of [...element.children]) if (!wanted.has(one.dataset.key)) { this.sizes.unobserve(one); one.remove() }
    sync(element, rows, row => row.gap ?? keys[row.at], row => row.gap ? h("div", { class: "gap", "aria-hidden": "true" }) : this.made(items[row.at]),
      (child, row) => row.gap ? Object.assign(child.style, { height: `${row.height}px` }) : this.tell(child, row.at))
    element.style.minHeight = ""
    if (anchor) jump(top(anchor) - was)
    this.measure()
    // Cards may be lower than was guessed, and leave room that is seen.
    if (isGuessed) this.paint()
    const resting = [...element.children].find(one => !isGap(one) && isSeen(one))
    this.rests = resting ? { card: resting, at: top(resting), y: scrollY } : null
    set(element, { role: items.length ? "feed" : null, "aria-label": items.length ? this.label : null })
    this.ask(end)
  }

  made(item) {
    const card = this.make(item)
    set(card, { tabindex: "-1" })
    this.sizes.observe(card)
    return card
  }

  tell(card, at) {
    set(card, { "aria-posinset": at + 1, "aria-setsize": this.hasMore ? -1 : this.items.length })
    if (card.version === this.version) return
    card.version = this.version
    this.update(card, this.items[at])
  }

  /** What grows above what is seen, as when it is answered, pushes nothing away. */
  resized(entries) {
    let by = 0
    for (const { target } of entries) {
      const box = target.getBoundingClientRect(), had = this.heights.get(target.dataset.key), now = box.height + this.margin
      if (!target.isConnected || !box.height || had === undefined || Math.abs(now - had) < 1) continue
      this.heights.set(target.dataset.key, now)
      if (box.top + had <= 0) by += now - had
      this.paint()
    }
    if (scrollY > 0) jump(by)
  }

  async ask(end) {
    if (!this.hasMore || this.isAsking || this.isStuck || end < this.items.length - ahead) return
    this.isAsking = true
    set(this.element, { "aria-busy": "true" })
    let came = false
    try { came = await this.more() } catch { /* It is asked again. */ }
    this.isAsking = false
    this.isStuck = !came
    set(this.element, { "aria-busy": null })
    if (came) return this.paint()
    // What failed is asked again with the next line, by hand, or else after a while: the daemon may have been busy.
    if (!this.element.isConnected) return
    clearTimeout(this.again)
    this.again = retry(() => { this.isStuck = false; this.paint() })
  }

  step(event) {
    const by = { PageDown: 1, PageUp: -1 }[event.key], card = by && !event.target.closest("input, textarea, select") && [...this.element.children].find(one => one.contains(event.target))
    const at = card ? this.places.get(card.dataset.key) + by : -1
    if (!(at >= 0 && at < this.items.length)) return
    event.preventDefault()
    const find = () => [...this.element.children].find(one => one.dataset.key === this.keys[at])
    if (!find()) this.draw(at)
    find()?.focus()
  }
}
