// SPDX-License-Identifier: Apache-2.0
// "Ring on my phone": the phones that ring for the member, by the app ntfy, and how one is added.

import { act, asked, button, field, told } from "./base.js"
import { ask, h, say, show, sync } from "./dom.js"
import { age, t } from "./words.js"

/** What ntfy's app subscribes by when it is opened on the phone (docs.ntfy.sh/subscribe/phone). */
const link = topic => `ntfy://${location.host}/${topic}?display=Kinwire${location.protocol === "http:" ? "&secure=false" : ""}`

export async function ringing() {
  await ask(t("family.ringing"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("ring.none"))
    const draw = async () => {
      let devices
      try { ({ devices } = await asked("notice.list", {})) } catch { return told(t("act.not-reached"), { isWrong: true }) }
      sync(rows, devices, one => one.id, one => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong"), h("span", { class: "soft" })),
        button(t("ring.try"), async () => { if (await act("notice.test", { device: one.id }, { mayWait: false })) told(t("ring.tested")) }, { class: "quiet small" }),
        button(t("ring.remove"), async () => { if (await act("notice.remove", { device: one.id }, { mayWait: false })) draw() }, { class: "quiet small danger" })), (row, one) => {
        say(row.querySelector("strong"), one.name)
        say(row.querySelector(".soft"), [one.discreet ? t("ring.is-discreet") : null, one.taken ? t("ring.taken", { age: age(one.taken) }) : t("ring.never")].filter(Boolean).join(" · "))
      })
      show(empty, !devices.length)
    }
    draw()
    return h("div", {}, h("p", {}, t("ring.about")), rows, empty,
      button(t("ring.add"), async () => { close(null); await add() }, { id: "add-ringing" }),
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}

async function add() {
  const made = await ask(t("ring.add"), close => {
    const name = h("input", { required: true, maxlength: 64, autocomplete: "off", id: "ring-name" })
    name.value = t("ring.my-phone")
    const discreet = h("input", { type: "checkbox", id: "ring-discreet" })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const result = await act("notice.add", { name: name.value.trim(), app: "ntfy", discreet: discreet.checked }, { mayWait: false })
      if (result) close(result)
    } }, field(t("ring.name"), name), h("label", { class: "check" }, discreet, " ", t("ring.discreet")),
    h("button", { type: "submit" }, t("ring.go-on")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
  if (!made) return
  const address = link(made.topic)
  await ask(t("ring.subscribe"), close => {
    const code = h("img", { class: "qr", alt: t("ring.code"), width: 280, height: 280 })
    fetch("/app/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: address }).then(answer => answer.ok ? answer.blob() : null)
      .then(blob => { if (blob) code.src = URL.createObjectURL(blob) }).catch(() => {})
    return h("div", {}, h("ol", {}, h("li", {}, t("ring.step-app")),
      // Over plain HTTP, on Kinwire's own machine, there is no certificate to trust.
      location.protocol === "https:" ? h("li", {}, t("ring.step-trust"), " ", h("a", { href: "/phone" }, t("browser.trust"))) : [],
      h("li", {}, t("ring.step-open"))),
    h("p", {}, h("a", { class: "button", href: address, id: "ring-link" }, t("ring.open"))), code,
    h("p", { class: "hint" }, t("ring.by-hand", { server: location.origin, topic: made.topic })),
    h("p", { class: "hint" }, t("ring.once")),
    button(t("ring.try"), async () => { if (await act("notice.test", { device: made.device.id }, { mayWait: false })) told(t("ring.tested")) }, { class: "quiet", id: "ring-test" }),
    h("button", { type: "button", onclick: () => close(null) }, t("act.close")))
  })
}
