// SPDX-License-Identifier: Apache-2.0
// The connection to the daemon: one WebSocket, or events and requests over HTTP where a browser refuses it. It resumes
// by cursor and view, and reports when the session is no longer valid. All tabs of a browser have one: a tab leads and has
// the connection; the others hear what it hears and ask through it. When it is closed, the next one leads, from the same
// cursor. Each tab has a connection of its own in a browser without Web Locks (they need a trusted origin), and for another
// sign-in in the same browser.

import { openSocket, signIn, takeFirst } from "./early.js"

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
    // One that was begun early has asked for the whole snapshot.
    const early = this.since === null ? takeFirst() : null, socket = this.socket = early?.socket ?? openSocket()
    const isAsked = !!early && socket.readyState === WebSocket.OPEN
    let wasOpen = isAsked
    const answered = asked => asked.then(mine(answer => {
      if (answer.snapshot) this.reset(answer)
      else this.since = answer.cursor ?? this.since
      this.isNowLive()
    }), mine(error => error.code === 1401 ? this.end() : socket.close()))
    socket.onopen = mine(() => {
      wasOpen = true
      answered(this.request("live.follow", { since: this.since, view: this.view, passing: !!this.hear.passing }))
    })
    socket.onmessage = mine(message => this.take(JSON.parse(message.data)))
    socket.onclose = mine(async () => {
      this.away()
      if (!wasOpen) await this.whyNot()
      this.again()
    })
    if (isAsked) {
      answered(new Promise((resolve, reject) => this.open.set(0, { resolve, reject })))
      this.hearAgain(early.messages, mine(message => this.take(message)))
    }
    this.watch()
  }

  /** Hears what came before there was a line: what one message brings about is done before the next, as ever. */
  async hearAgain(messages, take) {
    for (const message of messages) {
      await null
      take(message)
    }
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
      if (!(error instanceof Error || error.code >= 500 && error.code < 600)) throw error
      // Nobody was reached, or what answered is not the daemon: a proxy before it, or the network's own page.
      this.routes = undefined
      throw { code: 0, message: "away" }
    }
  }
}

// All tabs --------------------------------------------------------------------------------------------------------

const lineName = `kinwire.line.${signIn}`
/** A leading tab that says nothing for so long is asleep: one that is looked at leads in its place. An `upto` comes every 15 s. */
const asleepMs = 25_000, patienceMs = 20_000
/** So long after the modules came, however long they took, a tab leads or goes by another's line. */
const unwantedMs = 10_000

/** A line of this tab, or its part of another's: with `request(method, params)` and `view`. `hear` is as for a Line. */
export function connect(hear, since, view) {
  const mayTell = window.BroadcastChannel && signIn
  if (mayTell && navigator.locks) return new Tab(hear, since, view)
  const line = new Line(hear, since, view)
  if (mayTell) {
    // What waits is of all tabs, although each has its own line.
    const channel = new BroadcastChannel(lineName)
    channel.onmessage = ({ data: { kind, args } }) => hear[kind]?.(...args)
    line.tell = (kind, ...args) => channel.postMessage({ kind, args })
  }
  return line
}

class Tab {
  constructor(hear, since, view) {
    Object.assign(this, { hear, since, view, line: null, asked: new Map(), number: 0, own: Math.random().toString(36).slice(2) })
    this.channel = new BroadcastChannel(lineName)
    this.channel.onmessage = ({ data }) => this.take(data)
    this.heard = performance.now()
    this.wait()
    this.say({ kind: "hello" })
    // A tab that goes by another's line leaves the one that was begun for it.
    setTimeout(() => takeFirst()?.socket.close(), unwantedMs)
    setInterval(() => this.look(), 5_000)
    document.addEventListener("visibilitychange", () => this.look())
  }

  say(message) { this.channel.postMessage({ ...message, from: this.own }) }

  // Leading --------------------------------------------------------------------------------------------------------

