// SPDX-License-Identifier: Apache-2.0
// What takes long and needs nothing else of the page is begun here, while the other modules are on their way: this module
// takes nothing from them. What is kept in the browser is read, and where nothing is, a line to the daemon is opened.

/** Which sign-in this is, and whether the computer is used by others too; as the daemon's cookie says. */
const [, own, shared] = document.cookie.match(/(?:^|; )(?:__Host-)?kinwire-page=([0-9a-f]+)(\.shared)?/) ?? []
export const signIn = own ?? null
/** On a computer that others use, nothing is kept. */
export const isShared = !!shared

/** Opens what is kept in the browser. */
export const openDatabase = () => isShared ? Promise.reject(new Error("nothing is kept here")) : new Promise((resolve, reject) => {
  const asked = indexedDB.open("kinwire", 1)
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore("held")
    asked.result.createObjectStore("queue", { keyPath: "op" })
  }
  asked.onsuccess = () => resolve(asked.result)
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

/** The first look waits for what comes over it. A tab that goes by another's line leaves it, and it ends. */
let first = null
const unwantedMs = 10_000
/** The socket that was opened here, for whoever comes first; null where there is none that is good. */
export function takeSocket() {
  const socket = first
  first = null
  return socket?.readyState <= 1 ? socket : null
}
kept.then(({ held }) => {
  if (held) return
  first = openSocket()
  setTimeout(() => takeSocket()?.close(), unwantedMs)
}).catch(() => {})
