// SPDX-License-Identifier: Apache-2.0
// The map beneath: the regions that an admin added, painted tile by tile; names are laid over them, so that none is cut.

import { isShared, ofBrowser } from "./store.js"
import { readTile, sea } from "./tile.js"
import { language } from "./words.js"

/** The regions that the daemon has, in its order; none where it cannot be asked. */
export async function regions() {
  try {
    const answer = await fetch("/app/map", { headers: { Accept: "application/json" }, credentials: "same-origin" })
    if (!answer.ok) return []
    const { regions: all } = await answer.json()
    if (!isShared) ofBrowser.setItem("kinwire.regions", JSON.stringify(all))
    return all
  } catch {
    // Without the daemon: what there was, as far as the browser still has its tiles.
    try { return JSON.parse(ofBrowser.getItem("kinwire.regions")) ?? [] } catch { return [] }
  }
}

const tilesKept = 96
const colours = {
  light: {
    land: "#f3f0e9", water: "#a9cfe3", coast: "#84b4cd", wood: "#c6ddb8", grass: "#dbe8c8", park: "#cfe6bd", farmland: "#ece8d3",
    sand: "#f2e6bd", rock: "#dcd8d2", ice: "#eef6fa", wetland: "#cfe0d6", residential: "#e9e5df", commercial: "#eee0dc", industrial: "#e3dfe6",
    school: "#efe6cb", hospital: "#f3dede", parking: "#e4e2de", building: "#d8cfc4", edge: "#c3b8aa", casing: "#bfb8ab", road: "#ffffff",
    wide: "#fbe3a4", motorway: "#f3b98a", path: "#b9a78a", rail: "#a5a29e", text: "#33302b", halo: "#fbf9f4", waterText: "#2f6f92",
  },
  dark: {
    land: "#1d2124", water: "#12303f", coast: "#2c5569", wood: "#1e2f22", grass: "#212f23", park: "#1f3324", farmland: "#25281f",
    sand: "#35311f", rock: "#2b2b2c", ice: "#2b363c", wetland: "#1d2f2d", residential: "#23272b", commercial: "#2a2628", industrial: "#28262c",
    school: "#2f2b1f", hospital: "#352526", parking: "#262a2d", building: "#30343a", edge: "#3d424a", casing: "#15181a", road: "#4b5158",
    wide: "#6a5a2f", motorway: "#7c4f2c", path: "#5b5243", rail: "#5c6066", text: "#e3e0da", halo: "#14171a", waterText: "#8fc3de",
  },
}
/** Light or dark, as the page is. */
export function theme() {
  const { theme: set } = document.documentElement.dataset
  return set === "dark" || (set !== "light" && matchMedia("(prefers-color-scheme: dark)").matches) ? "dark" : "light"
}

/** Roads from the narrowest up: the class, the colour, and how wide it is in pixels at zoom 10, 14 and 18. */
const roads = [
  ["path", "path", 0, 0.8, 3], ["track", "path", 0, 0.9, 4], ["service", "road", 0, 1.4, 8], ["minor", "road", 0.4, 2.6, 14],
  ["tertiary", "road", 0.8, 3.6, 17], ["secondary", "wide", 1.2, 4.4, 19], ["primary", "wide", 1.5, 5, 21],
  ["trunk", "motorway", 1.8, 5.4, 22], ["motorway", "motorway", 2, 6, 24],
]
const width = ([, , ten, fourteen, eighteen], zoom) => Math.max(0, zoom <= 14 ? ten + (fourteen - ten) * (zoom - 10) / 4 : fourteen * (eighteen / fourteen) ** ((zoom - 14) / 4))

/** The tiles of one region: read once, and a number of them kept. */
class Region {
  constructor(told) {
    Object.assign(this, told)
    this.kept = new Map()
  }

  /** Where the region lies within a tile, in parts of the tile; null where it does not. */
  box(z, x, y) {
    const [west, south, east, north] = this.bounds, count = 2 ** z
    const column = lon => (lon + 180) / 360 * count - x
    const row = lat => (1 - Math.asinh(Math.tan(Math.max(-85.05, Math.min(85.05, lat)) * Math.PI / 180)) / Math.PI) / 2 * count - y
    const box = { west: Math.max(0, column(west)), east: Math.min(1, column(east)), north: Math.max(0, row(north)), south: Math.min(1, row(south)) }
    return box.west < box.east && box.north < box.south ? box : null
  }

