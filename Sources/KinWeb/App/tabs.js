// SPDX-License-Identifier: Apache-2.0
// One connection for all tabs of a browser: one tab leads and has the connection to the daemon; the others hear what it
// hears and ask through it. When it is closed, the next one leads, from the same cursor. Each tab has a connection of
// its own in a browser without Web Locks (they need a trusted origin), and for another sign-in in the same browser.

import { Line } from "./line.js"
import { signIn } from "./store.js"

const name = `kinwire.line.${signIn}`
/** A leading tab that says nothing for so long is asleep: one that is looked at leads in its place. An `upto` comes every 15 s. */
const silenceMax = 25_000, patience = 20_000

/** A line of this tab, or its part of another's: with `request(method, params)` and `view`. `hear` is as for a Line. */
export const connect = (hear, since, view) =>
  navigator.locks && window.BroadcastChannel && signIn ? new Tab(hear, since, view) : new Line(hear, since, view)

class Tab {
  constructor(hear, since, view) {
    Object.assign(this, { hear, since, view, line: null, asked: new Map(), number: 0, own: Math.random().toString(36).slice(2) })
    this.channel = new BroadcastChannel(name)
    this.channel.onmessage = ({ data }) => this.take(data)
    this.heard = performance.now()
    this.wait()
    this.say({ kind: "hello" })
    setInterval(() => this.look(), 5_000)
    document.addEventListener("visibilitychange", () => this.look())
  }

  say(message) { this.channel.postMessage({ ...message, from: this.own }) }

  // Leading --------------------------------------------------------------------------------------------------------

  /** Leads as soon as nobody else does; `steals`: from one that is asleep. */
  wait(steals = false) {
    const turn = this.turn = {}
    navigator.locks.request(name, steals ? { steal: true } : {}, () => {
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
    if (this.leads || document.hidden || performance.now() - this.heard < silenceMax) return
    this.heard = performance.now()
    this.wait(true)
  }

  // Following ------------------------------------------------------------------------------------------------------

  take({ kind, args, from, to, id, method, params, result, error }) {
    if (to && to !== this.own) return
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
      setTimeout(() => { if (this.asked.delete(id)) reject({ code: 0, message: "away" }) }, patience)
    })
  }

  /** Something waits in the browser to be sent: the tab that leads sends it. */
  waits() { this.say({ kind: "waits" }) }
}