  /** Leads as soon as nobody else does; `steals`: from one that is asleep. */
  wait(steals = false) {
    const turn = this.turn = {}
    navigator.locks.request(lineName, steals ? { steal: true } : {}, () => {
      if (this.turn !== turn || this.isOver) return
      this.lead()
      return new Promise(resolve => { this.let = resolve })
    }).catch(() => {
      // Another tab took it: what this one held is the other's now.
      if (this.turn !== turn) return
      this.line?.stop()
      this.line = null
      this.wait()
      // It may have slept through all that the other said when it began to lead: what is held there is asked for.
      this.isThere = false
      this.forget()
      this.heard = performance.now()
      this.say({ kind: "hello" })
    })
  }

  lead() {
    this.say({ kind: "leads" })
    this.forget()
    const tell = kind => (...args) => {
      this.hear[kind](...args)
      this.say({ kind, args })
    }
    this.line = new Line({
      reset: (snapshot, cursor, view) => {
        Object.assign(this, { since: cursor, view, isReset: true })
        tell("reset")(snapshot, cursor, view)
      },
      event: event => { this.since = event.cursor; tell("event")(event) },
      upto: cursor => { this.since = cursor; tell("upto")(cursor) },
      passing: tell("passing"), live: tell("live"), away: tell("away"), gone: tell("gone"),
    }, this.since, this.view)
  }

  get leads() { return this.line !== null }

  /** What is heard of the tab that leads is too long ago, and somebody looks at this one. */
  look() {
    if (this.leads || document.hidden || performance.now() - this.heard < asleepMs) return
    this.heard = performance.now()
    this.wait(true)
  }

  // Following ------------------------------------------------------------------------------------------------------

  take({ kind, args = [], from, to, id, method, params, result, error }) {
    if (to && to !== this.own) return
    if (kind === "queue" || kind === "refused") return void this.hear[kind](...args)
    if (this.leads) {
      if (kind === "hello") {
        const held = this.hear.held()
        if (held) this.say({ kind: "reset", to: from, args: [held, this.since, this.view] })
        this.say({ kind: this.line.isLive ? "live" : "away", to: from, args: [] })
      } else if (kind === "ask") {
        const answer = one => this.say({ kind: "answer", to: from, id, ...one })
        this.line.request(method, params).then(result => answer({ result }), error => answer({ error: { code: error.code, message: error.message, data: error.data } }))
      } else if (kind === "waits" && this.line.isLive) this.hear.live()
      return
    }
    if (["reset", "event", "upto", "passing", "live", "away", "gone", "leads", "answer"].includes(kind)) this.heard = performance.now()
    if (kind === "reset") {
      this.isThere = true
      Object.assign(this, { since: args[1], view: args[2] })
      this.hear.reset(...args)
    } else if (kind === "event" || kind === "upto") {
      // What was before the first snapshot is in it.
      if (!this.isThere) return
      this.since = kind === "event" ? args[0].cursor : args[0]
      this.hear[kind](...args)
    } else if (kind === "passing") this.hear.passing(...args)
    else if (kind === "live" || kind === "away" || kind === "gone") {
      if (kind === "gone") this.isOver = true
      this.hear[kind](...args)
    } else if (kind === "leads") {
      this.forget()
      // Where it goes on from is its own: what it holds comes first.
      this.isThere = false
      this.say({ kind: "hello" })
    } else if (kind === "answer") {
      const asked = this.asked.get(id)
      this.asked.delete(id)
      if (error) asked?.reject(error)
      else asked?.resolve(result)
    }
  }

  /** Who was asked is gone, and nobody knows what came of it: an `op` makes a repeat harmless. */
  forget() {
    for (const { reject } of this.asked.values()) reject({ code: 0, message: "away" })
    this.asked.clear()
  }

  request(method, params = {}) {
    if (this.leads) return this.line.request(method, params)
    return new Promise((resolve, reject) => {
      const id = ++this.number
      this.asked.set(id, { resolve, reject })
      this.say({ kind: "ask", id, method, params })
      setTimeout(() => { if (this.asked.delete(id)) reject({ code: 0, message: "away" }) }, patienceMs)
    })
  }

  /** Something waits in the browser to be sent: the tab that leads sends it. */
  waits() { this.say({ kind: "waits" }) }
  /** Tells the other tabs what is so for all of them: `queue`, more or less waits than before; `refused`, some of it was. */
  tell(kind, ...args) { this.say({ kind, args }) }
}
