// SPDX-License-Identifier: Apache-2.0
// This browser rings, by its maker's push service: from the page's beginning to a sign-out.

import { act } from "./base.js"
import { state, whenChanged } from "./state.js"
import { ofBrowser } from "./store.js"
import { t } from "./words.js"

/** Where it is remembered that this browser rings, and as which device. */
const kept = "kin-rings"

/** Tells the daemon how this browser is reached. */
export async function register(subscription) {
  const { endpoint, keys: { p256dh, auth } } = subscription.toJSON()
  const made = await act("notice.add", {
    name: t("ring.this-browser"), app: "webPush", subscription: { endpoint, p256dh, auth, page: location.origin },
  }, { mayWait: false })
  if (made) ofBrowser.setItem(kept, JSON.stringify({ device: made.device.id, endpoint }))
  return made?.device
}

/** What was read is not to be shown any longer: browsers let no silent push close it, so the page does. */
async function closeRead({ snapshot, line, isWhole }) {
  // What came while the page was closed is not read because the page has not heard of it yet.
  if (line !== "live" || !isWhole || !snapshot?.inbox) return
  const unread = new Set(snapshot.inbox.entries.filter(one => one.unread).map(one => one.id))
  const held = JSON.parse(ofBrowser.getItem(kept) ?? "null")
  for (const shown of await (await navigator.serviceWorker.ready).getNotifications()) {
    // What stands for many goes with the last of them; a test has no entry.
    const isRead = shown.tag === snapshot.me ? !unread.size : shown.tag !== held?.device && !unread.has(shown.tag)
    if (isRead && shown.data?.id) shown.close()
  }
}

/** Somebody signs out: this browser rings for them no more, and shows nothing of theirs. */
export async function end() {
  const registration = await navigator.serviceWorker?.getRegistration?.()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  for (const shown of await registration?.getNotifications() ?? []) shown.close()
}

/** Begins with the page, where this browser rings. */
export async function begin() {
  const held = JSON.parse(ofBrowser.getItem(kept) ?? "null")
  if (!held || !navigator.serviceWorker) return
  whenChanged(closeRead)
  closeRead(state)
  // The push service may have given another address meanwhile.
  const now = await (await navigator.serviceWorker.ready).pushManager?.getSubscription()
  if (now && now.endpoint !== held.endpoint) await register(now)
}
