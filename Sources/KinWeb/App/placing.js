// SPDX-License-Identifier: Apache-2.0
// Places: put and moved on the map by hand, with their circle; and the form with the rest.

import { act, asked, button, field, told, undoable, whom, why } from "./base.js"
import { ask, fill, h, say, show } from "./dom.js"
import { me, place, position, state } from "./state.js"
import { distance, t } from "./words.js"

/** From here on a screen is about three kilometres wide: what is put in its middle is where somebody means it. */
const nearZoom = 13
const radiusMin = 20, radiusMax = 50_000, metresOfDegree = 111_195
const hasSpot = one => one?.lat !== undefined && one?.lon !== undefined

/** Puts a place: on the map where there is one, else where one is oneself. */
export async function addPlace(view) {
  const own = position(state.snapshot.me), here = view.map?.getCenter(), isNear = view.map?.getZoom() >= nearZoom
  let spot = isNear ? { lat: here.lat, lon: here.lng } : hasSpot(own) ? own : null
  if (!spot && !view.map) return told(t("map.no-spot"), { isWrong: true })
  let radius = 100
  if (view.map) {
    if (!isNear && spot) view.map.setView([spot.lat, spot.lon], 16, { animate: false })
    const put = await byHand(view, { lat: spot?.lat ?? here.lat, lon: spot?.lon ?? here.lng, radius }, t("placing.go-on"))
    if (!put) return
    spot = put
    radius = put.radius
  }
  const made = await edit(view, t("map.add-place"), { kind: "place", name: "", radius, lat: spot.lat, lon: spot.lon }, "place.add")
  if (made) told(t("map.added"))
}

export async function changePlace(view, id) {
  if (!place(id)) return
  let one
  // What the snapshot leaves out: its note, and who sees it.
  try { ({ place: one } = await asked("place.show", { place: id })) } catch (error) { return told(why(error), { isWrong: true }) }
  if (await edit(view, t("map.change"), one, "place.update", id) !== "by-hand") return
  const put = await byHand(view, one, t("act.save"))
  if (put) await act("place.update", { place: id, ...put }, { mayWait: false })
}

// By hand ----------------------------------------------------------------------------------------------------------

/**
 * Lets somebody say on the map where something is: dragging its mark, tapping where it is, or with the arrow keys. Its
 * circle is as wide as its edge is dragged, or as the slider says. Resolves with where it is now; or null when it was left.
 */
function byHand(view, { lat, lon, radius }, done) {
  const { L, map } = view
  view.endHand?.()
  view.follows = null
  return new Promise(resolve => {
    let spot = L.latLng(lat, lon), wide = radius ?? null
    const layer = L.layerGroup().addTo(map)
    const mark = (name, label) => {
      const one = L.marker(spot, { draggable: true, autoPan: true, zIndexOffset: 2000,
        icon: L.divIcon({ className: `placing-mark ${name}`, iconSize: [44, 44], html: h("span", { "aria-hidden": "true" }) }) }).addTo(layer)
      const element = one.getElement()
      element.setAttribute("role", "button")
      element.setAttribute("aria-label", label)
      return one
    }
    const circle = wide ? L.circle(spot, { radius: wide, className: "area placing", interactive: false }).addTo(layer) : null
    const middle = mark("middle", t("placing.mark")), rim = wide ? mark("rim", t("placing.rim")) : null
    const edge = () => [spot.lat, spot.lng + wide / (metresOfDegree * Math.max(0.01, Math.cos(spot.lat * Math.PI / 180)))]
    const slider = wide ? h("input", { type: "range", min: radiusMin, max: Math.max(1000, wide * 2), step: 10 }) : null
    const label = h("output", { class: "soft" })
    const draw = () => {
      middle.setLatLng(spot)
      circle?.setLatLng(spot).setRadius(wide)
      rim?.setLatLng(edge())
      if (slider) slider.value = String(wide)
      say(label, wide ? t("place.radius", { radius: distance(wide) }) : "")
    }
    const move = to => { spot = L.latLng(to.lat, ((to.lng + 180) % 360 + 360) % 360 - 180); draw() }
    const widen = metres => { wide = Math.round(Math.max(radiusMin, Math.min(radiusMax, metres))); draw() }
    middle.on("drag", () => move(middle.getLatLng()))
    rim?.on("drag", () => widen(map.distance(spot, rim.getLatLng())))
    const tap = event => move(event.latlng)
    map.on("click", tap)
    const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
    const press = event => {
      const step = keys[event.key]
      if (!step) return
      event.preventDefault()
      event.stopPropagation()
      const pixels = event.shiftKey ? 40 : 8
      if (event.currentTarget === rim?.getElement()) return widen(wide + (step[0] - step[1]) * (event.shiftKey ? 100 : 10))
      move(map.containerPointToLatLng(map.latLngToContainerPoint(spot).add(step.map(one => one * pixels))))
      if (!map.getBounds().pad(-0.05).contains(spot)) map.panTo(spot, { animate: false })
    }
    for (const one of [middle, rim]) one?.getElement().addEventListener("keydown", press)
    if (slider) slider.oninput = () => widen(Number(slider.value))
    const end = answer => {
      view.endHand = null
      map.off("click", tap)
      layer.remove()
      fill(view.hand)
      show(view.hand, false)
      show(view.tools, true)
      resolve(answer)
    }
    view.endHand = () => end(null)
    const save = button(done, () => {
      if (map.getZoom() < nearZoom) return told(t("map.go-near"), { isWrong: true })
      end({ lat: +spot.lat.toFixed(6), lon: +spot.lng.toFixed(6), ...(wide ? { radius: wide } : {}) })
    }, { id: "placing-done" })
    fill(view.hand, h("p", {}, t("placing.how")), slider ? [field(t("place.radius-label"), slider), label] : null,
      h("div", { class: "actions" }, save, button(t("act.leave"), () => end(null), { class: "quiet" })))
    show(view.hand, true)
    show(view.tools, false)
    draw()
    if (!map.getBounds().pad(-0.05).contains(spot)) map.setView(spot, Math.max(map.getZoom(), 15), { animate: false })
    middle.getElement().focus()
  })
}

