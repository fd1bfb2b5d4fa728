// SPDX-License-Identifier: Apache-2.0
// The connection to the daemon: one WebSocket, or events and requests over HTTP where a browser refuses it. It resumes
// by cursor and view, and reports when the session is no longer valid.

const silenceMax = 45_000, waitMin = 500, waitMax = 15_000
/** Close codes after which this session is no longer valid: signed out, revoked, removed, the family closed. */
const over = new Set([1001, 4101, 4102, 4103])

export class Line {
  /** `hear`: { reset(snapshot, cursor, view), event(event), upto(cursor), passing(what), live(), away(), gone() } */
  constructor(hear, since = null, view = "all") {
    this.hear = hear
    this.since = since
    this.view = view
    this.wait = waitMin
    this.number = 0
    this.open = new Map()
    this.isHTTP = false
    addEventListener("online", () => this.hurry())
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.hurry() })
    this.connect()
  }

  /** Looks at once, where it would have waited. */
  hurry() {
    if (this.isOver) return
    if (this.isLive && performance.now() - this.heard < silenceMax) return
    this.wait = waitMin
    this.drop()
    this.connect()
  }

  connect() {
    clearTimeout(this.timer)
    if (this.isOver) return
    const attempt = this.attempt = {}
    const mine = how => (...args) => { if (this.attempt === attempt) how(...args) }
    if (this.isHTTP) return this.connectByHTTP(mine)
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`, "kinwire.v1")
    let wasOpen = false
    socket.onopen = mine(() => {
      wasOpen = true
      this.request("live.follow", { since: this.since, view: this.view, passing: !!this.hear.passing }).then(mine(answer => {
        if (answer.snapshot) this.reset(answer)
        else this.since = answer.cursor ?? this.since
        this.isNowLive()
      }), mine(error => error.code === 1401 ? this.end() : socket.close()))
    })
    socket.onmessage = mine(message => this.take(JSON.parse(message.data)))
    socket.onclose = mine(async () => {
      this.away()
      if (!wasOpen) await this.whyNot()
      this.again()
    })
    this.watch()
  }

  /** A refused handshake tells a page nothing: finds out whether it is the network, the session, or the WebSocket. */
  async whyNot() {
    try {
      const answer = await fetch("/api/settings", { cache: "no-store" })
      if (answer.status === 401) this.end()
      else if ((answer.ok || answer.status === 403) && ++this.refused > 1) this.isHTTP = true
    } catch { /* Nothing is reached: that is what `away` says already. */ }
  }
  refused = 0

  connectByHTTP(mine) {
    const query = new URLSearchParams({ view: this.view, ...(this.hear.passing ? { passing: "true" } : {}), ...(this.since ? { since: this.since } : {}) })
    const source = this.source = new EventSource(`/live?${query}`)
    source.onopen = mine(() => this.isNowLive())
    source.onmessage = mine(message => this.take(JSON.parse(message.data)))
    source.onerror = mine(async () => {
      this.away()
      source.close()
      await this.whyNot()
      this.again()
    })
    this.watch()
  }

  isNowLive() {
    this.isLive = true
    this.refused = 0
    this.wait = waitMin
    this.hear.live()
  }

  /** A connection that is silent for so long is dead, whatever the system says: an `upto` comes every 15 s. */
  watch() {
    this.heard = performance.now()
    clearInterval(this.watcher)
    this.watcher = setInterval(() => { if (performance.now() - this.heard > silenceMax) this.hurry() }, 5_000)
  }

  drop() {
    this.attempt = null
    this.socket?.close()
    this.source?.close()
    this.away()
  }

  away() {
    clearInterval(this.watcher)
    const wasLive = this.isLive
    this.isLive = false
    const open = [...this.open.values()]
    this.open.clear()
    for (const { reject } of open) reject({ code: 0, message: "away" })
    if (wasLive !== false) this.hear.away()
  }

  again() {
    if (this.isOver) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.connect(), this.wait * (0.5 + Math.random() / 2))
    this.wait = Math.min(this.wait * 2, waitMax)
  }

  /** Ends without a word: another tab has the line. */
  stop() {
    this.isOver = true
    clearTimeout(this.timer)
    this.hear = { ...this.hear, away() {} }
    this.drop()
  }

  end() {
    this.isOver = true
    this.drop()
    this.hear.gone()
  }

  reset({ snapshot, cursor, view }) {
    this.since = cursor
    if (view) this.view = view
    this.hear.reset(snapshot, cursor, this.view)
  }

  take(message) {
    this.heard = performance.now()
    const { id, method, params } = message
    if (id !== undefined && id !== null) {
      const asked = this.open.get(id)
      this.open.delete(id)
      if (message.error) asked?.reject(message.error)
      else asked?.resolve(message.result)
      return
    }
    if (method === "reset") this.reset(params)
    else if (method === "event") {
      this.since = params.cursor
      this.hear.event(params)
    } else if (method === "upto") {
      this.since = params.cursor
      this.hear.upto(params.cursor)
    } else if (method === "passing") this.hear.passing?.(params)
    else if (method === "closing" && over.has(params.code)) this.end()
  }

  /** Asks or tells the daemon something. Rejects with `{ code, message, data }`; code 0: not reached. */
  request(method, params = {}) {
    if (this.isHTTP) return this.requestByHTTP(method, params)
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return reject({ code: 0, message: "away" })
      const id = ++this.number
      this.open.set(id, { resolve, reject })
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }))
    })
  }

  /** The same over HTTP: which address is whose stands in the daemon's own description. */
  async requestByHTTP(method, { op, ...params }) {
    try {
      this.routes ??= fetch("/api/openapi.json").then(answer => answer.json()).then(description =>
        new Map(Object.entries(description.paths).flatMap(([path, verbs]) =>
          Object.entries(verbs).map(([verb, one]) => [one.operationId, { path, verb: verb.toUpperCase() }]))))
      const route = (await this.routes).get(method)
      if (!route) throw { code: -32601, message: `There is no ${method}.` }
      const path = route.path.replace(/\{(\w+)\}/g, (_, name) => {
        const value = params[name]
        delete params[name]
        return encodeURIComponent(value)
      })
      const isBody = !["GET", "DELETE"].includes(route.verb)
      const query = isBody ? "" : `?${new URLSearchParams(Object.entries(params).filter(([, one]) => one != null))}`
      const answer = await fetch(path + query, {
        method: route.verb, cache: "no-store",
        headers: { ...(isBody ? { "Content-Type": "application/json" } : {}), ...(op ? { "Idempotency-Key": op } : {}) },
        body: isBody ? JSON.stringify(params) : undefined,
        // What is done as the page is left arrives, too; a browser lets so much go on.
        keepalive: !!op && (!isBody || JSON.stringify(params).length < 15_000),
      })
      const content = answer.status === 204 ? {} : await answer.json()
      if (answer.ok) return content
      throw { code: content.code ?? answer.status, message: content.detail, data: content }
    } catch (error) {
      if (error instanceof TypeError) { this.routes = undefined; throw { code: 0, message: "away" } }
      throw error
    }
  }
}
