// SPDX-License-Identifier: Apache-2.0
// What this browser can do with the page, as far as it trusts the daemon's certificate; and what to do for more.

import { ask, h } from "./dom.js"
import { isShared, trouble } from "./store.js"
import { t } from "./words.js"

let offered = null
addEventListener("beforeinstallprompt", event => { event.preventDefault(); offered = event })
addEventListener("appinstalled", () => { offered = null })

/**
 * `plain`: not encrypted, so the browser gives no position. `warned`: the visitor passed the certificate warning by
 * hand, so the browser allows no service worker. `trusted`: everything works. `local`: on Kinwire's own machine, where
 * nothing needs encryption. `shared`: a computer that others use, where nothing may be kept.
 */
export const grade = (async () => {
  if (!window.isSecureContext) return "plain"
  if (isShared) return "shared"
  if (!navigator.serviceWorker) return "warned"
  try {
    await navigator.serviceWorker.register("/sw.js")
    return location.protocol === "http:" ? "local" : "trusted"
  } catch { return "warned" }
})()

/** Says so, with the next step. */
export async function thisBrowser() {
  const own = await grade
  // Only the name that the certificate is for can be trusted; the way there comes first.
  const canonical = document.querySelector('meta[name="canonical"]').content
  const isElsewhere = canonical.startsWith("https:") && new URL(canonical).origin !== location.origin
  const isWhole = own === "trusted" || own === "local"
  const isOpenedAsApp = matchMedia("(display-mode: standalone)").matches
  await ask(t("family.this-browser"), close => h("div", { "data-grade": own },
    h("p", {}, t(`grade.${own}`)),
    trouble ? h("p", { class: "wrong" }, t(trouble)) : null,
    own === "warned" || own === "plain" ? [
      h("p", {}, t("browser.more")),
      h("p", {}, isElsewhere ? h("a", { class: "button", href: canonical }, t("browser.go", { address: canonical }))
        : h("a", { class: "button", href: "/phone#trust" }, t("browser.trust"))),
    ] : null,
    isWhole && offered && !isOpenedAsApp ? h("button", { type: "button", onclick: async () => { await offered?.prompt(); close(true) } }, t("browser.install")) : null,
    isWhole && !offered && !isOpenedAsApp ? h("p", { class: "hint" }, t("browser.install-hint")) : null,
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close"))))
}

/** What links for others begin with: this page's own address, unless only this machine has it and the family has another. */
export function address() {
  return isOfThisMachine(location.origin) ? document.querySelector('meta[name="canonical"]').content : location.origin
}

/** Whether an address leads whoever follows it to their own machine. */
export function isOfThisMachine(url) {
  const { hostname } = new URL(url)
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\./.test(hostname)
}