// The form ---------------------------------------------------------------------------------------------------------

/** What of a form's values is another than it was. */
const changedOf = (now, was) => Object.fromEntries(Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key])))

function edit(view, title, one, method, id = null) {
  return ask(title, close => {
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "place-name" })
    name.value = one.name
    const kind = h("select", { id: "place-kind" }, ["place", "hotspot", "note"].map(each => h("option", { value: each, selected: each === one.kind }, t(`place.${each}`))))
    const note = h("textarea", { rows: 3, maxlength: 1000, id: "place-note" })
    note.value = one.note ?? ""
    const icon = h("input", { maxlength: 16, autocomplete: "off", id: "place-icon" })
    icon.value = one.icon ?? ""
    const radius = h("input", { type: "number", min: radiusMin, max: radiusMax, step: "any" })
    radius.value = String(one.radius ?? 100)
    const lat = h("input", { type: "number", min: -90, max: 90, step: "any", required: true })
    const lon = h("input", { type: "number", min: -180, max: 180, step: "any", required: true })
    lat.value = one.lat.toFixed(6)
    lon.value = one.lon.toFixed(6)
    const radiusField = field(t("place.radius-label"), radius, t("place.radius-hint"))
    const { choice, people, value: seers } = whom(one.audience ?? "everyone", one.owner ?? null, { alone: true })
    // A household has one home, which is for those who live there to say.
    const isHome = !!one.homeOf, mayBeHome = isHome ? one.homeOf === me().household : !(state.snapshot.places ?? []).some(other => other.homeOf === me().household)
    const home = h("input", { type: "checkbox", checked: isHome, id: "place-home" }), homeLine = mayBeHome ? h("label", { class: "check" }, home, t("place.is-home")) : null
    kind.onchange = () => { for (const each of [radiusField, homeLine]) if (each) show(each, kind.value === "place") }
    kind.onchange()
    const was = { kind: one.kind, name: one.name, note: one.note ?? "", icon: one.icon ?? "", radius: one.radius, lat: +one.lat.toFixed(6), lon: +one.lon.toFixed(6),
      // As it is chosen here: who is named and not in this list stays named.
      audience: seers(), home: isHome }
    return h("form", { "data-of": id, onsubmit: async event => {
      event.preventDefault()
      const isPlace = kind.value === "place"
      const now = { kind: kind.value, name: name.value.trim(), note: note.value.trim(), icon: icon.value.trim(), lat: Number(lat.value), lon: Number(lon.value), audience: seers(),
        ...(isPlace ? { radius: Number(radius.value) } : {}), ...(mayBeHome ? { home: isPlace && home.checked } : {}) }
      const { note: text, icon: sign, ...rest } = id ? changedOf(now, was) : now
      // What is empty now is taken away; what is new has none.
      const none = id ? null : undefined, given = (key, words) => words === undefined ? {} : { [key]: words || none }
      const params = { ...(id ? { place: id } : {}), ...rest, ...given("note", text), ...given("icon", sign) }
      if (!id && !params.home) delete params.home
      const result = await act(method, params, { mayWait: false })
      if (result) close(result)
    } }, field(t("place.name"), name), field(t("place.kind"), kind), radiusField, homeLine, field(t("place.note-label"), note), field(t("place.for"), choice), people,
    id && view.map ? h("button", { type: "button", class: "quiet", id: "place-by-hand", onclick: () => close("by-hand") }, t("placing.move")) : null,
    h("details", {}, h("summary", {}, t("place.more")), field(t("place.icon"), icon, t("place.icon-hint")), field(t("place.lat"), lat), field(t("place.lon"), lon)),
    h("button", { type: "submit" }, t("act.save")),
    id ? h("button", { type: "button", class: "quiet danger", onclick: () => { close(null); undoable(t("map.removing", { name: one.name }), "place.remove", { place: id }) } }, t("map.remove")) : null,
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}
