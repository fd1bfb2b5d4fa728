// SPDX-License-Identifier: Apache-2.0
// Where pictures of the map come from outside: an admin names a source, or forbids it.

import { asked, button, field, terminal, told, why } from "./base.js"
import { ask, h, say } from "./dom.js"
import { t } from "./words.js"

/** Shows what is asked now, with a form for another. */
export async function mapSource() {
  let now
  try { now = await asked("map.source", {}) } catch (error) { return told(why(error), { isWrong: true }) }
  await ask(t("map-source.title"), close => {
    const address = h("input", { type: "url", required: true, maxlength: 500, autocomplete: "off", id: "source-address" })
    const attribution = h("input", { type: "text", required: true, maxlength: 200, autocomplete: "off", id: "source-attribution", placeholder: "© OpenStreetMap" })
    const zoom = h("input", { type: "number", required: true, min: 0, max: 22, id: "source-zoom" })
    address.value = now.address ?? ""
    attribution.value = now.attribution ?? ""
    zoom.value = now.zoomMax ?? 19
    const fields = { address: field(t("map-source.address"), address, t("map-source.address-hint")),
      attribution: field(t("map-source.attribution"), attribution, t("map-source.attribution-hint")), zoomMax: field(t("map-source.zoom"), zoom) }
    const state = h("p", { id: "source-state" }, t(now.on ? "map-source.on" : "map-source.off"))
    const set = async params => {
      for (const one of Object.values(fields)) one.refuse(null)
      try { now = await asked("map.setSource", params) } catch (error) {
        const wrong = fields[error.data?.field]
        return wrong ? wrong.refuse(why(error)) : told(why(error), { isWrong: true })
      }
      say(state, t(now.on ? "map-source.on" : "map-source.off"))
      forbid.hidden = !now.on
      told(t(now.on ? "map-source.set" : "map-source.ended"))
    }
    const forbid = button(t("map-source.forbid"), () => set({ on: false }), { class: "quiet danger", id: "source-forbid", hidden: !now.on })
    return h("form", { onsubmit: event => {
      event.preventDefault()
      return set({ on: true, address: address.value.trim(), attribution: attribution.value.trim(), zoomMax: Number(zoom.value) })
    } }, state, terminal("kin map add region.osm.pbf"), h("p", { class: "hint" }, t("map-source.learns")), fields.address, fields.attribution, fields.zoomMax,
    h("button", { type: "submit", id: "source-set" }, t("map-source.allow")), forbid,
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}
