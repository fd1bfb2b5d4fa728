// SPDX-License-Identifier: Apache-2.0
// Elements, made and kept up to date. Nothing here takes markup: what members write is text, always.

/** An element: `h("button", { class: "quiet", onclick: go }, "Go")`. Children that are null or false are left out. */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  set(element, props)
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false))
  return element
}

/** Gives an element these children in the place of those it has. What had the focus leaves it to what says the same. */
export function fill(element, ...children) {
  const focus = document.activeElement
  const same = () => [...element.querySelectorAll(focus.localName)].filter(one => one.textContent === focus.textContent)
  const at = element.contains(focus) ? same().indexOf(focus) : -1
  element.replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false))
  if (at >= 0 && !focus.isConnected) (same()[at] ?? same().at(-1))?.focus({ preventScroll: true })
  return element
}

const tagged = new Set(["option"])

/** Sets what is not so yet. Functions are listeners; true and false are attributes that are there or not. */
export function set(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element[name] = value
    // An option without the attribute has its text for a value.
    else if (name === "value" && tagged.has(element.localName)) element.setAttribute(name, value)
    else if (name === "value") { if (element.value !== value) element.value = value }
    else if (value === false || value === null || value === undefined) element.removeAttribute(name)
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value)
  }
  return element
}

/** Gives an element a text, where it has another. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text
  return element
}

/** Shows or hides. */
export function show(element, isShown) {
  if (element.hidden === !!isShown) element.hidden = !isShown
  return element
}

/** Before a row goes, what has the focus in it leaves it to the next row's, or the one's before; else to the screen. */
export function pass(row) {
  const focus = document.activeElement
  if (!row.contains(focus)) return
  const next = [row.nextElementSibling, row.previousElementSibling].find(one => one?.checkVisibility?.())
  ;(next?.querySelector(focus.localName) ?? row.closest("dialog, main"))?.focus({ preventScroll: true })
}

/**
 * Makes the children of `parent` those of `items`: each by its key made once, moved where it belongs, and told what it
 * shows now. What stays keeps its focus and its place on the screen.
 */
export function sync(parent, items, key, make, update) {
  const wanted = new Set(items.map(item => String(key(item))))
  for (const child of [...parent.children]) if (!wanted.has(child.dataset.key)) { pass(child); child.remove() }
  const focus = document.activeElement
  const known = new Map([...parent.children].map(child => [child.dataset.key, child]))
  let next = parent.firstElementChild
  for (const item of items) {
    const name = String(key(item))
    let child = known.get(name)
    if (child) known.delete(name)
    else {
      child = make(item)
      child.dataset.key = name
    }
    update?.(child, item)
    if (child === next) next = next.nextElementSibling
    else parent.insertBefore(child, next)
  }
  // Browsers take it from whatever is moved.
  if (focus !== document.activeElement && parent.contains(focus)) focus.focus({ preventScroll: true })
}

/** The dialog that lies on top; null where none is open. */
export const topmost = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? null

/** Alarms and what is said stand above all: within the topmost dialog, for behind it nothing is read or pressed. */
export function lift() {
  const over = document.querySelector("#over"), dialog = topmost()
  if (!over || over.parentNode === (dialog ?? document.body)) return
  if (dialog) dialog.append(over)
  else document.querySelector("main").before(over)
}

/** Opens a dialog, and takes it away when it closes. */
export function openDialog(dialog, closed = () => {}) {
  dialog.onclose = () => { lift(); dialog.remove(); closed() }
  document.body.append(dialog)
  dialog.showModal()
  lift()
}

/** A dialog with a form in it; resolves with what was answered, or null when it was left. */
export function ask(title, build) {
  return new Promise(resolve => {
    let answer = null
    const close = value => { answer = value; dialog.close() }
    // Why what it asked for was refused: it stays in sight wherever one has scrolled to, and goes with the next attempt.
    const wrong = h("p", { class: "wrong", role: "alert", hidden: true })
    const dialog = h("dialog", { "aria-label": title, tabindex: "-1" }, h("h2", {}, title), wrong, build(close))
    dialog.addEventListener("click", () => show(wrong, false), true)
    openDialog(dialog, () => resolve(answer))
    import("./drafts.js").then(all => all.keep(dialog, title), () => {})
  })
}
