// SPDX-License-Identifier: Apache-2.0
// Keeps the page's own files, so that it opens at once and offline. What the daemon answers of the family is never kept
// here.

const app = "@app@", cacheName = `kinwire${app}`
const files = [@files@].map(name => `${app}/${name}`)

addEventListener("install", event => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName)
    await cache.addAll(files)
    await skipWaiting()
  })())
})

addEventListener("activate", event => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== cacheName && name.startsWith("kinwire/app")) await caches.delete(name)
    await clients.claim()
  })())
})

addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url)
  if (request.method !== "GET" || url.origin !== location.origin) return
  // The map beneath is kept by the browser itself, as far as it has room.
  if (url.pathname.startsWith("/app/map")) return
  if (url.pathname.startsWith("/app/")) event.respondWith(kept(request))
  else if (url.pathname === "/" && request.mode === "navigate") event.respondWith(shell(event))
  else if (request.mode === "navigate" && besides.includes(url.pathname.split("/")[1])) event.respondWith(beside(request))
})

/** Pages of the daemon beside the family's: while it is away, the family's, which is kept, says so. */
const besides = ["phone", "sharing", "household"]
async function beside(request) {
  try { return await fetch(request) } catch { return Response.redirect("/", 302) }
}

/** Files never change at their address: what is kept is good. */
async function kept(request) {
  const found = await caches.match(request, { ignoreVary: true })
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) (await caches.open(cacheName)).put(request, answer.clone())
  return answer
}

/** The shell that is kept is shown at once, and asked for anew meanwhile, for the next time. It holds nothing of the family. */
async function shell(event) {
  const cache = await caches.open(cacheName)
  const held = await cache.match("/", { ignoreVary: true })
  const asked = fetch(event.request).then(async answer => {
    if (answer.ok && !answer.redirected && answer.type === "basic") await cache.put("/", answer.clone())
    return answer
  })
  if (!held) return asked
  event.waitUntil(asked.catch(() => {}))
  return held
}
