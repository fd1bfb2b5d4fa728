// SPDX-License-Identifier: Apache-2.0
// The map: Leaflet where Debian's package is installed, and beside it the list, which says the same in words.

import { act, asked, button, condition, field, isOld, metres, seenWhen, terminal, told, whereabouts } from "./base.js"
import { dayAt, plus } from "./calendar-days.js"
import { fill, h, say, set, show, sync } from "./dom.js"
import { updatePerson } from "./home.js"
import { called, drawCards, drawPlace, looks, what } from "./map-cards.js"
import { untangle } from "./map-names.js"
import { addPlace, changePlace } from "./placing.js"
import { now as clockNow } from "./served.js"
import { me, member, place, position, state } from "./state.js"
import { face } from "./voice.js"
import { clock, civil, day, list, moment, span, t } from "./words.js"

const folder = document.querySelector('meta[name="leaflet"]').content
/** A style that is there before a map is made: it says how large that is. */
const styled = new Promise(done => document.head.append(h("link", { rel: "stylesheet", href: new URL("./map.css", import.meta.url).pathname, onload: done, onerror: done })))
let library
/** Leaflet, loaded once; null where it is not installed or cannot be had now. */
function leaflet() {
  library ??= folder ? (async () => {
    const style = h("link", { rel: "stylesheet", href: `${folder}/leaflet.css` })
    document.head.append(style)
    const module = await import(`${folder}/leaflet.js`)
    await styled
    return module.default ?? module
  })().catch(() => { library = undefined; return null }) : Promise.resolve(null)
  return library
}

const hasSpot = one => one.lat !== undefined && one.lon !== undefined
/** Half a cell of the coarse grid around its middle, in degrees: cells are drawn as what they are, never as a dot. */
function half(lat) {
  const columns = Math.max(3, Math.round(40_030 * Math.cos(lat * Math.PI / 180)))
  return { north: 0.0045, east: 180 / columns }
}
const boundsOf = ({ lat, lon }) => { const { north, east } = half(lat); return [[lat - north, lon - east], [lat + north, lon + east]] }

class FamilyMap extends HTMLElement {
  connectedCallback() {
    if (this.list) return
    this.marks = new Map()
    this.canvas = h("div", { class: "map", role: "application", "aria-label": t("map.title"), "aria-describedby": "map-unnamed" })
    /** Which places have no name on the map, for those who cannot see that. */
    this.unnamed = h("p", { class: "hidden", id: "map-unnamed" })
    this.ofGround = t(folder ? "map.no-ground" : "map.no-library")
    this.scale = h("p", { class: "hint" }, this.ofGround)
    this.under = h("div", {}, this.scale)
    this.tools = h("div", { class: "actions" },
      button(t("map.fit"), () => this.fit(true), { class: "quiet small" }),
      button(t("map.add-place"), () => addPlace(this), { class: "quiet small", id: "add-place" }))
    this.card = h("div", { class: "card opened", hidden: true })
    /** What is put or moved on the map by hand. */
    this.hand = h("section", { class: "card", hidden: true, "aria-label": t("placing.title") })
    this.list = h("ul", { class: "rows people" })
    this.places = h("ul", { class: "rows" })
    this.empty = h("p", { class: "empty" })
    this.named = h("p", { class: "attribution", hidden: true })
    /** Who is at a place or at home, where one is shown no spot. */
    this.cards = h("ul", { class: "where-cards", "aria-label": t("map.cards"), hidden: true })
    this.own = h("kin-own-sharing", { class: "card" })
    this.append(h("h1", { class: "hidden" }, t("tab.map")), h("div", { class: "map-frame" }, h("div", { class: "map-box" }, this.canvas, this.unnamed, this.named), this.cards, this.tools), this.hand, this.under, this.card,
      h("section", {}, h("h2", {}, t("home.where")), this.list, this.empty), this.own,
      this.placesPart = h("section", {}, h("h2", {}, t("map.places")), this.places))
    show(this.canvas, folder)
    this.begin()
    this.update(state)
  }

