// SPDX-License-Identifier: Apache-2.0
// Calendars as files, and the addresses at which other programs read them. A file is taken in a part at a time, so that one
// sees how far it is, and what was taken stays where it breaks off.

import { act, asked, button, field, told, undoable, why } from "./base.js"
import { address } from "./browser.js"
import { calendarName } from "./calendar-entry.js"
import { ask, fill, h, say, set, show } from "./dom.js"
import { showLink } from "./family.js"
import { age, refusal, t } from "./words.js"

// Cutting ---------------------------------------------------------------------------------------------------------

/** Events and bytes of one part; bytes of one component, of which the rest is left out; bytes of a file. */
const partMost = 100, partBytes = 1 << 17, componentBytes = 1 << 17, zonesBytes = 1 << 17, headMost = 100, fileBytes = 64 << 20
const feed = 10, tab = 9, space = 32
const text = (bytes, from, to) => String.fromCharCode(...bytes.subarray(from, to))

/** What a file consists of: its head's lines, its zones, and its events, those of one UID together, for they are one entry. */
export function survey(bytes) {
  const found = { isCalendar: false, head: [], zones: [], items: [] }, uids = new Map()
  let depth = 0, start = 0, name = "", uid = null, zonesSize = 0
  const take = to => {
    if (name === "VTIMEZONE") {
      if ((zonesSize += to - start) <= zonesBytes) found.zones.push([start, to])
      return
    }
    if (name === "VEVENT" && uid) {
      const known = uids.get(uid)
      if (known) { known.push([start, to]); return }
    }
    const item = [[start, to]]
    if (name === "VEVENT" && uid) uids.set(uid, item)
    found.items.push(item)
  }
  // A byte order mark may stand before all (UTF-8, RFC 3629, 6).
  const begin = bytes[0] === 0xEF && bytes[1] === 0xBB && bytes[2] === 0xBF ? 3 : 0
  for (let at = begin; at < bytes.length;) {
    const end = bytes.indexOf(feed, at), next = end < 0 ? bytes.length : end + 1, from = at
    at = next
    if (bytes[from] === space || bytes[from] === tab) {
      if (!depth && found.head.length && found.head.at(-1)[1] === from) found.head.at(-1)[1] = next
      continue
    }
    const [, key, value] = text(bytes, from, Math.min(next, from + 96)).match(/^([^:;]{1,15})[:;]([^\r\n]*)/) ?? [null, "", ""]
    const word = key.toUpperCase()
    if (word === "BEGIN") {
      if (!depth && value.toUpperCase() === "VCALENDAR") { found.isCalendar = true; continue }
      if (!depth) [start, name, uid] = [from, value.toUpperCase(), null]
      depth += 1
    } else if (word === "END") {
      if (!depth) continue
      depth -= 1
      if (!depth) take(next)
    } else if (word === "UID" && depth === 1) {
      // What goes on in the next lines belongs to it.
      let last = next
      while (bytes[last] === space || bytes[last] === tab) { const more = bytes.indexOf(feed, last); last = more < 0 ? bytes.length : more + 1 }
      uid ??= text(bytes, from, Math.min(last, from + 1024)).replace(/\r?\n[ \t]/g, "").replace(/^[^:]*:/, "").trim()
    } else if (!depth && found.head.length < headMost) found.head.push([from, next])
  }
  // What has no end in the file has none in its part either.
  if (depth) { uid = null; found.isBroken = true; take(bytes.length) }
  return found
}

/** Parts of a file, each a calendar of its own: `{ bytes, items }`. */
export function* parts(bytes, { head, zones, items, isBroken }) {
  const line = written => new TextEncoder().encode(`${written}\r\n`)
  /** Of a component that is far too long the beginning goes: the daemon says of it what there is to say. */
  const component = ([from, to]) => {
    if (to - from <= componentBytes) return [bytes.subarray(from, to), ...(bytes[to - 1] === feed ? [] : [line("")])]
    const kept = bytes.subarray(from, bytes.lastIndexOf(feed, from + componentBytes) + 1), open = []
    for (const [, word, value] of latin(kept).matchAll(/^(BEGIN|END):(\S+)/gim)) if (word.toUpperCase() === "BEGIN") open.push(value); else open.pop()
    return [kept, ...open.reverse().map(one => line(`END:${one}`))]
  }
  for (let at = 0; at < items.length;) {
    // What the file says of itself is said once: so is what of it is not taken.
    const all = [line("BEGIN:VCALENDAR"), ...(at ? [line("VERSION:2.0")] : head.map(([from, to]) => bytes.subarray(from, to))), ...zones.flatMap(component)], first = at
    for (let size = 0; at < items.length && at - first < partMost && size < partBytes; at += 1) {
      for (const one of items[at]) { const some = component(one); size += some[0].length; all.push(...some) }
    }
    if (at < items.length || !isBroken) all.push(line("END:VCALENDAR"))
    yield { bytes: join(all), items: at - first }
  }
}
const latin = bytes => new TextDecoder("latin1").decode(bytes)

