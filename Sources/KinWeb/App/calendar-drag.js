// SPDX-License-Identifier: Apache-2.0
// Moving what is in a calendar: dragged by mouse, pen or finger, or by Shift and an arrow key.

import { h } from "./dom.js"

/** Pixels from which on a press is a drag; milliseconds that a finger rests before it drags and no longer scrolls. */
const slack = 6, restMs = 400, stepMinutes = 15, dayMinutes = 1440

/**
 * Listens in `root` to what has `data-moves`. `moved(key, { day, minutes })` is told where it goes: to another day, and where
 * hours are drawn to another time, in minutes from midnight.
 */
export function movable(root, moved, nudged) {
  let drag = null
  const end = () => {
    if (!drag) return
    clearTimeout(drag.timer)
    drag.ghost?.remove()
    drag.over?.removeAttribute("data-over")
    drag.chip.removeAttribute("data-dragged")
    drag = null
  }
  const begin = event => {
    const box = drag.chip.getBoundingClientRect()
    drag.ghost = h("div", { class: "event ghost", "aria-hidden": "true", "data-hue": drag.chip.dataset.hue }, drag.chip.querySelector(".what").textContent)
    drag.ghost.style.width = `${box.width}px`
    drag.chip.setAttribute("data-dragged", "")
    document.body.append(drag.ghost)
    follow(event)
  }
  const target = ({ clientX, clientY }) => {
    const day = document.elementsFromPoint(clientX, clientY).map(one => one.closest?.("[data-day]")).find(one => one && root.contains(one))
    if (!day) return null
    if (!("hours" in day.dataset) || drag.grab === null) return { day: day.dataset.day, minutes: null, element: day }
    const box = day.getBoundingClientRect(), minutes = (clientY - drag.grab - box.top) / box.height * dayMinutes
    return { day: day.dataset.day, minutes: Math.max(0, Math.min(dayMinutes - stepMinutes, Math.round(minutes / stepMinutes) * stepMinutes)), element: day }
  }
  const follow = event => {
    drag.ghost.style.transform = `translate(${event.clientX + 8}px, ${event.clientY + 8}px)`
    const over = target(event)?.element ?? null
    if (over === drag.over) return
    drag.over?.removeAttribute("data-over")
    over?.setAttribute("data-over", "")
    drag.over = over
  }
  root.addEventListener("pointerdown", event => {
    const chip = event.target.closest?.("[data-moves]")
    if (!chip || event.button !== 0 || drag) return
    const isTimed = !!chip.closest("[data-hours]")
    drag = { chip, x: event.clientX, y: event.clientY, id: event.pointerId, grab: isTimed ? event.clientY - chip.getBoundingClientRect().top : null, over: null,
      isHeld: event.pointerType !== "touch" }
    if (!drag.isHeld) drag.timer = setTimeout(() => { if (drag) { drag.isHeld = true; begin(event) } }, restMs)
  })
  addEventListener("pointermove", event => {
    if (!drag || event.pointerId !== drag.id) return
    if (!root.isConnected) return end()
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > slack
    if (!drag.isHeld) { if (isFar) end(); return }
    if (drag.ghost) follow(event)
    else if (isFar) begin(event)
  })
  addEventListener("pointerup", event => {
    if (!drag || event.pointerId !== drag.id) return
    const { chip, ghost } = drag, to = ghost ? target(event) : null
    end()
    if (!ghost) return
    // The press was no click.
    const swallow = click => { click.stopPropagation(); click.preventDefault() }
    addEventListener("click", swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0)
    if (to) moved(chip.dataset.moves, to)
  })
  addEventListener("pointercancel", end)
  // A finger that rests would also ask for a menu.
  root.addEventListener("contextmenu", event => { if (drag?.ghost) event.preventDefault() })
  // A finger that stops a scroll goes on with it: the browser lets nobody take that over.
  root.addEventListener("touchstart", event => { if (!event.cancelable) end() }, { passive: false })
  // A finger that drags does not scroll.
  root.addEventListener("touchmove", event => {
    if (!drag?.ghost) return
    if (event.cancelable) event.preventDefault()
    else end()
  }, { passive: false })
  root.addEventListener("keydown", event => {
    if (event.key === "Escape" && drag) { event.stopPropagation(); return end() }
    const chip = event.target.closest?.("[data-moves]"), isTimed = !!chip?.closest("[data-hours]")
    if (!chip || !event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
    const by = { ArrowLeft: { days: -1 }, ArrowRight: { days: 1 }, ArrowUp: isTimed ? { minutes: -stepMinutes } : { days: -7 }, ArrowDown: isTimed ? { minutes: stepMinutes } : { days: 7 } }[event.key]
    if (!by) return
    event.preventDefault()
    nudged(chip.dataset.moves, by)
  })
}