  disconnectedCallback() { this.endHand?.(); this.map?.remove(); this.map = this.ground = null }

  /** A member or a place, or a spot by its degrees. */
  open(id) {
    const [, lat, lon, called] = /^(-?[\d.]+),(-?[\d.]+)(?:,(.+))?$/.exec(id ?? "") ?? []
    this.spot = lat === undefined ? null : [Number(lat), Number(lon)]
    try { this.called = called ? decodeURIComponent(called) : null } catch { this.called = null }
    this.chosen = this.follows = this.spot ? null : id
    this.cardKey = null
    /** Whether the map was moved to the place or spot: it is moved there once, and then is the reader's. */
    this.isThere = false
    if (this.list) { this.update(state); this.pan() }
  }

  async begin() {
    const L = await leaflet()
    if (!this.isConnected) return
    show(this.canvas, L)
    this.isWithout = !L
    if (!L) return say(this.scale, t(!folder ? "map.no-library" : state.line === "live" ? "act.failed" : "line.unknown"))
    say(this.scale, this.ofGround)
    this.L = L
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    this.map = L.map(this.canvas, { attributionControl: false, zoomControl: false, zoomAnimation: !still, fadeAnimation: !still,
      markerZoomAnimation: !still, worldCopyJump: true, minZoom: 2, maxZoom: 19 })
    this.map.setView([48, 12], 4)
    L.control.zoom({ zoomInTitle: t("map.zoom-in"), zoomOutTitle: t("map.zoom-out") }).addTo(this.map)
    L.control.scale({ imperial: false }).addTo(this.map)
    this.lines = L.layerGroup().addTo(this.map)
    this.towns = L.layerGroup().addTo(this.map)
    this.trail = L.layerGroup().addTo(this.map)
    this.map.on("moveend", () => this.drawLines())
    this.map.on("moveend zoomend", () => this.untangle())
    this.addGround()
    this.map.on("dragstart", () => { this.follows = null })
    this.drawLines()
    this.update(state)
    this.fit(false)
    this.isThere = false
    this.pan()
  }

  /** What lies beneath and could not be had while the daemon was away. */
  askGround() {
    if (!this.ground) return this.addGround()
    const missed = this.ground.regions.filter(one => one.hasMissed)
    for (const one of missed) one.hasMissed = false
    if (missed.length) this.ground.redraw()
  }

  /** The regions that an admin added, with whom to name for them. */
  async addGround() {
    const { L, map } = this, basemap = await import("./basemap.js"), all = await basemap.regions()
    if (this.map !== map || !all.length || this.ground) return
    this.ground = basemap.layer(L, all).addTo(map)
    basemap.names(L, this.ground).addTo(map)
    this.regions = all
    this.towns.clearLayers()
    say(this.named, whose(all))
    show(this.named, whose(all))
    this.look = basemap.theme
    this.theme = this.look()
    this.drawLines()
  }