  /** A tile's layers, or its picture; null where there is none. */
  tile(z, x, y) {
    const key = `${z}/${x}/${y}`
    let tile = this.kept.get(key)
    if (!tile) {
      tile = this.load(key)
      this.kept.set(key, tile)
      if (this.kept.size > tilesKept) this.kept.delete(this.kept.keys().next().value)
      tile.then(found => { if (found === undefined) this.kept.delete(key) })
    }
    return tile
  }

  async load(key) {
    try {
      const answer = await fetch(`/app/map/${this.version}/${key}`, { credentials: "same-origin" })
      if (answer.status === 404 || answer.status === 204) return null
      if (!answer.ok) return this.miss()
      return this.format === "pbf" ? readTile(await answer.arrayBuffer()) : await createImageBitmap(await answer.blob())
    } catch (error) {
      // What cannot be read stays unread; what could not be had is asked for again.
      return error instanceof RangeError || error.name === "InvalidStateError" ? null : this.miss()
    }
  }

  /** What could not be had leaves a gap until all is drawn anew. */
  miss() { this.hasMissed = true }

  /** The sea within a tile, in parts of the tile; from a wider tile where this one has no coast. */
  async sea(z, x, y) {
    for (let up = 0; z - up >= this.minzoom && up <= 14; up += 1) {
      const count = 2 ** up, at = [z - up, Math.floor(x / count), Math.floor(y / count)]
      const tile = await this.tile(...at)
      const coast = tile?.get?.("coastline")
      if (!coast) continue
      tile.seas ??= (() => {
        const box = this.box(...at), { extent } = coast
        return box && sea(coast.features.filter(one => one.kind === 2).flatMap(one => one.lines),
          { west: box.west * extent, east: box.east * extent, north: box.north * extent, south: box.south * extent })
      })() ?? []
      if (!tile.seas.length) continue
      return { rings: tile.seas, scale: count / coast.extent, east: -(x % count), south: -(y % count) }
    }
    return null
  }
}

function trace(context, feature, isArea) {
  for (const line of feature.lines) {
    if (line.length < (isArea ? 6 : 4)) continue
    context.moveTo(line[0], line[1])
    for (let at = 2; at < line.length; at += 2) context.lineTo(line[at], line[at + 1])
    if (isArea) context.closePath()
  }
}

/** Features of a layer that a test takes, traced in one path. */
function path(context, layer, takes, isArea) {
  let any = false
  context.beginPath()
  for (const feature of layer?.features ?? []) {
    if (feature.kind !== (isArea ? 3 : 2) || !takes(feature.tags)) continue
    trace(context, feature, isArea)
    any = true
  }
  return any
}

/**
 * Paints one tile of a region: `size` pixels wide and high, at a zoom that may be beyond the tiles' own.
 */