function join(all) {
  const joined = new Uint8Array(all.reduce((size, one) => size + one.length, 0))
  let at = 0
  for (const one of all) { joined.set(one, at); at += one.length }
  return joined
}

function base64(bytes) {
  let made = ""
  for (let at = 0; at < bytes.length; at += 8192) made += text(bytes, at, at + 8192)
  return btoa(made)
}

// In ------------------------------------------------------------------------------------------------------------------

const triesMost = 40, tryMs = 1_500, rowsMost = 500, messageBytes = 600_000
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Sends a part over the line; what is too long for a message, for its events of one UID are many, as a file. */
async function give(bytes, calendar) {
  if (bytes.length <= messageBytes) return asked("calendar.import", { ics: base64(bytes), calendar })
  let answer
  try {
    answer = await fetch(`/api/calendars/import?calendar=${calendar}`, { method: "POST", headers: { "Content-Type": "text/calendar" }, body: bytes, credentials: "same-origin" })
  } catch { throw { code: 0, message: "away" } }
  const content = await answer.json()
  if (!answer.ok) throw { code: content.code ?? answer.status, message: content.detail, data: content }
  return content
}

/** Takes events out of a file: chosen, or dropped there. */
export async function takeIn(screen) {
  let isOpen = true
  await ask(t("cal.import"), close => {
    const own = screen.writable(), into = h("select", { id: "import-into" }, own.map(one => h("option", { value: one.id }, calendarName(one))))
    const file = h("input", { type: "file", accept: ".ics,.ical,text/calendar", id: "import-file" })
    const bar = h("progress", { hidden: true, "aria-label": t("cal.import-how-far") }), said = h("p", { role: "status", id: "import-said" }), rows = h("ul", { class: "rows", id: "import-report" })
    const again = h("p", { class: "hint" }, t("cal.import-hint")), wrong = text => { said.textContent = text; set(said, { class: "wrong" }) }
    const done = h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))
    let isBusy = false

    const work = async one => {
      if (!one || isBusy) return
      isBusy = true
      fill(rows)
      set(said, { class: null })
      said.textContent = t("cal.import-reads")
      for (const each of [file, into]) each.disabled = true
      try { await all(one) } catch (error) { wrong(error?.code === undefined ? t("cal.import-unread") : why(error)) } finally {
        isBusy = false
        show(bar, false)
        say(done, t("act.close"))
        for (const each of [file, into]) each.disabled = false
        file.value = ""
        screen.ask()
      }
    }
    const all = async one => {
      if (one.size > fileBytes) return wrong(t("cal.import-large"))
      const bytes = new Uint8Array(await one.arrayBuffer()), found = survey(bytes), count = found.items.length
      if (!found.isCalendar) return wrong(t("cal.import-none"))
      if (!count) return wrong(t("cal.import-empty"))
      const counts = { added: 0, changed: 0, same: 0, refused: 0 }, lines = []
      let number = 0
      set(bar, { max: count, value: null })
      show(bar, true)
      say(done, t("cal.import-stop"))
      for (const part of parts(bytes, found)) {
        bar.value = number
        said.textContent = t("cal.import-at", { done: number, n: count })
        const answer = await sent(part.bytes)
        if (!answer) return
        for (const remark of answer.remarks ?? []) lines.push({ text: refusal(remark), remarks: [] })
        for (const each of answer.entries) {
          counts[each.outcome] += 1
          lines.push({ ...each, number: number + each.number })
        }
        number += part.items
      }
      said.textContent = t("cal.import-done", counts)
      // First what was not taken, and what was taken in part.
      const weight = line => line.text ? 0 : line.outcome === "refused" ? 1 : line.remarks.length ? 2 : 3
      lines.sort((a, b) => weight(a) - weight(b))
      fill(rows, lines.slice(0, rowsMost).map(line => h("li", { class: "row", "data-outcome": line.outcome ?? null }, h("span", { class: "grow" }, h("strong", {}, line.text ?? (line.name || t("cal.import-number", { number: line.number }))),
        line.text ? null : h("span", { class: "soft" }, [t(`dish.outcome.${line.outcome}`), ...line.remarks.map(refusal)].join(" · "))))))
      if (lines.length > rowsMost) rows.append(h("li", { class: "row soft" }, t("cal.more", { n: lines.length - rowsMost })))
    }
    /** One part, sent until it arrives: what was taken already is the same then. Null once the dialog is left. */
    const sent = async bytes => {
      for (let tries = 0; isOpen; tries += 1) {
        try { return await give(bytes, into.value) } catch (error) {
          if (![0, 1503, 1429].includes(error.code) || tries >= triesMost) throw error
          await wait(error.data?.retryAfter ? error.data.retryAfter * 1000 : tryMs)
        }
      }
      return null
    }
    file.onchange = () => work(file.files[0])
    const place = h("div", { class: "drop", id: "import-drop" }, field(t("cal.import-file"), file), h("p", { class: "hint" }, t("cal.import-drop")))
    const over = isOver => event => { event.preventDefault(); place.classList.toggle("over", isOver) }
    return h("div", { ondragover: over(true), ondragleave: over(false), ondrop: event => { over(false)(event); work(event.dataTransfer?.files[0]) } },
      again, field(t("cal.import-into"), into), place, bar, said, rows, done)
  })
  isOpen = false
}