  /** Where no map lies beneath: lines of degrees, so that one sees how far and which way. */
  drawLines() {
    const { map, L } = this
    if (!map) return
    nameTowns(this)
    const box = map.getBounds()
    // Within a region there are streets to go by.
    const isOn = (this.regions ?? []).some(({ bounds: [west, south, east, north] }) =>
      box.getWest() >= west && box.getEast() <= east && box.getSouth() >= south && box.getNorth() <= north)
    show(this.under, !this.regions?.length)
    if (isOn) return void this.lines.clearLayers()
    const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]
    const width = Math.min(box.getEast() - box.getWest(), 360)
    const step = steps.find(one => width / one >= 4) ?? steps.at(-1)
    this.lines.clearLayers()
    const style = { className: "graticule", interactive: false, weight: 1 }
    for (let x = Math.ceil(box.getWest() / step) * step; x <= box.getEast() && this.lines.getLayers().length < 40; x += step) {
      L.polyline([[-85, x], [85, x]], style).addTo(this.lines)
    }
    for (let y = Math.ceil(box.getSouth() / step) * step; y <= box.getNorth() && this.lines.getLayers().length < 80; y += step) {
      L.polyline([[y, box.getWest()], [y, box.getEast()]], style).addTo(this.lines)
    }
  }

  /** Lets names that would lie over each other give way; which places then have none in sight is there to be read. */
  untangle() {
    this.untangling ??= setTimeout(() => {
      this.untangling = undefined
      if (!this.map || !this.isConnected) return
      const one = this.chosen && (place(this.chosen) ?? position(this.chosen)), spot = this.spot ?? (one && hasSpot(one) ? [one.lat, one.lon] : null)
      const names = untangle(this.canvas, this.chosen, spot && this.map.latLngToContainerPoint(spot))
      say(this.unnamed, names.length ? t("map.unnamed", { names: list(names) }) : "")
    }, 200)
  }

  update({ snapshot, line }) {
    if (!snapshot || !this.list) return
    if (this.isWithout && line === "live" && this.line !== line) this.begin()
    if (this.map && line === "live" && this.line === "away") this.askGround()
    this.line = line
    // Who one is may be known only by now, and one may become an admin.
    if (this.forRole !== (this.forRole = me()?.role)) fill(this.under, this.scale, folder ? terminal("kin map add region.osm.pbf") : null)
    const seen = (snapshot.positions ?? []).filter(one => member(one.member)).sort((a, b) => (a.at < b.at ? 1 : -1))
    sync(this.list, seen, one => one.member, one => h("li", {}, h("a", { class: "row", href: `#/map/${one.member}` }, face(one.member),
      h("span", { class: "grow" }, h("strong"), h("span", { class: "place" }), h("span", { class: "soft" })))), updatePerson)
    // What was shown an hour ago is not kept.
    say(this.empty, t(line === "away" ? "line.unknown" : "home.nobody-shows"))
    show(this.empty, !seen.length)
    show(this.tools.querySelector("#add-place"), me()?.role !== "guest")
    sync(this.places, snapshot.places ?? [], one => one.id, one => h("li", { class: "row" }, h("a", { class: "grow", href: `#/map/${one.id}` }, h("strong"), h("span", { class: "soft" })),
      this.mayChange(one) ? h("button", { type: "button", class: "quiet small", onclick: () => changePlace(this, one.id) }, t("map.change")) : null), (row, one) => {
      say(row.querySelector("strong"), [one.icon, one.name].filter(Boolean).join(" "))
      say(row.querySelector(".soft"), what(one))
    })
    show(this.placesPart, (snapshot.places ?? []).length)
    drawCards(this.cards, seen)
    this.own.update()
    if (this.map) this.draw(seen, snapshot.places ?? [])
    // Another look, another paint.
    if (this.ground && this.theme !== this.look()) { this.theme = this.look(); this.ground.redraw() }
    this.drawCard()
  }

  mayChange(one) { return one.owner === state.snapshot.me || me()?.role === "admin" }

  draw(seen, places) {
    const { L } = this, wanted = new Set()
    const keep = (key, print, make) => {
      wanted.add(key)
      const known = this.marks.get(key)
      if (known?.print === print) return known
      known?.layer.remove()
      const layer = make()
      layer.addTo(this.map)
      this.marks.set(key, { print, layer })
      return this.marks.get(key)
    }
    for (const one of places) {
      keep(`place/${one.id}`, JSON.stringify(one), () => L.layerGroup([
        ...(one.radius ? [L.circle([one.lat, one.lon], { radius: one.radius, className: `area ${one.kind}`, weight: 1, interactive: false })] : []),
        // A tap opens its card; by keys the list does. What is put on the map by hand goes where it is tapped.
        markOf(L, one).on("click", () => { if (!this.endHand) location.hash = `#/map/${one.id}` }),
      ]))
    }
    for (const one of seen.filter(hasSpot)) {
      const key = `member/${one.member}`, who = member(one.member)
      if (one.precision === "coarse") {
        keep(key, `${one.lat}/${one.lon}`, () => L.layerGroup([
          L.rectangle(boundsOf(one), { className: "cell", weight: 1 }).on("click", () => { location.hash = `#/map/${one.member}` }),
          L.marker([one.lat, one.lon], { interactive: false, keyboard: false, icon: L.divIcon({ className: "pin cell-name", iconSize: null, html: h("span", {}, who.displayName) }) }),
        ]))
        continue
      }
      const made = keep(key, `${who.picture}/${who.displayName}`, () => {
        const mark = h("span", { class: "dot", "data-member": one.member }, face(one.member), h("span", { class: "name" }, who.displayName))
        const circle = L.circle([one.lat, one.lon], { radius: one.accuracy ?? 0, className: "accuracy", weight: 1, interactive: false })
        const marker = L.marker([one.lat, one.lon], { icon: L.divIcon({ className: "member", iconSize: null, html: mark }), alt: who.displayName, title: who.displayName, zIndexOffset: 1000 })
        marker.on("click", () => { location.hash = `#/map/${one.member}` })
        const layer = L.layerGroup([circle, marker])
        layer.move = now => {
          const spot = [now.lat, now.lon]
          if (!marker.getLatLng().equals(spot)) { marker.setLatLng(spot); circle.setLatLng(spot) }
          if (circle.getRadius() !== (now.accuracy ?? 0)) circle.setRadius(now.accuracy ?? 0)
          mark.classList.toggle("old", clockNow() - new Date(now.at) > 900_000 || isOld(now))
          mark.classList.toggle("moving", now.movingSince !== undefined)
          const says = [who.displayName, seenWhen(now), condition(now, span)].filter(Boolean).join(" · "), element = marker.getElement()
          if (element && element.title !== says) element.title = says
        }
        return layer
      })
      made.layer.move?.(one)
    }
    for (const [key, { layer }] of this.marks) if (!wanted.has(key)) { layer.remove(); this.marks.delete(key) }
    if (!this.hasFit && !this.isThere && (seen.some(hasSpot) || places.length)) this.fit(false)
    this.pan()
    this.untangle()
  }

  /** All that there is, on the screen. */
  fit(isAsked) {
    if (!this.map) return
    const spots = [...(state.snapshot?.positions ?? []), ...(isAsked ? state.snapshot?.places ?? [] : [])].filter(hasSpot)
    const all = spots.length ? spots : state.snapshot?.places ?? []
    if (!all.length) return isAsked ? told(t("home.nobody-shows")) : undefined
    this.hasFit = true
    if (isAsked) this.follows = null
    this.map.fitBounds(all.map(one => [one.lat, one.lon]), { padding: [48, 48], maxZoom: 15, animate: false })
  }

  /** Shows what was opened, and keeps whoever is followed in the middle. */
  pan() {
    if (!this.map) return
    // Made once, and not with each move of anybody's.
    const pinned = this.spot && `${this.spot} ${this.called}`
    if (this.pinned !== pinned) {
      this.pinned = pinned
      this.pin?.remove()
      this.pin = pinned && this.L.layerGroup([this.L.circleMarker(this.spot, { radius: 9, className: "area", interactive: false }),
        ...this.called ? [named(this.L, this.spot, this.called)] : []]).addTo(this.map)
    }
    if (this.spot) {
      if (!this.isThere) this.map.setView(this.spot, Math.max(this.map.getZoom(), 15), { animate: false })
      this.isThere = true
      return
    }
    const opened = this.chosen && place(this.chosen), one = opened || this.follows && position(this.follows)
    if (!one || !hasSpot(one) || opened && this.isThere) return
    if (opened) this.isThere = true
    const zoom = Math.max(this.map.getZoom(), 14)
    if (!this.map.getBounds().pad(-0.3).contains([one.lat, one.lon]) || this.map.getZoom() < 10) this.map.setView([one.lat, one.lon], zoom, { animate: false })
  }

  // What was opened --------------------------------------------------------------------------------------------------

  drawCard() {
    const id = this.chosen, who = id && member(id), seen = id && position(id), one = id && !who && place(id)
    show(this.card, who || one)
    if (one) return drawPlace(this, one)
    if (!who) {
      this.cardKey = null
      this.trail?.clearLayers()
      // A day's points, which may be many thousand, go with its slider.
      if (this.slider) { this.slider = null; fill(this.card) }
      return
    }
    const texts = seen ? [whereabouts(seen), [seenWhen(seen), condition(seen, span), seen.accuracy !== undefined ? `±${Math.round(seen.accuracy)} m` : ""].filter(Boolean).join(" · ")]
      : [t(id === state.snapshot.me ? "map.you-not-yet" : "map.not-shown", { name: who.displayName }), ""]
    if (this.cardKey !== id) {
      this.cardKey = id
      this.trail?.clearLayers()
      this.cardText = [h("p", {}), h("p", { class: "soft" })]
      this.slider = h("div", {})
      const chosen = h("input", { type: "date", id: "trail-day", max: dayAt(clockNow()), onchange: () => { if (chosen.value) this.showDay(id, chosen.value) } })
      this.otherDay = field(t("map.other-day"), chosen)
      show(this.otherDay, false)
      const isMe = id === state.snapshot.me
      fill(this.card, h("div", { class: "bar" }, face(id), h("h2", { class: "grow" }, who.displayName),
        h("a", { class: "button quiet small", href: "#/map", "aria-label": t("act.close") }, "✗")), ...this.cardText,
      h("div", { class: "actions" },
        button(t("map.day"), () => this.showDay(id), { class: "quiet small" }),
        this.asks = isMe ? null : button(t("map.ask"), async () => {
          const result = await act("position.ask", { member: id }, { mayWait: false })
          if (result) told(t(result.rides ? "map.asked" : "map.told", { name: who.displayName }))
        }, { class: "quiet small" }),
        isMe ? h("a", { class: "button quiet small", href: "/sharing" }, t("family.sharing")) : null,
        isMe ? h("a", { class: "button quiet small", href: "/sharing#links" }, t("map.guest-link")) : null,
        isMe ? button(t("map.looks"), looks, { class: "quiet small" }) : null), this.slider, this.otherDay)
    }
    say(this.cardText[0], texts[0])
    say(this.cardText[1], texts[1])
    // Who shows nothing may begin to while the card is open.
    if (this.asks) show(this.asks, seen)
  }

  /** The last 24 hours or a day as a trail, with a slider for the time; where one may see that. It is written down who looked. */
  async showDay(id, date = null) {
    const to = new Date(date ? moment(`${plus(date, 1)}T00:00`) : clockNow()), from = new Date(date ? moment(`${date}T00:00`) : +to - 86_400_000)
    const points = []
    let after
    try {
      // However much it is: a day at one report a second has eighty-six thousand. Whoever has chosen somebody else waits for none.
      do {
        const answer = await asked("position.history", { member: id, from: from.toISOString(), to: to.toISOString(), limit: 5000, ...(after ? { after } : {}) })
        points.push(...answer.positions)
        after = answer.next
      } while (after && this.cardKey === id)
    } catch (error) {
      return told(t(error.code === 1403 || error.code === 1404 ? "map.no-history" : error.code === 0 ? "act.not-reached" : "act.failed", { name: member(id)?.displayName }), { isWrong: true })
    }
    // Meanwhile somebody else may have been chosen.
    if (this.cardKey !== id) return
    show(this.otherDay, true)
    this.trail?.clearLayers()
    fill(this.slider)
    if (!points.length) return told(t(date ? "map.empty-other" : "map.empty-day"))
    const label = h("output", { class: "soft" })
    const range = h("input", { type: "range", min: 0, max: points.length - 1, step: 1, "aria-label": t("map.time") })
    const mark = this.map ? this.drawTrail(points) : () => {}
    const at = () => {
      const one = points[range.value], wall = civil(one.at)
      say(label, `${day(wall)} ${clock(wall)} · ${whereabouts(one)}`)
      mark(one)
    }
    range.value = String(points.length - 1)
    range.oninput = at
    at()
    fill(this.slider, range, label)
  }

  /**
   * Lines where somebody was seen exactly; where to a kilometre, the cells, for nobody knows where within them that was.
   * Answers what marks one of the points.
   */
  drawTrail(points) {
    const { L, trail } = this, lines = [[]], cells = new Map(), isCell = one => one.precision === "coarse"
    for (const [index, one] of points.entries()) {
      // A gap of half an hour and a kilometre is no line: nobody knows what was between.
      const before = points[index - 1]
      if (before && (isCell(one) || new Date(one.at) - new Date(before.at) > 1_800_000 && metres(before, one) > 1000)) lines.push([])
      if (isCell(one)) cells.set(`${one.lat}/${one.lon}`, boundsOf(one))
      else lines.at(-1).push([one.lat, one.lon])
    }
    const drawn = lines.filter(line => line.length), all = [...cells.values()]
    for (const bounds of all) L.rectangle(bounds, { className: "cell trail-cell", interactive: false, weight: 1 }).addTo(trail)
    if (drawn.length) L.polyline(drawn, { className: "trail", interactive: false, weight: 3 }).addTo(trail)
    this.follows = null
    this.map.fitBounds([...drawn, ...all].flat(), { padding: [32, 32], maxZoom: all.length ? 14 : 16, animate: false })
    const dot = L.circleMarker([0, 0], { className: "trail-mark", radius: 7, interactive: false })
    const cell = L.rectangle([[0, 0], [0, 0]], { className: "cell trail-here", interactive: false, weight: 3 })
    return one => {
      if (isCell(one)) cell.setBounds(boundsOf(one))
      else dot.setLatLng([one.lat, one.lon])
      trail.removeLayer(isCell(one) ? dot : cell)
      trail.addLayer(isCell(one) ? cell : dot)
    }
  }
}
customElements.define("kin-map", FamilyMap)

