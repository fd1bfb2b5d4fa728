// SPDX-License-Identifier: Apache-2.0
// What the daemon is besides what it says of the family: which page it serves now, and the time by its clock.

/** `offMs`: how far this device's clock is ahead of the daemon's, where that is more than is ever on the way; `skewMs`: the same to the second; both from the last time here until the daemon was asked, which `isAsked` says; `isNewer`: another page is served than this one. */
export const served = { offMs: 0, skewMs: 0, isAsked: false, isNewer: false }

/** Now, by the daemon's clock: ages are right on a device whose clock is wrong. */
export const now = () => Date.now() - served.offMs
/** The same for what is judged by its moment: of two phones' edits the later one stands, and seconds decide. */
export const exactly = () => Date.now() - served.skewMs

const own = new URL("./", import.meta.url).pathname
const slackMs = 60_000
/** The head of an answer tells the time no better. A clock that is off by less is taken for right, as those are that a network sets. */
const exactMs = 2_000

/** Looks again, as after each time that the daemon was away: the manifest names the page's files, and its head the time. */
export async function look() {
  const before = Date.now()
  try {
    const answer = await fetch("/manifest.webmanifest", { cache: "no-store" })
    if (!answer.ok) return
    const took = Date.now() - before, date = Date.parse(answer.headers.get("Date"))
    // The head has whole seconds, and says nothing of what was on its way for long.
    if (date && took < slackMs / 2) {
      const off = Math.round(before + took / 2 - date - 500)
      served.offMs = Math.abs(off) > slackMs ? off : 0
      served.isAsked = true
      if (took < exactMs) served.skewMs = Math.abs(off) > exactMs ? off : 0
      else served.skewMs ||= served.offMs
    }
    served.isNewer ||= !(await answer.text()).includes(own)
  } catch { /* It is away: that is said already. */ }
}

/** Loads the page that is served now, and not the one that the worker keeps for days without the daemon. */
export async function loadNewer() {
  try {
    for (const name of await caches.keys()) await (await caches.open(name)).delete("/", { ignoreVary: true })
  } catch { /* Without a worker nothing is kept. */ }
  location.reload()
}
