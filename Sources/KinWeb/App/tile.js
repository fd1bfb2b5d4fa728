// SPDX-License-Identifier: Apache-2.0
// A vector tile read (Mapbox Vector Tile 2.1, in protocol buffers), and its sea filled in by the coastline's direction.
// A file of tiles comes from elsewhere: whatever is in it, a tile is read to its end or not at all.

/** What one tile may hold. */
const featuresMax = 100_000, pointsMax = 1_000_000

class Fields {
  constructor(bytes, from = 0, to = bytes.length) { Object.assign(this, { bytes, at: from, to }) }

  varint() {
    let value = 0, shift = 1
    for (let count = 0; count < 10; count += 1) {
      if (this.at >= this.to) throw new RangeError("cut off")
      const byte = this.bytes[this.at++]
      value += (byte & 127) * shift
      if (byte < 128) return value
      shift *= 128
    }
    throw new RangeError("too long a number")
  }

  /** Each field: its number, its type, and where its bytes lie. */
  each(take) {
    while (this.at < this.to) {
      const key = this.varint(), type = key % 8
      let from = this.at, to = from
      if (type === 0) { this.varint(); to = this.at }
      else if (type === 1) to = from + 8
      else if (type === 5) to = from + 4
      else if (type === 2) { const length = this.varint(); from = this.at; to = from + length }
      else throw new RangeError("a type of before")
      if (to > this.to) throw new RangeError("cut off")
      this.at = to
      take(Math.floor(key / 8), new Fields(this.bytes, from, to))
    }
  }

  text() { return new TextDecoder().decode(this.bytes.subarray(this.at, this.to)) }
  numbers() { const all = []; while (this.at < this.to) all.push(this.varint()); return all }
}

const zigzag = number => (number % 2 ? -(number + 1) / 2 : number / 2)

function value(fields) {
  let found = null
  fields.each((number, field) => {
    const view = new DataView(field.bytes.buffer, field.bytes.byteOffset + field.at, field.to - field.at)
    if (number === 1) found = field.text()
    else if (number === 2 && view.byteLength === 4) found = view.getFloat32(0, true)
    else if (number === 3 && view.byteLength === 8) found = view.getFloat64(0, true)
    else if (number === 4 || number === 5) found = field.varint()
    else if (number === 6) found = zigzag(field.varint())
    else if (number === 7) found = field.varint() !== 0
  })
  return found
}

/** The lines of a feature: each a flat list of x, y in the tile's own units. */
function lines(numbers, budget) {
  const all = []
  let line = [], x = 0, y = 0
  for (let at = 0; at < numbers.length;) {
    const command = numbers[at] % 8, count = Math.floor(numbers[at] / 8)
    at += 1
    if (command === 7) { if (line.length > 2) line.push(line[0], line[1]); continue }
    if (command !== 1 && command !== 2) throw new RangeError("a command that is none")
    for (let each = 0; each < count; each += 1) {
      if (at + 1 >= numbers.length) throw new RangeError("cut off")
      if ((budget.points -= 1) < 0) throw new RangeError("too many points")
      x += zigzag(numbers[at]); y += zigzag(numbers[at + 1])
      at += 2
      if (command === 1) { line = []; all.push(line) }
      line.push(x, y)
    }
  }
  return all
}

/** The layers of a tile by name: `{extent, features: [{kind, tags, lines}]}`; kind 1 points, 2 lines, 3 areas. */
export function readTile(buffer) {
  const layers = new Map(), budget = { points: pointsMax, features: featuresMax }
  new Fields(new Uint8Array(buffer)).each((number, layer) => {
    if (number !== 3) return
    const keys = [], values = [], raw = []
    let name = "", extent = 4096
    layer.each((field, content) => {
      if (field === 1) name = content.text()
      else if (field === 2) raw.push(content)
      else if (field === 3) keys.push(content.text())
      else if (field === 4) values.push(value(content))
      else if (field === 5) extent = content.varint()
    })
    if (!(extent >= 1 && extent <= 65_536)) throw new RangeError("an extent that is none")
    if ((budget.features -= raw.length) < 0) throw new RangeError("too many features")
    const features = raw.map(fields => {
      const tags = Object.create(null)
      let kind = 0, numbers = []
      fields.each((field, content) => {
        if (field === 2) { const pairs = content.numbers(); for (let at = 0; at + 1 < pairs.length; at += 2) tags[keys[pairs[at]]] = values[pairs[at + 1]] }
        else if (field === 3) kind = content.varint()
        else if (field === 4) numbers = content.numbers()
      })
      return { kind, tags, lines: lines(numbers, budget) }
    })
    const known = layers.get(name)
    if (known && known.extent === extent) known.features.push(...features)
    else layers.set(name, { extent, features })
  })
  return layers
}

// The sea ------------------------------------------------------------------------------------------------------------

/** The part of a segment within a box, as `[x0, y0, x1, y1]` (Liang and Barsky); null where it misses it. */
function clipped(x0, y0, x1, y1, box) {
  const dx = x1 - x0, dy = y1 - y0
  let from = 0, to = 1
  for (const [p, q] of [[-dx, x0 - box.west], [dx, box.east - x0], [-dy, y0 - box.north], [dy, box.south - y0]]) {
    if (p === 0) { if (q < 0) return null; continue }
    const at = q / p
    if (p < 0) { if (at > to) return null; if (at > from) from = at }
    else { if (at < from) return null; if (at < to) to = at }
  }
  return [x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy]
}