/** Towns by name where no region has names of its own: as the daemon knows them, which asks nobody outside. */
async function nameTowns(view) {
  const { map, L } = view, turn = view.towning = {}, box = map.getBounds()
  const [west, east] = [Math.max(-180, box.getWest()), Math.min(180, box.getEast())]
  const [south, north] = [Math.max(-85, box.getSouth()), Math.min(85, box.getNorth())]
  let found = []
  if (!view.regions?.length && west < east && south < north) {
    try { ({ towns: found } = await asked("place.towns", { west, south, east, north })) } catch { return }
  }
  if (view.map !== map || view.towning !== turn) return
  view.towns.clearLayers()
  for (const one of found) L.marker([one.lat, one.lon], { interactive: false, keyboard: false,
    icon: L.divIcon({ className: "town", iconSize: null, html: h("span", {}, one.name) }) }).addTo(view.towns)
  view.untangle()
}

/** A place's mark with its name. Whether that has room or not, the mark has it. `isOnMap`: what is tapped is tapped on the map as well. */
const markOf = (L, one, isOnMap = true) => L.marker([one.lat, one.lon], { keyboard: false, bubblingMouseEvents: isOnMap,
  icon: L.divIcon({ className: `pin ${one.kind}`, iconSize: null, html: h("span", {}, called(one)) }) })
  .on("add", ({ target }) => set(target.getElement(), { role: "img", "aria-label": called(one), title: called(one), "data-place": one.id }))