export async function paint(context, region, { x, y, z }, size, look) {
  const dataZoom = Math.min(z, region.maxzoom), count = 2 ** (z - dataZoom)
  const at = [dataZoom, Math.floor(x / count), Math.floor(y / count)]
  const box = region.box(z, x, y)
  if (!box || dataZoom < region.minzoom) return false
  const [tile, water] = await Promise.all([region.tile(...at), region.format === "pbf" ? region.sea(...at) : null])
  const ink = colours[look], east = -(x % count) * size, south = -(y % count) * size
  context.save()
  context.beginPath()
  context.rect(box.west * size, box.north * size, (box.east - box.west) * size, (box.south - box.north) * size)
  context.clip()
  if (region.format !== "pbf") {
    if (tile) context.drawImage(tile, east, south, size * count, size * count)
    context.restore()
    return !!tile
  }
  context.fillStyle = ink.land
  context.fillRect(0, 0, size, size)
  const units = extent => context.setTransform(size * count / extent, 0, 0, size * count / extent, east, south)
  const area = (layer, takes, colour) => {
    if (!layer) return
    units(layer.extent)
    if (path(context, layer, takes, true)) { context.fillStyle = colour; context.fill("evenodd") }
  }
  const layers = tile ?? new Map()
  for (const kind of ["residential", "commercial", "industrial", "school", "hospital", "parking"]) area(layers.get("landuse"), tags => tags.class === kind, ink[kind])
  for (const kind of ["farmland", "grass", "wood", "park", "sand", "rock", "ice", "wetland"]) area(layers.get("landcover"), tags => tags.class === kind, ink[kind])
  area(layers.get("park"), () => true, ink.park)
  if (water) {
    const scale = size * count * water.scale
    context.setTransform(scale, 0, 0, scale, east + water.east * size * count, south + water.south * size * count)
    context.beginPath()
    for (const ring of water.rings) trace(context, { lines: [ring] }, true)
    context.fillStyle = ink.water
    context.fill("evenodd")
  }
  area(layers.get("water"), () => true, ink.water)
  const line = (layer, takes, colour, pixels, dash = []) => {
    if (!layer || pixels <= 0) return
    units(layer.extent)
    const unit = layer.extent / (size * count)
    if (!path(context, layer, takes, false)) return
    context.strokeStyle = colour
    context.lineWidth = pixels * unit
    context.setLineDash(dash.map(each => each * unit))
    context.stroke()
  }
  const ratio = size / 256
  context.lineJoin = "round"
  context.lineCap = "round"
  line(layers.get("coastline"), () => true, ink.coast, ratio)
  line(layers.get("waterway"), tags => tags.class === "river" || tags.class === "canal", ink.water, Math.max(1, z - 10) * 0.8 * ratio)
  if (z >= 13) line(layers.get("waterway"), tags => tags.class !== "river" && tags.class !== "canal", ink.water, ratio)
  if (z >= 14) {
    area(layers.get("building"), () => true, ink.building)
    const layer = layers.get("building")
    if (layer && z >= 16) {
      units(layer.extent)
      if (path(context, layer, () => true, true)) { context.strokeStyle = ink.edge; context.lineWidth = layer.extent / (size * count) * ratio; context.setLineDash([]); context.stroke() }
    }
  }
  const ways = layers.get("transportation")
  const groups = new Map()
  for (const feature of ways?.features ?? []) {
    const key = feature.tags.class
    groups.set(key, [...groups.get(key) ?? [], feature])
  }
  const group = name => groups.has(name) ? { extent: ways.extent, features: groups.get(name) } : null
  const wide = Math.min(z, 19)
  for (const road of roads) {
    const pixels = width(road, wide) * ratio
    if (road[1] !== "path" && pixels > 2 * ratio) line(group(road[0]), () => true, ink.casing, pixels + 1.4 * ratio)
  }
  for (const road of roads) {
    const pixels = width(road, wide) * ratio
    line(group(road[0]), tags => tags.brunnel !== "tunnel", ink[road[1]], pixels, road[0] === "path" ? [3 * ratio, 3 * ratio] : [])
    if (road[1] !== "path") line(group(road[0]), tags => tags.brunnel === "tunnel", ink.edge, pixels / 2, [4 * ratio, 4 * ratio])
  }
  line(group("rail"), tags => tags.brunnel !== "tunnel", ink.rail, (z >= 15 ? 1.4 : 0.9) * ratio)
  line(group("transit"), tags => tags.brunnel !== "tunnel", ink.rail, 0.7 * ratio)
  context.restore()
  return true
}

/** The regions as a layer of Leaflet; `whenPainted` is called after tiles came. */
export function layer(L, all) {
  const own = all.map(one => new Region(one))
  const Tiles = L.GridLayer.extend({
    createTile(coords, done) {
      const canvas = document.createElement("canvas"), ratio = Math.min(window.devicePixelRatio || 1, 2)
      canvas.width = canvas.height = 256 * ratio
      canvas.setAttribute("aria-hidden", "true")
      const context = canvas.getContext("2d"), look = theme()
      ;(async () => {
        for (const region of own) await paint(context, region, coords, 256 * ratio, look)
      })().then(() => done(null, canvas), error => done(error, canvas))
      return canvas
    },
  })
  const tiles = new Tiles({ maxZoom: 19, minZoom: 0, className: "basemap", updateWhenZooming: false })
  tiles.regions = own
  return tiles
}

// Names ----------------------------------------------------------------------------------------------------------------

const sizes = { city: 16, town: 14, suburb: 12, village: 12, island: 12 }

