// SPDX-License-Identifier: Apache-2.0
// "Ring on my phone": the phones that ring for the member, by the app ntfy, and how one is added; and this browser, by its
// maker's push service, where an admin allows that.

import { act, asked, button, ends, field, hasRows, lazily, told } from "./base.js"
import { address, grade, isOfThisMachine } from "./browser.js"
import { ask, fill, h, say, show, sync } from "./dom.js"
import { register } from "./ringing.js"
import { me } from "./state.js"
import { age, t } from "./words.js"

/** What ntfy's app subscribes by when it is opened on the phone (docs.ntfy.sh/subscribe/phone). */
function link(topic) {
  const { host, protocol } = new URL(address())
  return `ntfy://${host}/${topic}?display=Kinwire${protocol === "http:" ? "&secure=false" : ""}`
}

export async function ringing() {
  await ask(t("family.ringing"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("ring.none")), browsers = h("div", {})
    beside(browsers, close)
    const draw = async () => {
      let devices
      try { ({ devices } = await asked("notice.list", {})) } catch { return told(t("act.not-reached"), { isWrong: true }) }
      sync(rows, devices, one => one.id, one => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })),
        button(t("ring.try"), () => tryIt(one), { class: "quiet small", "data-try": one.id }),
        button(t("ring.change"), async () => { close(null); if (await change(one)) ringing() }, { class: "quiet small", "data-change": one.id }),
        button(t("ring.rules"), async () => { close(null); await lazily(() => import("./rules.js"), all => all.rules(one)); ringing() }, { class: "quiet small", "data-rules": one.id }),
        button(t("ring.remove"), element => ends(element.closest("li"), t("ring.removed", { name: one.name }), "notice.remove", { device: one.id }, () => show(empty, !hasRows(rows))), { class: "quiet small danger" })), (row, one) => {
        say(row.querySelector("strong"), one.name)
        say(row.querySelector(".soft"), [one.discreet ? t("ring.is-discreet") : null, one.only ? t("ring.is-official") : null, one.taken ? t("ring.taken", { age: age(one.taken) }) : t("ring.never"), one.trouble].filter(Boolean).join(" · "))
      })
      show(empty, !devices.length)
    }
    draw()
    return h("div", {}, h("p", {}, t("ring.about")), rows, empty,
      button(t("ring.add"), async () => { close(null); await add() }, { id: "add-ringing" }), browsers,
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}

/** Has a device ring, and says whether it took that: an app that is subscribed takes it at once. */
async function tryIt(device) {
  const taken = async () => (await asked("notice.list", {})).devices.find(one => one.id === device.id)?.taken
  const before = await taken().catch(() => null)
  if (!await act("notice.test", { device: device.id }, { mayWait: false })) return
  told(t("ring.tested"))
  // What a push service does with it is not known here.
  if (device.app !== "ntfy") return
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000]) {
    await new Promise(resolve => setTimeout(resolve, pause))
    const now = await taken().catch(() => null)
    if (now && now !== before) return told(t("ring.confirmed", { device: device.name }))
  }
  told(t("ring.unconfirmed", { device: device.name }), { isWrong: true })
}

/** What a device is called, and how much it says. */
async function change(device) {
  return await ask(t("ring.change"), close => {
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "ring-name" })
    name.value = device.name
    const discreet = h("input", { type: "checkbox", id: "ring-discreet", checked: device.discreet })
    const official = h("input", { type: "checkbox", id: "ring-official", checked: device.only === "official" })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const how = { device: device.id, name: name.value.trim(), discreet: discreet.checked, only: official.checked ? "official" : null }
      if (await act("notice.change", how, { mayWait: false })) close(true)
    } }, field(t("ring.name"), name), h("label", { class: "check" }, discreet, " ", t("ring.discreet")),
    h("label", { class: "check" }, official, " ", t("ring.official")),
    h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

