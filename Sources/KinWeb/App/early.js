// SPDX-License-Identifier: Apache-2.0
// What takes long and needs nothing else of the page is begun here, while the other modules are on their way: this module
// takes nothing from them. What is kept in the browser is read, and where nothing is, the daemon is asked for the snapshot.

/**
 * Which sign-in this is, and whether the computer is used by others too; as the daemon's cookie says. Cookies know no ports:
 * the one without the prefix may be that of another daemon of this machine, without TLS.
 */
const told = () => (location.protocol === "https:" ? ["__Host-", ""] : ["", "__Host-"]).map(lead => document.cookie.match(`(?:^|; )${lead}kinwire-page=([0-9a-f]+)(\\.shared)?`)).find(Boolean) ?? []
/**
 * Which sign-in last kept something here, and so began where nobody else uses the computer. A page whose cookie is gone goes
 * by it; without it, it keeps nothing.
 */
const keeper = () => { try { return localStorage.getItem("kinwire.own") } catch { return null } }
let [, own = keeper(), shared] = told()
export let signIn = own ?? null
/**
 * Whether the browser's sign-in is the one that this page began with: another tab may have signed in anew. Where the cookie is
 * gone, the daemon names the sign-in again with the shell; the worker shows the one that it keeps before that is there, and
 * so a page that began with no name at all takes the first for its own.
 */
export const isStillIn = () => {
  const now = told()[1]
  own ??= now
  signIn ??= own ?? null
  return !now || now === own
}
/**
 * On a computer that others use, nothing is kept. The daemon does not know whether it is one when it names a sign-in anew,
 * and says that it is. A screen on a wall keeps nothing of the family, and so keeps its own hours, named or not.
 */
export const isShared = shared ? keeper() !== own : !own && location.pathname === "/"

/** Opens what is kept in the browser. */
export const openDatabase = () => isShared ? Promise.reject(new Error("nothing is kept here")) : new Promise((resolve, reject) => {
  const asked = indexedDB.open("kinwire", 1)
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("held")
    asked.result.createObjectStore("queue", { keyPath: "op" })
  }
  asked.onsuccess = () => {
    // Another tab takes all of it away, for a sign-in on a computer that others use.
    asked.result.onversionchange = () => asked.result.close()
    resolve(asked.result)
  }
  asked.onerror = () => reject(asked.error)
})
export const database = openDatabase()

/** What was kept when the page began: `{ held, queue }`. */
export const kept = database.then(one => new Promise((resolve, reject) => {
  const work = one.transaction(["held", "queue"]), held = work.objectStore("held").get("family"), queue = work.objectStore("queue").getAll()
  work.oncomplete = () => resolve({ held: held.result ?? null, queue: queue.result })
  work.onabort = () => reject(work.error)
}))

export const openSocket = () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`, "kinwire.v1")

/** The family's first look waits for what comes over this line: it is asked for, and what comes is gathered. */
let first = null
function begin() {
  const socket = openSocket(), messages = []
  first = { socket, messages }
  socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "live.follow", params: { since: null, view: "all", passing: true } }))
  socket.onmessage = ({ data }) => messages.push(JSON.parse(data))
}

/** The line that was begun here, for whoever comes first: `{ socket, messages }`; null where there is none that is good. */
export function takeFirst() {
  const one = first
  first = null
  return one?.socket.readyState <= 1 ? one : null
}
/** The snapshot, where it came already. */
export const seen = () => first?.messages.find(one => one.id === 0)?.result?.snapshot ?? null

if (location.pathname === "/") kept.then(({ held }) => { if (!held) begin() }).catch(() => {})
