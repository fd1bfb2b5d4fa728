// SPDX-License-Identifier: Apache-2.0
// What a message has besides words: pictures, a spot, or something of the family's. It is loaded when somebody shows or sees such.

import { known } from "./about.js"
import { asked, button, field } from "./base.js"
import { ask, fill, h, say, show } from "./dom.js"
import { Tray, called, frame, kinds, large, look, pixels } from "./pictures.js"
import { now as present } from "./served.js"
import { state } from "./state.js"
import { t } from "./words.js"

/** Draws the pictures and the spot of a message. */
export function paint(element, { pictures = [], spot = null }) {
  const ids = pictures.map(one => one.picture)
  fill(element,
    pictures.length ? h("div", { class: "shots", "data-count": ids.length, "data-large": large(ids.length) }, pictures.map((one, at) => h("figure", {},
      frame(one, { "aria-label": called(one), onclick: () => look(ids, at) },
        h("img", { src: pixels(one.picture, at < large(ids.length) ? "middle" : "small"), alt: one.caption ?? "", width: one.width, height: one.height, loading: "lazy", decoding: "async" })),
      one.caption ? h("figcaption", {}, one.caption) : null))) : null,
    spot ? h("a", { class: "about spot", href: `#/map/${spot.lat},${spot.lon}${spot.name ? `,${encodeURIComponent(spot.name)}` : ""}` }, t("chat.spot-at", { name: spot.name ?? t("chat.spot"), at: degrees(spot) })) : null)
}

/** Two numbers, such as 48.137, 11.575, or with commas 48,137 11,575. `48,13` is one number in German, and no two. */
export const spotOf = text => {
  const [, north, east] = /^\s*(-?\d+,\d+)(?:\s*;\s*|,?\s+)(-?\d+,\d+)\s*$/.exec(text) ?? []
  if (north) text = `${north.replace(",", ".")} ${east.replace(",", ".")}`
  const [, lat, between, lon] = /^\s*(-?\d+(?:\.\d+)?)(\s*[,;]\s*|\s+)(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  return lat && (between !== "," || text.includes(".")) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat: Number(lat), lon: Number(lon) } : null
}