async function add() {
  const made = await ask(t("ring.add"), close => {
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "ring-name" })
    name.value = t("ring.my-phone")
    const discreet = h("input", { type: "checkbox", id: "ring-discreet" }), official = h("input", { type: "checkbox", id: "ring-official" })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const result = await act("notice.add", { name: name.value.trim(), app: "ntfy", discreet: discreet.checked, ...official.checked && { only: "official" } }, { mayWait: false })
      if (result) close(result)
    } }, field(t("ring.name"), name), h("label", { class: "check" }, discreet, " ", t("ring.discreet")),
    h("label", { class: "check" }, official, " ", t("ring.official")),
    h("button", { type: "submit" }, t("ring.go-on")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
  if (!made) return
  const subscribed = link(made.topic), server = new URL(address())
  await ask(t("ring.subscribe"), close => {
    // A code that leads the phone to itself is of no use.
    const code = isOfThisMachine(server.href) ? h("p", { class: "wrong" }, t("reach.here")) : h("img", { class: "qr", alt: t("ring.code"), width: 280, height: 280 })
    if (code.matches("img")) fetch("/app/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: subscribed }).then(answer => answer.ok ? answer.blob() : null)
      .then(blob => { if (blob) code.src = URL.createObjectURL(blob) }).catch(() => {})
    return h("div", {}, h("ol", {}, h("li", {}, t("ring.step-app")),
      // Over plain HTTP, on Kinwire's own machine, there is no certificate to trust.
      server.protocol === "https:" ? h("li", {}, t("ring.step-trust"), " ", h("a", { href: "/phone" }, t("browser.trust"))) : [],
      h("li", {}, t(code.matches("img") ? "ring.step-open" : "ring.step-open-here"))),
    h("p", {}, h("a", { class: "button", href: subscribed, id: "ring-link" }, t("ring.open"))), code,
    h("p", { class: "hint" }, t("ring.by-hand", { server: server.origin, topic: made.topic })),
    h("p", { class: "hint" }, t("ring.once")),
    button(t("ring.try"), () => tryIt(made.device), { class: "quiet", id: "ring-test" }),
    h("button", { type: "button", onclick: () => close(null) }, t("act.close")))
  })
}

// This browser -----------------------------------------------------------------------------------------------------

/** What this browser can do about ringing, and what admins decide. */
async function beside(place, close) {
  let push
  try { push = await asked("notice.push", {}) } catch { return }
  const own = await grade, isAdmin = me()?.role === "admin"
  const mayRing = own === "trusted" || own === "local"
  fill(place,
    push.on && mayRing ? button(t("ring.here"), async () => { if (await ringHere(push.key)) close(null) }, { id: "ring-here" }) : null,
    push.on && !mayRing ? h("p", { class: "hint" }, t("ring.here-not"), " ", h("a", { href: "/phone" }, t("browser.trust"))) : null,
    isAdmin ? button(t(push.on ? "ring.forbid" : "ring.allow"), async () => { close(null); await allow(push) }, { class: "quiet", id: "ring-allow" }) : null)
}

/** An admin's word, with what it means. */
async function allow(push) {
  await ask(t(push.on ? "ring.forbid" : "ring.allow"), close => {
    const contact = h("input", { required: true, maxlength: 150, type: "email", autocomplete: "email", id: "ring-contact" })
    contact.value = (push.contact ?? "").replace(/^mailto:/, "")
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const word = push.on ? { on: false } : { on: true, contact: `mailto:${contact.value.trim()}` }
      if (await act("notice.allowPush", word, { mayWait: false })) close(true)
    } }, h("p", {}, t("ring.outside")), push.on ? null : field(t("ring.contact"), contact),
    h("button", { type: "submit" }, t(push.on ? "ring.forbid" : "ring.allow")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

/** Has this browser ring. The browser asks the member first. */
async function ringHere(key) {
  if (await Notification.requestPermission() !== "granted") { told(t("ring.here-denied"), { isWrong: true }); return false }
  const { pushManager } = await navigator.serviceWorker.ready
  let subscription
  try {
    // One that was made for another key is of no use.
    await (await pushManager.getSubscription())?.unsubscribe()
    subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch { told(t("ring.here-failed"), { isWrong: true }); return false }
  const device = await register(subscription)
  if (!device) return false
  told(t("ring.here-done"))
  await act("notice.test", { device: device.id }, { mayWait: false })
  return true
}