// Out -------------------------------------------------------------------------------------------------------------------

/** A file of a calendar, or of all: the browser saves it. */
export const takeOut = screen => ask(t("cal.export"), close => {
  const which = choice(screen), link = h("a", { class: "button", id: "export-file", onclick: () => setTimeout(() => close(null)) }, t("cal.export-do"))
  const draw = () => {
    const one = screen.calendars.find(each => each.id === which.value)
    set(link, { href: `/api/calendars/export${one ? `?calendar=${one.id}` : ""}`, download: `${(one ? calendarName(one) : t("tab.calendar")).replace(/[\\/:*?"<>|\p{Cc}]/gu, " ").trim() || "calendar"}.ics` })
  }
  which.onchange = draw
  draw()
  return h("div", {}, h("p", { class: "hint" }, t("cal.export-hint")), field(t("cal.calendar"), which),
    h("div", { class: "actions" }, link, h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
})

const choice = screen => h("select", {}, h("option", { value: "" }, t("cal.all-of-them")), screen.calendars.map(one => h("option", { value: one.id }, calendarName(one))))

// Addresses -------------------------------------------------------------------------------------------------------------

/** The same address in the words that a device's own calendar program opens. Some programs take them for an address without encryption, at which the daemon ends what it sees. */
const webcal = link => h("div", {}, h("p", {}, h("a", { class: "button quiet", id: "feed-webcal", href: link.replace(/^https?:/, "webcal:") }, t("cal.feed-webcal"))),
  link.startsWith("https:") ? h("p", { class: "hint" }, t("cal.feed-webcal-hint")) : null)

/** Addresses at which calendar programs read: a new one is shown once, with its code; one is renewed, and ends. */
export async function feeds(screen) {
  let known
  try { known = (await asked("calendar.feeds", {})).feeds } catch (error) { return told(why(error), { isWrong: true }) }
  await ask(t("cal.feeds"), close => {
    const rows = h("ul", { class: "rows", id: "feeds" }), empty = h("p", { class: "empty" }, t("cal.feeds-none"))
    const name = h("input", { maxlength: 64, required: true, autocomplete: "off", id: "feed-name" }), which = choice(screen)
    const of = one => { const calendar = screen.calendars.find(each => each.id === one.calendar); return calendar ? calendarName(calendar) : one.calendar ? t("names.a-calendar") : t("cal.all-of-them") }
    /** Makes one, and shows its address. */
    const make = async said => {
      const made = await act("calendar.addFeed", said, { mayWait: false })
      if (!made) return null
      known.push(made.feed)
      draw()
      return made
    }
    const shown = made => {
      const link = `${address()}/feed/${made.secret}.ics`
      return showLink(t("cal.feed-address"), link, t("cal.feed-once"), t("cal.feed-code"), webcal(link))
    }
    const end = async one => {
      if (!await act("calendar.removeFeed", { feed: one.id }, { mayWait: false })) return false
      known = known.filter(each => each !== one)
      draw()
      return true
    }
    const draw = () => {
      fill(rows, known.map(one => h("li", { class: "row", "data-feed": one.id }, h("span", { class: "grow" }, h("strong", {}, one.name),
        h("span", { class: "soft" }, [of(one), one.used ? t("session.used", { age: age(one.used) }) : t("session.unused")].join(" · "))),
      button(t("cal.feed-renew"), async () => {
        const made = await make({ name: one.name, ...(one.calendar ? { calendar: one.calendar } : {}) })
        if (!made) return
        await end(one)
        await shown(made)
      }, { class: "quiet small", "data-do": "renew", "aria-label": t("cal.feed-renew-of", { name: one.name }) }),
      button(t("session.end-given"), () => undoable(t("act.ended", { what: one.name }), "calendar.removeFeed", { feed: one.id },
        () => { known = known.filter(each => each !== one); draw() }, () => { known.push(one); draw() }), { class: "danger small", "data-do": "end", "aria-label": t("cal.feed-end-of", { name: one.name }) }))))
      show(empty, !known.length)
    }
    draw()
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const made = await make({ name: name.value.trim(), ...(which.value ? { calendar: which.value } : {}) })
      if (!made) return
      name.value = ""
      await shown(made)
    } }, h("p", {}, t("cal.feeds-what")), h("p", { class: "hint", id: "feed-reach" }, t("cal.feeds-reach")), rows, empty,
    field(t("cal.feed-for"), name, t("cal.feed-for-hint")), field(t("cal.calendar"), which),
    h("div", { class: "actions" }, h("button", { type: "submit" }, t("cal.feed-make")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))))
  })
}
