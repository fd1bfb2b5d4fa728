// SPDX-License-Identifier: Apache-2.0
// A room of the chat itself: for how long it is silent, what it is called, who is in it, and leaving it.

import { act, field, undoable } from "./base.js"
import { boxes, isMuted, ticked } from "./chat.js"
import { ask, h } from "./dom.js"
import { now } from "./served.js"
import { me, member, people, state } from "./state.js"
import { name } from "./voice.js"
import { civil, near, t } from "./words.js"

const minuteMs = 60_000, dayMs = 86_400_000, morning = 7 * 60
/** Who mutes until they say something else is muted for so long. */
const foreverMs = 3650 * dayMs, farMs = 1825 * dayMs
const minutesOf = instant => { const wall = civil(instant); return wall.hour * 60 + wall.minute }

/** Tomorrow at seven, by the member's own clock; where the clocks change that night, too. */
function tomorrow() {
  const about = now() + (1440 - minutesOf(now()) + morning) * minuteMs
  return new Date(Math.floor((about + (morning - minutesOf(about)) * minuteMs) / minuteMs) * minuteMs)
}

/** For how long a room is silent, as one chooses it. */
const ends = { hour: () => new Date(now() + 60 * minuteMs), tomorrow, always: () => new Date(now() + foreverMs) }

const room = id => state.snapshot.rooms.find(one => one.room.id === id)

/** How one stands to a room, and who is in it. */
export const settings = id => ask(t("chat.settings"), close => {
  const { room: of, own } = room(id), isGroup = of.kind === "group", mayAdd = isGroup && me()?.role !== "guest"
  const title = h("input", { maxlength: 64, autocomplete: "off" })
  title.value = of.name ?? ""
  const isForGood = isMuted({ own }) && new Date(own.mutedUntil) - now() > farMs, before = !isMuted({ own }) ? "none" : isForGood ? "always" : "kept"
  const muted = h("select", { id: "mute-room" }, ["none", ...(before === "kept" ? ["kept"] : []), ...Object.keys(ends)].map(one =>
    h("option", { value: one, selected: one === before }, t(`chat.mute.${one}`, { time: one === "kept" ? near(own.mutedUntil) : "" }))))
  const shows = h("input", { type: "checkbox", checked: own.showsRead, id: "shows-read" })
  const others = people().filter(one => !of.members.includes(one.id))
  const added = boxes(others)
  const inside = of.members.filter(one => one !== state.snapshot.me).map(one => member(one)).filter(Boolean)
  const mayRemove = mayAdd && (!of.opener || of.opener === state.snapshot.me), removed = mayRemove ? boxes(inside) : []
  return h("form", { onsubmit: async event => {
    event.preventDefault()
    const how = {}
    if (muted.value !== before) how.mutedUntil = ends[muted.value]?.().toISOString() ?? null
    if (shows.checked !== own.showsRead) how.showsRead = shows.checked
    if (Object.keys(how).length && !await act("room.set", { room: id, ...how }, { mayWait: false })) return
    const what = {}, add = ticked(added), remove = ticked(removed)
    if (mayAdd && title.value.trim() !== (of.name ?? "")) what.name = title.value.trim() || null
    if (add.length) what.add = add
    if (remove.length) what.remove = remove
    if (Object.keys(what).length && !await act("room.update", { room: id, ...what }, { mayWait: false })) return
    close(true)
  } },
  field(t("chat.mute"), muted, t("chat.mute-hint")), h("label", { class: "check" }, shows, t("chat.shows-read")),
  mayAdd ? field(t("chat.name"), title) : null,
  of.members.length ? h("p", {}, t("chat.members", { names: of.members.map(one => name(one)).join(", ") })) : null,
  mayAdd && added.length ? h("fieldset", {}, h("legend", {}, t("chat.add")), h("p", { class: "hint" }, t("chat.add-hint")), added) : null,
  removed.length ? h("fieldset", {}, h("legend", {}, t("chat.take-out")), removed) : null,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")),
    isGroup ? h("button", { type: "button", class: "danger", id: "leave-room", onclick: async () => {
      close(null)
      location.hash = "#/chat"
      undoable(t("chat.left"), "room.leave", { room: id })
    } }, t("chat.leave")) : null))
})