const degrees = ({ lat, lon }) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`

/** Pictures of one message. */
const most = 20

/** Lets somebody choose what the room is to see. `screen` sends it. */
export const attach = screen => ask(t("chat.attach"), close => {
  const files = h("input", { type: "file", accept: kinds, multiple: true, hidden: true, id: "chat-files" })
  const documents = h("input", { type: "file", multiple: true, hidden: true, id: "chat-document-files" })
  const choose = (input, asDocuments) => () => { const chosen = [...input.files]; if (chosen.length) { close(null); hang(screen, chosen, asDocuments) } }
  files.onchange = choose(files, false)
  documents.onchange = choose(documents, true)
  return h("div", { class: "stack" },
    h("div", { class: "actions" }, button(t("chat.pictures"), () => files.click(), { class: "small", id: "chat-pictures" }),
      button(t("gallery.add-documents"), () => documents.click(), { class: "quiet small", id: "chat-documents" }),
      button(t("chat.spot"), () => { close(null); place(screen) }, { class: "quiet small", id: "chat-spot" })), files, documents,
    choices(about => { close(null); screen.send({ about }) }),
    h("div", { class: "actions" }, button(t("act.leave"), () => close(null), { class: "quiet" })))
})

/** Lets somebody choose something of the family's, which a post then shows. */
export const choose = take => ask(t("chat.attach"), close => h("div", { class: "stack" },
  choices(about => { close(null); take(about) }, h("p", { class: "empty" }, t("chat.about-none"))),
  h("div", { class: "actions" }, button(t("act.leave"), () => close(null), { class: "quiet" }))))

/** What of the family's can be shown: what the page holds at once, and then what stands in calendars in the next days. */
function choices(take, none = null) {
  const row = one => h("li", {}, h("button", { type: "button", class: "plain row", onclick: () => take(one.about) },
    h("span", { class: "grow" }, one.title, h("span", { class: "soft" }, t(`chat.about.${one.kind}`)))))
  const list = h("ul", { class: "rows", id: "about-choice" }, things().map(row))
  if (none) show(none, !list.children.length)
  upcoming().then(found => {
    list.append(...found.map(row))
    if (none) show(none, !list.children.length)
  })
  return [list, none]
}

/** What stands in calendars in the next two weeks. What stands there for a meeting is the meeting. */
async function upcoming() {
  const moment = days => new Date(present() + days * 86_400_000).toISOString()
  try {
    const { entries } = await asked("entry.list", { from: moment(0), to: moment(14), limit: 50 })
    const those = entries.filter(one => !one.meeting)
    for (const one of those) known(`entry/${one.id}`, one.subject)
    return those.map(one => ({ kind: "entry", about: `entry/${one.id}`, title: one.subject }))
  } catch { return [] }
}

/** Files that came by a paste or a drop. */
export const take = (screen, files) => hang(screen, files)

/** Pictures and documents on their way into a message: each with its words, and a way out. */
async function hang(screen, files, asDocuments) {
  const way = { hung: [], isOver: false, isSent: false }
  await ask(t("chat.pictures"), close => hanger(way, close, screen, files, asDocuments))
  // However it was left, also by Escape and by the way back: what came is in no message, and goes.
  way.isOver = true
  if (!way.isSent) way.hung.forEach(one => screen.forget(one.picture))
}

function hanger(way, close, screen, files, asDocuments) {
  const hanging = h("div", { class: "hanging" }), words = h("textarea", { rows: 2, maxlength: 4000, id: "pictures-text", "aria-label": t("chat.text"), placeholder: t("chat.hint") })
  words.value = screen.text.value
  const drop = one => screen.forget(one.picture)
  const draw = () => {
    fill(hanging, ...way.hung.map(one => {
      const caption = h("input", { maxlength: 200, "aria-label": t("gallery.caption"), placeholder: t("gallery.caption") })
      caption.value = one.caption ?? ""
      caption.oninput = () => { one.caption = caption.value.trim() }
      return h("div", { class: "hung" }, h("img", { src: pixels(one.picture, "small"), alt: "" }), one.document ? h("span", { class: "soft" }, called(one)) : null, caption,
        button(t("gallery.out"), () => { way.hung = way.hung.filter(other => other !== one); draw(); return drop(one) }, { class: "quiet small" }))
    }))
    show(send, way.hung.length)
  }
  const tray = new Tray(picture => {
    const one = { picture: picture.id, document: picture.document }
    // What comes when nobody waits for it any more is in no message.
    if (way.isOver) return drop(one)
    way.hung = [...way.hung.filter(other => other.picture !== one.picture), one].slice(0, most)
    draw()
  }, () => ({ for: "message" }))
  const send = button(t("say.send"), async () => {
    way.isOver = way.isSent = true
    screen.text.value = words.value
    close(null)
    await screen.send({ pictures: way.hung.map(({ picture, caption }) => ({ picture, ...(caption ? { caption } : {}) })) })
  }, { id: "send-pictures" })
  draw()
  tray.take(files.slice(0, most), asDocuments)
  return h("div", { class: "stack" }, tray.element, hanging, words, h("p", { class: "hint" }, t("chat.pictures-hint")),
    h("div", { class: "actions" }, send, button(t("act.leave"), () => close(null), { class: "quiet" })))
}

/** A spot that its author chooses: on the map, a place's, by its degrees, or where the author is. */
const place = screen => ask(t("chat.spot"), close => {
  const name = h("input", { maxlength: 64, autocomplete: "off", id: "spot-name" }), at = h("input", { autocomplete: "off", id: "spot-at", placeholder: "48.13743, 11.57549" })
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true }), said = h("p", { class: "hidden", role: "status", id: "spot-said" })
  const tell = text => { say(wrong, text); show(wrong, text) }
  const mayAsk = navigator.geolocation && window.isSecureContext
  const places = [...state.snapshot.places ?? []].sort((one, other) => one.name.localeCompare(other.name))
  const those = h("select", { id: "spot-place" }, h("option", { value: "" }, ""), places.map(one => h("option", { value: one.id }, [one.icon, one.name].filter(Boolean).join(" "))))
  /** The name that a place gave: it goes with the place. What was typed stays. */
  let given = null
  const put = (spot, one) => {
    at.value = degrees(spot)
    those.value = one?.id ?? ""
    if (!name.value.trim() || name.value === given) name.value = given = one?.name ?? ""
    say(said, one ? t("chat.spot-at", { name: one.name, at: at.value }) : at.value)
    tell("")
    // A draft has what was chosen, and not what was typed before it.
    name.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const map = h("div", { class: "map small-map", "aria-label": t("chat.spot-map"), role: "application" })
  import("./map.js").then(one => one.choose(map, { get: () => spotOf(at.value), set: put }), () => show(map, false))
  those.onchange = () => {
    const one = places.find(one => one.id === those.value)
    if (!one) return
    put(one, one)
    map.follow?.()
  }
  at.oninput = () => {
    those.value = ""
    if (given && name.value === given) name.value = given = ""
  }
  at.onchange = () => map.follow?.()
  return h("form", { onsubmit: event => {
    event.preventDefault()
    const spot = spotOf(at.value)
    if (!spot) return tell(t(at.value.trim() ? "chat.spot-wrong" : "chat.spot-how"))
    close(null)
    return screen.send({ spot: { ...(name.value.trim() ? { name: name.value.trim() } : {}), ...spot } })
  } }, field(t("chat.spot-name"), name), map, h("p", { class: "hint" }, t("chat.spot-how")), said, places.length ? field(t("map.places"), those) : null, field(t("chat.spot-degrees"), at, t("chat.spot-hint")), wrong,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("say.send")),
    mayAsk ? button(t("chat.spot-here"), () => new Promise(resolve => navigator.geolocation.getCurrentPosition(({ coords }) => {
      put({ lat: coords.latitude, lon: coords.longitude })
      map.follow?.()
      resolve()
    }, () => { tell(`${t("chat.spot-not-known")} ${t("chat.spot-how")}`); resolve() }, { enableHighAccuracy: true, timeout: 20_000 })), { class: "quiet small", id: "spot-here" }) : null,
    button(t("act.leave"), () => close(null), { class: "quiet" })))
})

/** What can be shown in a room: newest first. */
function things() {
  const s = state.snapshot, of = (kind, list, title) => (list ?? []).map(one => ({ kind, about: `${kind}/${one.id}`, title: title(one) }))
  // A public meeting that one is not asked to is its host's to show.
  const meetings = (s.meetings ?? []).filter(one => one.own.isInvited || one.meeting.host === s.me)
  return [...of("meeting", meetings.map(one => one.meeting), one => one.title), ...of("list", s.lists, one => one.name),
    ...of("place", s.places, one => one.name), ...of("post", (s.posts ?? []).slice(-10).reverse(), one => (one.text ?? one.link ?? "").slice(0, 60))].filter(one => one.title)
}
