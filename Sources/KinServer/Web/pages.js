// SPDX-License-Identifier: Apache-2.0
// What a script adds to the daemon's own pages. All of them work without it.

const page = document.documentElement

/** The visitor's own way of writing, in the page's language. */
const locale = () => navigator.languages?.find(one => one.slice(0, 2) === page.lang) ?? page.lang
/** How a member has times of day said; the family's page tells it. */
const hours = /(?:^|; )kinwire-clock=hours(12|24)/.exec(document.cookie)?.[1]
/** The zone of a member's settings; without one that of the browser. */
const zone = (() => {
  try {
    const own = decodeURIComponent(/(?:^|; )kinwire-zone=([^;]+)/.exec(document.cookie)[1])
    return new Intl.DateTimeFormat("en", { timeZone: own }).resolvedOptions().timeZone
  } catch { return undefined }
})()
/** Twelve hours or twenty-four: as the member set it, else as the browser has it in the page's language. */
const is12 = hours ? hours === "12" : new Intl.DateTimeFormat(locale(), { hour: "numeric" }).resolvedOptions().hour12 === true

/** How far this device's clock is ahead of the daemon's, where an answer said so: ages are right where it is wrong. */
let off = 0

/** Times in the visitor's zone and manner, or as a member set them; ages as they are now. */
function tell(root) {
  const now = Date.now() - off
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(+at)) continue
    const text = time.classList.contains("age") ? age(at, now, time.dataset.now) : moment(at, now)
    if (time.textContent !== text) time.textContent = text
  }
}

function moment(at, now) {
  const isSame = how => [at, now].map(one => new Intl.DateTimeFormat("en", { timeZone: zone, ...how }).format(one)).every((one, _, all) => one === all[0])
  const clock = new Intl.DateTimeFormat("en", { hour: "numeric", minute: "2-digit", hourCycle: is12 ? "h12" : "h23", timeZone: zone }).format(at)
  if (isSame({ dateStyle: "short" })) return clock
  // As the family's page writes days: `Sat 28 Nov 18:04`.
  const day = new Intl.DateTimeFormat(page.lang === "en" ? "en-GB" : page.lang, { weekday: "short", day: "numeric", month: "short",
    ...(isSame({ year: "numeric" }) ? {} : { year: "numeric" }), timeZone: zone }).format(at)
  return `${day.replace(/^(\p{L}+)\.?,? /u, "$1 ")} ${clock}`
}

const steps = [["day", 86_400, 2], ["hour", 3600, 2], ["minute", 60, 1]]
function age(at, now, justNow) {
  const seconds = Math.round((now - at) / 1000)
  if (seconds < 60) return justNow
  const [unit, length] = steps.find(([, size, least]) => seconds >= size * least)
  return new Intl.RelativeTimeFormat(locale(), { numeric: "always" }).format(-Math.floor(seconds / length), unit)
}

/** What needs a script is shown where there is one. */
function equip(root) {
  tell(root)
  for (const said of root.querySelectorAll("[data-zone]")) {
    said.textContent = `${said.dataset.zone} ${zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone}`
  }
  for (const once of root.querySelectorAll(".once")) {
    const text = once.querySelector("code"), said = once.querySelector("[role=status]")
    const [copy, share] = ["copy", "share"].map(name => once.querySelector(`[data-do=${name}]`))
    copy.hidden = false
    copy.onclick = async () => {
      let isCopied = false
      try {
        await navigator.clipboard.writeText(text.textContent)
        isCopied = true
      } catch { /* Not everywhere may a page do that. */ }
      if (!isCopied) getSelection().selectAllChildren(text)
      said.textContent = isCopied ? once.dataset.copied : once.dataset.byHand
    }
    share.hidden = !navigator.share
    share.onclick = () => navigator.share({ url: text.textContent }).catch(() => {})
  }
  for (const button of root.querySelectorAll("[data-reveals]")) {
    const field = document.getElementById(button.dataset.reveals)
    button.hidden = false
    button.onclick = () => {
      const isShown = field.type === "text"
      field.type = isShown ? "password" : "text"
      button.setAttribute("aria-pressed", String(!isShown))
      field.focus()
    }
    // Browsers offer to keep what was sent as a password, and nothing else.
    field.form.addEventListener("submit", () => { field.type = "password" })
  }
}

// A page that asks by itself, and again while it is looked at ------------------------------------------------------

let waits = null
/** What stands there is asked for whole so often: its end comes nearer. */
const wholeMs = 60_000
/** An answer is waited for so long. */
const longestMs = 20_000
let wholeAt = 0

