// SPDX-License-Identifier: Apache-2.0
// What the lines of an inbox say. The daemon sends kinds and names; the sentences are made here, of the messages and by
// the rules of `InboxVoice` in KinWords.

import { fill, h } from "./dom.js"
import { household, meeting, member, state } from "./state.js"
import { age, day, knows, near, range, t } from "./words.js"

export const name = id => member(id)?.displayName ?? t("names.somebody")
const homeName = id => household(id)?.name ?? t("names.unknown")
const by = line => line.by === undefined ? t("by.daemon") : name(line.by)
const subject = entry => entry.about.split("/")[1] || null
const about = entry => name(subject(entry))
const isMine = entry => { const id = subject(entry); return !id || id === state.snapshot?.me }
/** A civil day with its weekday. */
const dayOf = date => {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date ?? "")?.map(Number)
  if (!found) return date ?? ""
  return `${t(`weekday.${new Date(`${date}T00:00Z`).getUTCDay() || 7}`)} ${day({ year: found[1], month: found[2], day: found[3] })}`
}
const time = instant => instant ? near(instant) : "?"
const device = line => line.device ?? t("device.another")

/** A member's picture, or the first letters of the name. */
export function face(id) {
  const element = h("span", { class: "face", "aria-hidden": "true" })
  element.update = () => {
    const one = member(id), key = `${one?.picture}/${one?.displayName}`
    if (element.shown === key || !one) return
    element.shown = key
    const letters = [...(one.displayName ?? "?").matchAll(/\p{L}\p{M}*/gu)].map(found => found[0])
    const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
    element.dataset.hue = String(Math.round(hue / 45) % 8)
    fill(element, one.picture ? h("img", { src: `/api/members/${id}/picture/${one.picture}`, alt: "", loading: "lazy" })
      : (letters[0] ?? "?").toUpperCase())
  }
  element.update()
  return element
}

/** What a room is called: of two, after the other one. */
export function roomName(room) {
  if (room.name) return room.name
  if (room.kind === "family") return t("names.room.family")
  if (room.kind === "household") return homeName(room.household)
  const others = room.members.filter(one => one !== state.snapshot?.me).map(name)
  return others.length ? others.slice(0, 3).join(", ") + (others.length > 3 ? " …" : "") : t("names.room.alone")
}
const theRoom = entry => (state.snapshot?.rooms ?? []).find(one => one.room.id === subject(entry))?.room
const inRoom = entry => { const room = theRoom(entry); return room ? roomName(room) : t("names.a-room") }

/** A calendar by its id: a member's own and a household's have theirs. */
const calendarOf = id => member(id) ? t("cal.settings-of", { calendar: name(id) }) : household(id) ? t("cal.settings-of", { calendar: homeName(id) }) : t("names.a-calendar")

/** Whether an entry tells of no emergency: an alarm is over, somebody is on the way, or asks whether all is well. */
export const isCalm = entry => entry.lines.every(one => /^alarm(Over[sc]|on|ch)/.test(one.kind + one.alarm))
/** What an entry is about; null where its lines say all. */
export function title(entry) {
  if (entry.about.startsWith("alarm/")) return entry.title ?? (isCalm(entry) ? null : t("names.an-alarm"))
  if (entry.about.startsWith("room/")) return entry.title ?? inRoom(entry)
  if (entry.about.startsWith("post/")) return entry.title ?? t("names.a-post")
  if (entry.about.startsWith("picture/")) return entry.title ?? t("names.a-picture")
  if (entry.about.startsWith("entry/")) return entry.title ?? t("names.an-entry")
  if (entry.about.startsWith("calendar/")) return entry.title ?? calendarOf(subject(entry))
  if (!entry.about.startsWith("meeting/")) return null
  return entry.title ?? meeting(subject(entry))?.meeting.title ?? t("names.a-meeting")
}

/** One line of an entry; what only a newer daemon tells is in the newer page. */
export function sentence(line, entry) {
  const plain = (lines[line.kind] ?? (() => t("line.newer")))(line, entry)
  const text = line.atMachine && line.by ? t("by.at-machine", { text: plain, name: name(line.by) }) : plain
  return line.count > 1 && !line.kinds ? `${text} (${line.count}×)` : text
}

/** What a word of somebody's about a post looks like. */
export const signs = { like: "👍", love: "❤️", laugh: "😂", wow: "😮", sad: "😢", thanks: "🙏" }