/** What something is called, beneath where it is. */
const named = (L, at, text) => L.marker(at, { interactive: false, keyboard: false, icon: L.divIcon({ className: "pin", iconSize: null, html: h("span", {}, text) }) })

/** Whom a map names for its regions. */
const whose = all => [...new Set(all.map(one => one.attribution).filter(Boolean))].join(" · ")

/**
 * A small map on which a tap says where, or by keys Enter, which takes its middle: `spot` is read and set, and set with the
 * place whose mark was tapped. `element.follow` shows what was chosen beside it, among the places or by degrees.
 */
export async function choose(element, spot) {
  const L = await leaflet()
  if (!L || !element.isConnected) return show(element, false)
  const map = L.map(element, { attributionControl: false, zoomControl: false, minZoom: 2, maxZoom: 19, zoomAnimation: false, worldCopyJump: true })
  L.control.zoom({ zoomInTitle: t("map.zoom-in"), zoomOutTitle: t("map.zoom-out") }).addTo(map)
  const own = position(state.snapshot.me), places = state.snapshot.places ?? [], begin = spot.get() ?? (own && hasSpot(own) ? own : places[0])
  map.setView(begin ? [begin.lat, begin.lon] : [48, 12], begin ? 14 : 4)
  const mark = L.circleMarker([0, 0], { radius: 9, className: "area", interactive: false })
  // As on the large map, the names nearest to what is chosen have room first.
  const write = () => {
    const at = spot.get()
    if (element.isConnected) untangle(element, null, at && map.latLngToContainerPoint([at.lat, at.lon]))
  }
  /** Whether a finger or the mouse is down on the map, and whether the map then still has to show what was typed. */
  let isHeld = false, isLater = false
  const take = (at, degrees, one) => {
    isLater = false
    spot.set(degrees, one)
    mark.setLatLng(at).addTo(map)
    write()
  }
  // A tap on a mark, or on its name, means the very spot of its place.
  for (const one of places) markOf(L, one, false).on("click", () => take([one.lat, one.lon], one, one)).addTo(map)
  // Beyond the date line the world goes on; its degrees do not.
  const mean = latlng => { const { lat, lng: lon } = latlng.wrap(); take(latlng, { lat, lon }) }
  map.on("click", ({ latlng }) => mean(latlng))
  element.addEventListener("keydown", event => {
    if (event.target !== element || !["Enter", " "].includes(event.key)) return
    event.preventDefault()
    mean(map.getCenter())
  })
  map.on("moveend zoomend", write)
  const follow = element.follow = () => {
    if (!element.isConnected) return
    const at = spot.get()
    if (at) mark.setLatLng([at.lat, at.lon]).addTo(map)
    else mark.remove()
    // The tap that takes the focus from a field means what lies beneath it, and not what would lie there a moment later.
    isLater = isHeld && !!at
    if (at && !isHeld) map.setView([at.lat, at.lon], Math.max(map.getZoom(), 13), { animate: false })
    write()
  }
  map.on("dragstart", () => { isLater = false })
  // A finger's click comes after the finger is lifted, between the presses of a mouse that browsers then add.
  for (const type of ["pointerdown", "mousedown"]) element.addEventListener(type, () => {
    isHeld = true
    // Leaflet would scroll the dialog until the whole map is in sight, and the map away from beneath the finger.
    if (type === "mousedown") element.focus({ preventScroll: true })
  }, true)
  const end = new AbortController()
  for (const type of ["pointerup", "pointercancel", "mouseup"]) addEventListener(type, () => setTimeout(() => {
    isHeld = false
    if (isLater) follow()
  }), { capture: true, signal: end.signal })
  element.closest("dialog")?.addEventListener("close", () => { end.abort(); map.remove() }, { once: true })
  if (spot.get()) follow()
  else write()
  const basemap = await import("./basemap.js"), all = await basemap.regions()
  if (!element.isConnected) return
  if (!all.length) {
    const view = { map, L, towns: L.layerGroup().addTo(map), untangle: write }
    map.on("moveend", () => nameTowns(view))
    return nameTowns(view)
  }
  const ground = basemap.layer(L, all).addTo(map), whom = h("p", { class: "attribution" }, whose(all))
  basemap.names(L, ground).addTo(map)
  // Above all that Leaflet puts into the map.
  whom.style.zIndex = "1000"
  if (whose(all)) element.append(whom)
}
