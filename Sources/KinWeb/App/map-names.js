// SPDX-License-Identifier: Apache-2.0
// Names on the map give way to each other: which are written, where each stands, and which have no room.

import { place } from "./state.js"

/** The sides of its mark on which a place's name may stand: beneath, above, after and before it. */
const sides = [[0, 1], [0, -1], [1, 0], [-1, 0]]
/**
 * In rem: half a mark, and how far from its middle a name begins. Where a face lies upon the mark the name is clear of the
 * face as well, however near its edge the mark is.
 */
const halfMark = 0.375, gaps = [0.375], gapsOfFace = [1.5, 2.75]
/** Pixels that a place's name is apart from others, since a browser places what it draws in parts of a pixel; a mark may touch the name of the one beside it. */
const air = 1

const isClear = (box, taken) => taken.every(one => one.right <= box.left || box.right <= one.left || one.bottom <= box.top || box.bottom <= one.top)
const around = (x, y, width, height) => ({ left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 })
const measured = elements => elements.map(element => ({ element, box: element.getBoundingClientRect() }))

/** A place as it lies on the screen: the middle of its mark, the mark, and its name with how large that is. */
function mark(icon, rem) {
  const { left: x, top: y } = icon.getBoundingClientRect(), element = icon.querySelector("span"), { width, height } = element.getBoundingClientRect()
  return { id: icon.dataset.place, x, y, element, width, height, box: around(x, y, 2 * (halfMark * rem - 2 * air), 2 * (halfMark * rem - 2 * air)) }
}

/** Where a place's name may stand, the best first. Where it stands already is best, or it would jump as others move. */
function ways({ x, y, width, height, element }, faces, rem) {
  const isUnder = faces.some(({ box }) => box.left < x && x < box.right && box.top < y && y < box.bottom)
  const all = (isUnder ? gapsOfFace : gaps).flatMap(gap => sides.map(([across, down]) => ({
    side: `${across} ${down} ${gap}`,
    transform: `translate(calc(${(across - 1) * 50}% + ${across * gap}rem), calc(${(down - 1) * 50}% + ${down * gap}rem))`,
    box: around(x + across * (gap * rem + width / 2), y + down * (gap * rem + height / 2), width + 2 * air, height + 2 * air),
  })))
  const stands = all.find(({ side }) => side === element.dataset.side)
  return stands ? [stands, ...all.filter(one => one !== stands)] : all
}

/** The home comes before other places, and those before tips and notes. */
const rank = id => { const one = place(id); return one?.homeOf ? 0 : one?.kind === "place" ? 1 : 2 }

/**
 * Names that would lie over each other are not all written. What is opened comes first of all, then who is there, then
 * places, then towns. Of places the one nearer to what is opened comes first; where nothing is opened, the more important
 * one. A place's name that has no room beneath its mark stands above or beside it. Where it has none there either, its mark
 * stays, and a tap on it or a nearer look gives the name. No name of a place or a town lies upon another's mark.
 *
 * `chosen` is the member or place that is opened, and `from` is where that lies, in pixels of the map. Answers the places in
 * sight whose names are not written.
 */
export function untangle(canvas, chosen, from) {
  const view = canvas.getBoundingClientRect(), rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  if (!view.width) return []
  const of = selector => [...canvas.querySelectorAll(selector)]
  const height = one => Number(one.closest(".leaflet-marker-icon").style.zIndex)
  // First all is measured, then all is written: one layout, however many there are.
  const faces = measured(of(".dot .face")), marks = of(".pin[data-place]").map(icon => mark(icon, rem))
  // Dots that lie upon each other have one name between them, that of the topmost; a dot's own face does not stand in its name's way.
  const people = measured(of(".dot .name").reverse().sort((one, other) => height(other) - height(one))).map(one => {
    const dot = one.element.closest(".dot"), own = dot.querySelector(".face")
    return { ...one, id: dot.dataset.member, own: faces.find(({ element }) => element === own)?.box }
  })
  const far = ({ x, y }) => Math.hypot(x - view.left - from.x, y - view.top - from.y)
  const places = marks.map(one => ({ ...one, own: one.box, ways: ways(one, faces, rem), order: from ? far(one) : rank(one.id) }))
    .sort((one, other) => one.order - other.order)
  const names = [...measured(of(".pin:not([data-place], .cell-name) > span")), ...people, ...measured(of(".pin.cell-name > span")),
    ...places, ...measured(of(".town > span"))]
  const first = names.findIndex(({ id }) => id && id === chosen)
  if (first > 0) names.unshift(...names.splice(first, 1))
  const taken = faces.map(({ box }) => box), stones = marks.map(({ box }) => box), unnamed = []
  const isSeen = ({ x, y }) => x >= view.left && x <= view.right && y >= view.top && y <= view.bottom
  for (const one of names) {
    // Who is there comes before the mark of a place.
    const { element, own, box } = one, others = (people.includes(one) ? taken : [...taken, ...stones]).filter(other => other !== own)
    const way = (one.ways ?? [{ box }]).find(way => isClear(way.box, others))
    element.classList.toggle("covered", !way)
    if (way) taken.push(way.box)
    else if (one.ways && isSeen(one)) unnamed.push(place(one.id)?.name)
    if (!way?.side || element.dataset.side === way.side) continue
    element.dataset.side = way.side
    element.style.transform = way.transform
  }
  return unnamed.filter(Boolean)
}