/** Lines joined where one ends at another's beginning. */
function chains(all) {
  const key = (x, y) => `${x}/${y}`
  const byStart = new Map()
  const left = new Set(all.filter(line => line.length >= 4))
  for (const line of left) {
    const at = key(line[0], line[1])
    byStart.set(at, [...(byStart.get(at) ?? []), line])
  }
  const made = []
  const ends = new Set([...left].map(line => key(line.at(-2), line.at(-1))))
  // Chains are begun where nothing ends; what is left then are rings.
  const order = [...left].sort((a, b) => ends.has(key(a[0], a[1])) - ends.has(key(b[0], b[1])))
  for (const first of order) {
    if (!left.delete(first)) continue
    const chain = first.slice()
    for (;;) {
      const next = (byStart.get(key(chain.at(-2), chain.at(-1))) ?? []).find(line => left.has(line))
      if (!next) break
      left.delete(next)
      for (let at = 2; at < next.length; at += 1) chain.push(next[at])
    }
    made.push(chain)
  }
  return made
}

/** How far along the border of a box a point lies, clockwise from the north-west corner. */
function along(x, y, box) {
  const width = box.east - box.west, height = box.south - box.north
  const near = [[y - box.north, x - box.west], [box.east - x, width + y - box.north],
    [box.south - y, width + height + box.east - x], [x - box.west, 2 * width + height + box.south - y]]
  return near.sort((a, b) => Math.abs(a[0]) - Math.abs(b[0]))[0]
}

/**
 * The sea within a box, as rings to be filled by the even-odd rule; null where no coast tells what is sea. Land is to
 * the left of a coastline, sea to its right (OpenStreetMap's rule). So the rings follow the coast, and from where it
 * leaves the box they follow the border clockwise to where the next coast comes in.
 */
export function sea(coast, box) {
  const corners = [[box.west, box.north], [box.east, box.north], [box.east, box.south], [box.west, box.south]]
  const width = box.east - box.west, height = box.south - box.north, round = 2 * (width + height)
  const cornerAt = [0, width, width + height, 2 * width + height]
  const pieces = [], rings = []
  for (const chain of chains(coast)) {
    const isRing = chain.length >= 8 && chain[0] === chain.at(-2) && chain[1] === chain.at(-1)
    const inside = (x, y) => x > box.west && x < box.east && y > box.north && y < box.south
    let isWhole = isRing
    for (let at = 0; isWhole && at < chain.length; at += 2) isWhole = inside(chain[at], chain[at + 1])
    if (isWhole) { rings.push(chain); continue }
    let piece = null
    const found = []
    for (let at = 0; at + 3 < chain.length; at += 2) {
      const part = clipped(chain[at], chain[at + 1], chain[at + 2], chain[at + 3], box)
      if (!part || (part[0] === part[2] && part[1] === part[3])) { piece = null; continue }
      if (piece && piece.at(-2) === part[0] && piece.at(-1) === part[1]) piece.push(part[2], part[3])
      else { piece = part; found.push(piece) }
    }
    // A ring that was begun inside the box goes on from its end.
    if (isRing && found.length > 1 && found[0][0] === found.at(-1).at(-2) && found[0][1] === found.at(-1).at(-1)) {
      const last = found.pop()
      found[0] = [...last, ...found[0].slice(2)]
    }
    // An end that stops short of the border, as where an extract was cut, is carried on to it.
    for (const one of found) {
      const [before, from] = along(one[0], one[1], box), [behind, to] = along(one.at(-2), one.at(-1), box)
      const short = Math.min(width, height) / 6
      if (Math.abs(before) <= short && Math.abs(behind) <= short) pieces.push({ line: one, from, to })
    }
  }
  if (!pieces.length && !rings.length) return null
  const result = rings.slice()
  if (!pieces.length) {
    // Islands alone: all around them is sea. Lagoons alone: nothing else is.
    const area = ring => { let sum = 0; for (let at = 0; at + 3 < ring.length; at += 2) sum += ring[at] * ring[at + 3] - ring[at + 2] * ring[at + 1]; return sum }
    const widest = rings.reduce((one, other) => (Math.abs(area(other)) > Math.abs(area(one)) ? other : one))
    // With y to the south a ring that has its inside to the left, land, has a negative area.
    if (area(widest) < 0) result.push([...corners.flat(), ...corners[0]])
    return result
  }
  const open = new Set(pieces)
  while (open.size) {
    const first = open.values().next().value
    const ring = []
    for (let piece = first; ;) {
      open.delete(piece)
      for (const number of piece.line) ring.push(number)
      const distance = to => { const way = (to - piece.to) % round; return way < 0 ? way + round : way }
      let next = first, way = distance(first.from)
      for (const other of open) if (distance(other.from) < way) { next = other; way = distance(other.from) }
      for (const at of cornerAt.map((position, index) => [distance(position), index]).filter(([far]) => far < way).sort((a, b) => a[0] - b[0])) ring.push(...corners[at[1]])
      if (next === first) break
      piece = next
    }
    ring.push(ring[0], ring[1])
    result.push(ring)
  }
  return result
}