/** Shows the page that was asked for in the place of the one that is there. What has the focus keeps it. */
function turn(made) {
  const controls = () => [...document.querySelectorAll("main :is(a, button)")]
  const focused = controls().indexOf(document.activeElement)
  document.title = made.title
  document.querySelector("main").replaceWith(document.adoptNode(made.querySelector("main")))
  if (focused >= 0) controls()[focused]?.focus({ preventScroll: true })
}

function live() {
  const asked = document.querySelector("[data-live]")
  clearTimeout(waits)
  if (!asked) return hush()
  listen(asked)
  if (!isHeard) waits = setTimeout(() => look(asked), Number(asked.dataset.live) * 1000)
}

// While the daemon's stream is heard, the page does not ask. A stream that fails, or that a proxy holds back, costs
// nothing but that: the page asks, and tries a stream again after a while.
let stream = null, isHeard = false, deaf = null, listensAt = 0
/** Between two signs of life of a stream there is a third of this. */
const silenceMs = 45_000
/** A stream that was heard is opened again so long after it broke off. */
const againMs = 3000

function listen(asked) {
  const { seen } = asked.dataset
  if (stream || !seen || !window.EventSource || performance.now() < listensAt) return
  const own = stream = new EventSource(`${location.pathname}/live?${new URLSearchParams({ seen })}`)
  const heard = () => {
    isHeard = true
    clearTimeout(waits)
    clearTimeout(deaf)
    deaf = setTimeout(lost, silenceMs)
    const away = document.querySelector("[data-away]")
    if (away) away.hidden = true
  }
  const lost = () => {
    if (stream !== own) return
    // One that was heard may be had again at once: the daemon was started anew, or the network changed.
    listensAt = performance.now() + (isHeard ? againMs : wholeMs)
    hush()
    const asked = document.querySelector("[data-live]")
    if (asked) look(asked)
  }
  const show = event => {
    if (stream !== own) return
    turn(new DOMParser().parseFromString(event.data, "text/html"))
    wholeAt = performance.now()
    equip(document)
  }
  deaf = setTimeout(lost, silenceMs)
  own.addEventListener("shown", event => {
    show(event)
    heard()
  })
  own.addEventListener("beat", event => {
    reckon(event.data)
    heard()
    tell(document)
  })
  own.addEventListener("ended", event => {
    show(event)
    hush()
    clearTimeout(waits)
  })
  own.addEventListener("error", lost)
}

/** Ends the stream. */
function hush() {
  clearTimeout(deaf)
  stream?.close()
  stream = null
  isHeard = false
}

/** Compares this device's clock with the daemon's. */
function reckon(daemons) {
  const ahead = Date.now() - Date.parse(daemons)
  off = Math.abs(ahead) > 60_000 ? ahead : 0
}

async function look(asked) {
  if (document.hidden) return
  clearTimeout(waits)
  const { seen } = asked.dataset, isWhole = performance.now() - wholeAt > wholeMs
  try {
    // A connection that is dead and does not say so would be waited for without an end.
    const signal = AbortSignal.timeout?.(longestMs)
    const answer = await fetch(location.pathname, { method: "POST", credentials: "omit", signal, headers: { Accept: "text/html" },
      body: new URLSearchParams({ look: "yes", ...(seen ? { seen } : {}), ...(seen && isWhole ? { whole: "yes" } : {}) }) })
    if (answer.status >= 500 || answer.status === 429) throw answer
    reckon(answer.headers.get("Date"))
    if (answer.status === 204) {
      document.querySelector("[data-away]").hidden = true
      tell(document)
    } else {
      turn(new DOMParser().parseFromString(await answer.text(), "text/html"))
      wholeAt = performance.now()
      equip(document)
    }
    live()
  } catch (answer) {
    const away = document.querySelector("[data-away]")
    if (away) away.hidden = false
    tell(document)
    const seconds = Number(answer.headers?.get("Retry-After")) || Number(asked.dataset.live) || 30
    waits = setTimeout(() => look(asked), seconds * 1000)
  }
}

equip(document)
setInterval(() => { if (!document.hidden) tell(document) }, 20_000)
const first = document.querySelector("[data-live]")
if (first) {
  addEventListener("visibilitychange", () => {
    // Nobody looks: the daemon has few streams.
    if (document.hidden) return hush()
    const asked = document.querySelector("[data-live]")
    if (asked) look(asked)
  })
  look(first)
}