/** Names over the map, in a canvas as large as the view: the most important first, none over another. */
export function names(L, tiles) {
  const Names = L.Layer.extend({
    onAdd(map) {
      this.canvas = L.DomUtil.create("canvas", "map-names leaflet-zoom-hide", map.getPanes().overlayPane)
      this.canvas.setAttribute("aria-hidden", "true")
      map.on("moveend zoomend resize viewreset", this.soon, this)
      tiles.on("load", this.soon, this)
      this.soon()
    },
    onRemove(map) {
      this.canvas.remove()
      map.off("moveend zoomend resize viewreset", this.soon, this)
      tiles.off("load", this.soon, this)
    },
    soon() {
      cancelAnimationFrame(this.frame)
      this.frame = requestAnimationFrame(() => this.draw())
    },
    async draw() {
      const map = this._map
      if (!map) return
      const turn = (this.turn = (this.turn ?? 0) + 1), zoom = Math.round(map.getZoom()), size = map.getSize()
      const found = []
      for (const region of tiles.regions.filter(one => one.format === "pbf")) {
        const z = Math.min(zoom, region.maxzoom)
        if (z < region.minzoom) continue
        const north = map.project(map.getBounds().getNorthWest(), z).divideBy(256).floor(), south = map.project(map.getBounds().getSouthEast(), z).divideBy(256).floor()
        for (let y = Math.max(0, north.y); y <= Math.min(2 ** z - 1, south.y); y += 1) for (let x = north.x; x <= south.x && found.length < 4000; x += 1) {
          const column = ((x % 2 ** z) + 2 ** z) % 2 ** z
          if (!region.box(z, column, y)) continue
          const tile = await region.tile(z, column, y)
          for (const [name, isRoad] of [["place", false], ["transportation_name", true]]) {
            const content = tile?.get?.(name)
            if (!content || (isRoad && zoom < 14)) continue
            for (const one of content.features) found.push({ one, isRoad, at: (px, py) => L.point((x + px / content.extent) * 256, (y + py / content.extent) * 256), z })
          }
        }
      }
      if (turn !== this.turn || !this._map) return
      const ratio = Math.min(window.devicePixelRatio || 1, 2), ink = colours[theme()]
      this.canvas.width = size.x * ratio
      this.canvas.height = size.y * ratio
      Object.assign(this.canvas.style, { width: `${size.x}px`, height: `${size.y}px` })
      L.DomUtil.setPosition(this.canvas, map.containerPointToLayerPoint([0, 0]))
      const context = this.canvas.getContext("2d")
      context.scale(ratio, ratio)
      Object.assign(context, { textAlign: "center", textBaseline: "middle", lineJoin: "round", fillStyle: ink.text, strokeStyle: ink.halo, lineWidth: 3 })
      const taken = [], seen = new Map()
      const here = (point, z) => map.latLngToContainerPoint(map.unproject(point, z))
      const free = box => !taken.some(other => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])
      found.sort((a, b) => a.isRoad - b.isRoad || (a.one.tags.rank ?? 9) - (b.one.tags.rank ?? 9))
      for (const { one, isRoad, at, z } of found) {
        const text = String(one.tags[`name:${language()}`] ?? one.tags.name ?? "").slice(0, 60)
        if (!text) continue
        let spot, angle = 0
        if (!isRoad) spot = one.lines[0] && here(at(one.lines[0][0], one.lines[0][1]), z)
        else {
          // Along the road's longest straight part.
          let longest = 0
          for (const line of one.lines) for (let index = 2; index < line.length; index += 2) {
            const from = here(at(line[index - 2], line[index - 1]), z), to = here(at(line[index], line[index + 1]), z), long = from.distanceTo(to)
            if (long > longest) { longest = long; spot = from.add(to).divideBy(2); angle = Math.atan2(to.y - from.y, to.x - from.x) }
          }
          if (Math.abs(angle) > Math.PI / 2) angle += Math.PI
          context.font = `11px system-ui, sans-serif`
          if (longest < context.measureText(text).width * 0.8) continue
        }
        if (!spot || spot.x < 0 || spot.y < 0 || spot.x > size.x || spot.y > size.y) continue
        if (isRoad && (seen.get(text) ?? []).some(other => other.distanceTo(spot) < 250)) continue
        context.font = isRoad ? `11px system-ui, sans-serif` : `${one.tags.class === "city" || one.tags.class === "town" ? 600 : 500} ${sizes[one.tags.class] ?? 11}px system-ui, sans-serif`
        const wide = context.measureText(text).width / 2 + 4, high = 9
        const reach = isRoad ? [Math.abs(Math.cos(angle)) * wide + Math.abs(Math.sin(angle)) * high, Math.abs(Math.sin(angle)) * wide + Math.abs(Math.cos(angle)) * high] : [wide, high]
        const box = [spot.x - reach[0], spot.y - reach[1], spot.x + reach[0], spot.y + reach[1]]
        if (!free(box)) continue
        taken.push(box)
        seen.set(text, [...seen.get(text) ?? [], spot])
        context.save()
        context.translate(spot.x, spot.y)
        context.rotate(angle)
        context.strokeText(text, 0, 0)
        context.fillText(text, 0, 0)
        context.restore()
      }
    },
  })
  return new Names()
}
