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
    // Whoever was here once only opens it offline, too.
    await keepShell()
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

async function keepShell() {
  try { await keepShellOf(await fetch("/")) } catch { /* The next visit asks for it. */ }
}

/** Keeps the shell, unless what came is another page: that of the sign-in. */
async function keepShellOf(answer) {
  if (answer.ok && !answer.redirected && answer.type === "basic") await (await caches.open(cacheName)).put("/", answer.clone())
}

/** The shell that is kept is shown at once, and asked for anew meanwhile, for the next time. It holds nothing of the family. */
async function shell(event) {
  const cache = await caches.open(cacheName)
  const held = await cache.match("/", { ignoreVary: true })
  const asked = fetch(event.request).then(async answer => {
    await keepShellOf(answer)
    return answer
  })
  if (!held) return asked
  event.waitUntil(asked.catch(() => {}))
  return held
}

// Ringing ----------------------------------------------------------------------------------------------------------

/** Which notices this browser had: a push service may bring one twice. No more than their names is kept, in a cache of its own. */
const rung = "kinwire-rung", rungMax = 64
let noting = Promise.resolve()
/** One after the other: of two that come at once, both are kept. */
const isNew = id => (noting = noting.catch(() => {}).then(() => note(id)))
async function note(id) {
  const cache = await caches.open(rung)
  const had = await (await cache.match("/rung"))?.json().catch(() => null) ?? []
  if (had.includes(id)) return false
  await cache.put("/rung", new Response(JSON.stringify([...had, id].slice(-rungMax))))
  return true
}

addEventListener("push", event => event.waitUntil(ring(event)))

/** Shows what came, in the form of Declarative Web Push; what was read elsewhere is closed with it. */
async function ring(event) {
  let said = null
  try { said = event.data?.json().notification } catch {}
  if (!said?.title) return registration.showNotification("Kinwire", { tag: "kinwire", icon: icon() })
  const { title, navigate, actions = [], data = {}, ...rest } = said
  for (const shown of await registration.getNotifications()) if (data.closed?.includes(shown.tag)) shown.close()
  if (data.id && !await isNew(data.id)) return
  // Whoever looks at the page just now sees it there.
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true })
  if (open.some(one => one.focused && one.visibilityState === "visible") && !rest.requireInteraction) return
  await registration.showNotification(title, {
    ...rest, icon: icon(), renotify: true, data, actions: actions.map(({ action, title }) => ({ action, title })),
  })
}

const icon = () => `${app}/icon-192.png`

addEventListener("notificationclick", event => {
  const shown = event.notification, way = shown.data?.answers?.[event.action]
  shown.close()
  event.waitUntil(way ? answer(shown, way) : open(shown.data?.page ?? "/"))
})

/** A button was pressed: what came of it is shown in the place of what rang; where nobody could be reached, that again. */
async function answer(shown, way) {
  const { title, body, tag, lang, actions, data } = shown
  try {
    const made = await fetch(way, { method: "POST" }), said = await made.json()
    if (made.status < 500) {
      const text = said.text ?? said.detail ?? ""
      return registration.showNotification(title, { body: text, tag, lang, icon: icon(), silent: true, data: { page: data.page } })
    }
  } catch {}
  return registration.showNotification(title, { body: [data.away, body].filter(Boolean).join("\n"), tag, lang, icon: icon(), actions, data })
}

/** The page, where it is open already, else anew. What a script of the house leads to may be elsewhere. */
async function open(page) {
  const url = new URL(page, location.origin)
  if (url.origin !== location.origin) return clients.openWindow(url.href)
  const [one] = await clients.matchAll({ type: "window" })
  if (!one) return clients.openWindow(url.href)
  await one.focus().catch(() => {})
  return one.navigate(url.href).catch(() => clients.openWindow(url.href))
}