const byOnly = key => line => t(key, { by: by(line) })
const moment = key => line => t(key, { by: by(line), place: line.place ?? "?", time: time(line.since) })
const answers = { moved: "inbox.move-moved", admitted: "inbox.move-admitted", refused: "inbox.move-refused",
  withdrawn: "inbox.move-withdrawn" }
const permissions = { appPasswordMade: "inbox.app-password-made", appPasswordRevoked: "inbox.app-password-revoked",
  signInLinkMade: "inbox.sign-in-link-made", passwordChanged: "inbox.password-changed" }
const accounts = { signInLinkMade: "inbox.account-link", passwordSet: "inbox.account-password",
  sessionWaits: "inbox.account-waits", sessionTrusted: "inbox.account-trusted" }

const lines = {
  announcement: (line, entry) => t("event.activity.announced", { by: by(line), text: entry.title ?? "" }),
  said: (line, entry) => t("event.activity.announced", { by: by(line), text: entry.title ?? "" }),
  digest: line => t("inbox.digest", { time: time(line.since), parts: (line.kinds ?? []).map(({ kind, count }) =>
    `${count} ${knows(`kinds.${kind}`) ? t(`kinds.${kind}`, { n: count }) : kind}`).join(", ") }),
  quotaNear: line => t(`inbox.quota.${line.what ?? "points"}`),

  memberJoined: (_, entry) => t("inbox.member-joined", { name: entry.title ?? about(entry) }),
  memberLeft: (_, entry) => t("inbox.member-left", { name: entry.title ?? about(entry) }),
  roleChanged: line => t("inbox.role", { role: t(`rank.${line.role ?? "member"}`) }),
  permissionChanged: line => t(permissions[line.what] ?? "inbox.permission-changed", { device: device(line) }),
  accountChanged: (line, entry) => t(accounts[line.what] ?? "inbox.account-wait-ended", { member: about(entry),
    by: line.by === undefined ? t("session.the-machine") : name(line.by), device: device(line), time: time(line.until) }),
  newDevice: line => t("event.session.opened", { device: device(line) }),
  moveAsked: (line, entry) => t(by(line) === about(entry) ? "inbox.move-asked" : "inbox.move-asked-by",
    { by: by(line), member: about(entry), household: homeName(line.household) }),
  moveAnswered: (line, entry) => t(answers[line.answer] ?? "inbox.move-ended",
    { by: by(line), member: about(entry), household: homeName(line.household) }),
  grownAsked: (_, entry) => t("inbox.grown-asked", { member: about(entry) }),
  grownAnswered: line => t(line.answer === "grown" ? "inbox.grown"
    : line.answer === "unanswered" ? "inbox.grown-unanswered" : "inbox.grown-not-yet", { by: by(line) }),

  arrived: moment("inbox.arrived"),
  left: moment("inbox.left"),
  sharingChanged: line => {
    const what = line.changes?.[0] ?? "state", isOn = line.state === "on"
    if (line.by === undefined) {
      if (what === "state") return t(isOn ? "sharing.on" : "sharing.ended")
      return t(what === "viewers" ? "inbox.sharing-unconfirmed"
        : what === "holder" ? "inbox.sharing-holder" : "inbox.sharing-ended")
    }
    const key = `inbox.sharing-by-${what}`, now = t(isOn ? "sharing.on" : "sharing.off")
    return knows(key) ? t(key, { by: name(line.by), state: now }) : now
  },
  sharingAsked: (line, entry) => t(!isMine(entry) ? "inbox.sharing-asked-child"
    : `inbox.sharing-asked-${line.group === "household" ? "household" : "everyone"}`,
    { by: by(line), child: about(entry), what: knows(`share.${line.precision}`) ? t(`share.${line.precision}`) : "" }),
  sharingToConfirm: (line, entry) => t(isMine(entry) ? "inbox.sharing-to-confirm" : "inbox.sharing-to-confirm-child",
    { time: time(line.until), child: about(entry) }),
  childSharing: (line, entry) => t(`inbox.child-${line.hold ?? "held"}${isMine(entry) ? "-own" : ""}`,
    { by: by(line), child: about(entry) }),
  phoneSilent: line => {
    const why = knows(`trouble.${line.cause}`) ? t(`trouble.${line.cause}`) : null
    const heard = line.last ? age(line.last) : "?"
    if (!why) return t("inbox.phone-silent", { age: heard })
    return line.last ? t("inbox.phone-silent-why", { age: heard, why }) : t("inbox.phone-unheard", { why })
  },
  positionAsked: byOnly("inbox.position-asked"),
  placeAsked: line => line.place === undefined ? t("inbox.places-until", { time: time(line.until) })
    : t("inbox.place-asked", { place: line.place, member: name(line.of) }),

  pinned: line => t(line.placeKind === "note" ? "inbox.pinned-note" : "inbox.pinned-hotspot", { by: by(line), place: line.place ?? "?" }),

  alarm: line => t(`alarm.${line.alarm ?? "sos"}`, { by: by(line) }),
  alarmOverdue: line => t(`inbox.alarm-overdue.${line.alarm ?? "sos"}`),
  alarmAnswered: line => t(`event.alarm.${line.reply ?? "seen"}`, { by: by(line) }),
  alarmOver: line => t("inbox.alarm-over", { by: by(line) })
    + (!line.of || line.of === line.by ? "" : ` (${t(`alarm.ended.${line.alarm ?? "sos"}`, { by: name(line.of) })})`),
  house: line => t("inbox.house", { script: line.script ?? "?" }),
  invited: byOnly("inbox.invited"), posted: byOnly("inbox.posted"), mentioned: byOnly("inbox.mentioned"),
  commented: byOnly("inbox.commented"), answered: byOnly("inbox.answered"), pictures: byOnly("inbox.pictures"), pictured: byOnly("inbox.pictured"),
  pictureLiked: line => t("inbox.picture-liked", { by: by(line), sign: signs[line.reaction] ?? "" }),
  listed: byOnly("inbox.listed"), cooks: line => t("inbox.cooks", { by: by(line), date: dayOf(line.date) }),
  message: (line, entry) => {
    const key = `inbox.message${line.shows ? `.${line.shows}` : ""}`
    return theRoom(entry)?.kind === "direct" ? t(`${key}.to-you`, { by: by(line) }) : t(key, { by: by(line), room: inRoom(entry) })
  },
  addressed: (line, entry) => t("inbox.addressed", { by: by(line), room: inRoom(entry) }),
  entryInvited: byOnly("inbox.entry-invited"), entryChanged: byOnly("inbox.entry-changed"),
  entryCancelled: byOnly("inbox.entry-cancelled"),
  entryAnswered: line => t(`inbox.entry-answered.${line.reply ?? "none"}`, { by: by(line) }),
  reminder: line => t("inbox.reminder", { time: time(line.start) }),
  calendarShared: line => t(`inbox.calendar-shared.${line.right ?? "none"}`, { by: by(line) }),
  newsStopped: line => t("inbox.news-stopped", { why: t(`news.trouble.${line.trouble ?? "failing"}`) }),
  calendarStopped: line => t("inbox.calendar-stopped", { why: t(`calendar.trouble.${line.trouble ?? "failing"}`) }),
  liked: line => t("inbox.liked", { by: by(line), sign: signs[line.reaction] ?? "" }),
  meetingChanged: line => {
    const [first, ...others] = line.changes ?? []
    if (!others.length && first === "suggestions") return t("inbox.suggested", { by: by(line) })
    if (!others.length && first === "host") return t("inbox.handed-over", { by: by(line) })
    const said = (line.changes ?? []).map(one => t(knows(`change.${one}`) ? `change.${one}` : "change.something"))
    return t("inbox.changed", { by: by(line), changes: said.length ? said.join(", ") : t("change.something") })
  },
  voted: line => t(line.reply === "refused" ? "inbox.refused" : "inbox.voted", { by: by(line) }),
  allReplied: () => t("inbox.all-replied"),
  deadlineNear: line => t("inbox.deadline-near", { time: time(line.deadline) }),
  closed: () => t("inbox.closed"),
  confirmed: (_, entry) => {
    const known = meeting(subject(entry))?.meeting
    const slot = known?.slots.find(one => one.id === known.confirmed)
    return slot ? t("inbox.confirmed-at", { time: range(slot.start, slot.end) }) : t("inbox.confirmed")
  },
  cancelled: byOnly("inbox.cancelled"),
  nudged: byOnly("inbox.nudged"),
  goingChanged: line => t(line.answer === "going" ? "inbox.going" : "inbox.not-going", { by: by(line) }),
}
