// SPDX-License-Identifier: Apache-2.0
const byId = one => one.id, byMember = one => one.member, byMeeting = one => one.meeting.id
const byList = one => `${one.list} ${one.id}`
const byRoom = one => one.room.id
const byPost = one => `${one.post} ${one.id}`
const without = (list, id, key = byId) => list.filter(one => key(one) !== id)
const put = (list, one, key = byId) =>
  [...without(list, key(one), key), one].sort((a, b) => key(a) < key(b) ? -1 : 1)
const count = (s, id, comments) => { for (const post of s.posts) if (post.id === id) post.comments = comments }
const brief = ({ note, ...rest }) => rest
const part = isInvited => ({ reply: "none", votes: [], isInvited })
const meet = (s, meeting, own) => { s.meetings = put(s.meetings, { meeting: brief(meeting), own }, byMeeting) }
const change = (s, id, how) => { for (const seen of s.meetings) if (seen.meeting.id === id) how(seen, seen.own) }
const newer = (a, b) => a.at !== b.at ? (a.at > b.at ? -1 : 1) : (a.id > b.id ? -1 : 1)
const enter = (s, entry) => { s.inbox.entries = [...without(s.inbox.entries, entry.id), entry].sort(newer).slice(0, 200) }
const leave = (s, d, isGone) => { s.inbox = { entries: s.inbox.entries.filter(one => !isGone(one)), unread: d.unread } }
const title = text => {
  const all = [...text].map(one => one < " " || one === "\u2028" || one === "\u2029" ? " " : one)
  return all.length > 80 ? all.slice(0, 79).join("") + "…" : all.join("")
}
const papers = pictures => pictures?.filter(one => one.document).length
const newest = ({ id, author, at, text, about, pictures }) =>
  ({ id, author, at, ...(text === undefined ? {} : { text: title(text) }), ...(about === undefined ? {} : { about }),
    ...(pictures?.length ? { pictures: pictures.length } : {}),
    ...(papers(pictures) ? { documents: papers(pictures) } : {}) })
const within = (s, id, how) => { for (const seen of s.rooms) if (seen.room.id === id) how(seen) }
const enterRoom = (s, d) => {
  s.rooms = put(s.rooms, { room: d.room, own: { unread: 0, showsRead: false } }, byRoom)
}
const table = {
  "family.founded family.renamed": ["family", (s, d) => { s.family = d.family }],
  "household.founded household.renamed": ["household", (s, d) => { s.households = put(s.households, d.household) }],
  "household.removed": ["household", (s, d) => { s.households = without(s.households, d.household) }],
  "member.added member.joined member.updated member.moved":
    ["member", (s, d) => { s.members = put(s.members, d.member) }],
  "member.removed": ["member", (s, d) => {
    s.positions = without(s.positions, d.member, byMember)
    s.members = without(s.members, d.member).map(one => ({
      ...one, parents: one.parents.filter(id => id !== d.member), partners: one.partners.filter(id => id !== d.member) }))
  }],
  "position": ["member at", (s, d) => {
    if ("lat" in d && "lon" in d || ["place", "home"].includes(d.precision)) s.positions = put(s.positions, d, byMember)
  }],
  "position.hidden position.deleted": ["member", (s, d) => { s.positions = without(s.positions, d.member, byMember) }],
  "sharing.changed": ["sharing", (s, d) => { s.sharing = d.sharing }],
  "place.added place.updated place.shown": ["place", (s, d) => { s.places = put(s.places, brief(d.place)) }],
  "place.hidden place.removed": ["place", (s, d) => { s.places = without(s.places, d.place) }],
  "meeting.proposed": ["meeting invitees", (s, d) => meet(s, d.meeting, part(d.invitees.includes(s.me)))],
  "meeting.shown": ["meeting own invitees", (s, d) => meet(s, d.meeting, d.own)],
  "meeting.updated": ["meeting", (s, d) => change(s, d.meeting.id, (seen, own) => {
    seen.meeting = brief(d.meeting)
    own.votes = own.votes.filter(vote => d.meeting.slots.some(slot => slot.id === vote.slot))
    if (own.reply === "voted" && !own.votes.length) own.reply = "none"
    if (!d.meeting.confirmed) delete own.attendance
  })],
  "meeting.confirmed": ["meeting going", (s, d) => change(s, d.meeting.id, (seen, own) => {
    seen.meeting = brief(d.meeting)
    if (d.going.includes(s.me)) own.attendance = "going"
    else delete own.attendance
  })],
  "meeting.voted": ["meeting member votes tally", (s, d) => change(s, d.meeting, (seen, own) => {
    seen.meeting.tally = d.tally
    if (d.member === s.me) Object.assign(own, { reply: "voted", votes: d.votes })
  })],
  "meeting.refused": ["meeting member tally", (s, d) => change(s, d.meeting, (seen, own) => {
    seen.meeting.tally = d.tally
    if (d.member === s.me) Object.assign(own, { reply: "refused", votes: [] })
  })],
  "meeting.attended": ["meeting member answer tally", (s, d) => change(s, d.meeting, (seen, own) => {
    seen.meeting.tally = d.tally
    if (d.member === s.me) own.attendance = d.answer
  })],
  "meeting.suggested": ["meeting suggestion", (s, d) =>
    change(s, d.meeting, seen => { seen.meeting.suggestions = [...seen.meeting.suggestions, d.suggestion] })],
  "meeting.closed": ["meeting tally", (s, d) =>
    change(s, d.meeting, seen => Object.assign(seen.meeting, { tally: d.tally, state: "closed" }))],
  "meeting.handedOver": ["meeting host from tally", (s, d) => change(s, d.meeting, seen => {
    Object.assign(seen.meeting, { tally: d.tally, host: d.host })
    if (d.host === s.me) seen.own = part(false)
    if (d.from === s.me) seen.own = part(true)
  })],
  "meeting.hidden meeting.deleted meeting.ended meeting.cancelled":
    ["meeting", (s, d) => { s.meetings = without(s.meetings, d.meeting, byMeeting) }],
  "activity.announced": ["text", (s, d, e) => {
    const { at, by, about } = e, id = about.slice("announcement/".length)
    if (by !== null && by === s.me || s.inbox.entries.some(one => one.id === id)) return
    const line = by === null ? { kind: "announcement", at } : { kind: "announcement", at, by }
    enter(s, { id, about, official: true, unread: true, at, title: title(d.text), lines: [line], more: 0 })
    s.inbox.unread = Math.min(s.inbox.unread + 1, 999)
  }],
  "activity.corrected": ["text", (s, d, e) => {
    const { about } = e, text = title(d.text)
    s.inbox.entries = s.inbox.entries.map(one => one.about === about ? { ...one, title: text } : one)
  }],
  "activity.added": ["entry unread", (s, d) => { enter(s, d.entry); s.inbox.unread = d.unread }],
  "activity.read": ["upTo unread", (s, d) => leave(s, d, one => one.at <= d.upTo)],
  "activity.dismissed": ["id unread", (s, d) => leave(s, d, one => one.id === d.id)],
  "activity.removed": ["entries unread", (s, d) => leave(s, d, one => d.entries.includes(one.id))],
  "activity.digested": ["entry upTo unread", (s, d) => {
    leave(s, d, one => !one.official && one.at <= d.upTo)
    enter(s, d.entry)
  }],
  "profile.added profile.changed profile.shown": ["entry", (s, d) => { s.profiles = put(s.profiles, d.entry) }],
  "profile.hidden profile.removed": ["entry", (s, d) => { s.profiles = without(s.profiles, d.entry) }],
  "list.added list.changed list.shown": ["list", (s, d) => { s.lists = put(s.lists, d.list) }],
  "list.hidden list.removed": ["list", (s, d) => {
    s.lists = without(s.lists, d.list)
    s.listItems = s.listItems.filter(one => one.list !== d.list)
  }],
  "item.put": ["item", (s, d) => { s.listItems = put(s.listItems, d.item, byList) }],
  "item.removed": ["list item", (s, d) => { s.listItems = without(s.listItems, `${d.list} ${d.item}`, byList) }],
  "post.added post.updated post.shown": ["post", (s, d) => { s.posts = put(s.posts, d.post) }],
  "post.hidden post.removed": ["post", (s, d) => {
    s.posts = without(s.posts, d.post)
    s.comments = s.comments.filter(one => one.post !== d.post)
  }],
  "comment.added": ["comment comments", (s, d) => {
    s.comments = put(s.comments, d.comment, byPost)
    count(s, d.comment.post, d.comments)
  }],
  "comment.updated": ["comment", (s, d) => {
    s.comments = put(s.comments, d.comment, byPost)
    if (d.comments !== undefined) count(s, d.comment.post, d.comments)
  }],
  "comment.removed": ["post comment comments", (s, d) => {
    s.comments = without(s.comments, `${d.post} ${d.comment}`, byPost)
    count(s, d.post, d.comments)
  }],
  "like.set": ["post member", (s, d) => {
    const isMeant = one => d.comment ? one.post === d.post && one.id === d.comment : one.id === d.post
    for (const one of (d.comment ? s.comments : s.posts).filter(isMeant)) {
      one.likes = d.reaction ? put(one.likes, { member: d.member, reaction: d.reaction }, byMember)
        : without(one.likes, d.member, byMember)
    }
  }],
  "picture.added picture.updated picture.shown": ["picture", (s, d) => { s.pictures = put(s.pictures, d.picture) }],
  "picture.liked": ["picture member", (s, d) => {
    for (const one of s.pictures.filter(one => one.id === d.picture)) {
      one.likes = d.reaction ? put(one.likes ?? [], { member: d.member, reaction: d.reaction }, byMember)
        : without(one.likes ?? [], d.member, byMember)
    }
  }],
  "picture.hidden picture.removed": ["picture", (s, d) => { s.pictures = without(s.pictures, d.picture) }],
  "meal.put meal.shown": ["meal", (s, d) => { s.meals = put(s.meals, d.meal) }],
  "meal.hidden meal.removed": ["meal", (s, d) => { s.meals = without(s.meals, d.meal) }],
  "settings.changed": ["settings", (s, d) => { s.settings = d.settings }],
  "alarm.raised alarm.updated": ["alarm", (s, d) => { s.alarms = put(s.alarms, d.alarm) }],
  "alarm.answered": ["alarm call", (s, d) => {
    for (const one of s.alarms) if (one.id === d.alarm) one.called = put(one.called, d.call, byMember)
  }],
  "alarm.reached": ["alarm member at", (s, d) => {
    for (const one of s.alarms) {
      if (one.id === d.alarm) for (const call of one.called) if (call.member === d.member) call.reached = d.at
    }
  }],
  "alarm.moved": ["alarm position", (s, d) => {
    for (const one of s.alarms) if (one.id === d.alarm) one.position = d.position
  }],
  "alarm.ended": ["alarm kind raiser cause", (s, d) => { s.alarms = without(s.alarms, d.alarm) }],
  "room.opened room.shown": ["room", enterRoom],
  "room.updated": ["room", (s, d) => {
    if (s.rooms.some(seen => byRoom(seen) === d.room.id)) within(s, d.room.id, seen => { seen.room = d.room })
    else enterRoom(s, d)
  }],
  "room.hidden": ["room", (s, d) => { s.rooms = without(s.rooms, d.room, byRoom) }],
  "room.read": ["room own", (s, d) => within(s, d.room, seen => {
    seen.own = d.own
    if (d.last) seen.last = d.last
    else delete seen.last
  })],
  "message.sent": ["message", (s, d) => within(s, d.message.room, seen => {
    seen.last = newest(d.message)
    if (d.message.author === s.me) Object.assign(seen.own, { unread: 0, upTo: d.message.id })
    else seen.own.unread += 1
  })],
  "message.updated": ["message", (s, d) => within(s, d.message.room, seen => {
    if (seen.last?.id === d.message.id) seen.last = newest(d.message)
  })],
  "notice.devices": ["devices", (s, d) => { s.noticeDevices = d.devices }],
}
const rules = Object.fromEntries(Object.entries(table).flatMap(([types, [needs, how]]) =>
  types.split(" ").map(type => [type, { needs: needs.split(" "), how }])))
const empty = () => ({ households: [], members: [], positions: [], sharing: { state: "off" }, places: [], meetings: [],
  inbox: { entries: [], unread: 0 }, profiles: [], settings: {}, noticeDevices: [], lists: [], listItems: [],
  posts: [], comments: [], alarms: [], rooms: [], pictures: [], meals: [] })

/// Applies an event to what a client holds.
export function fold(held, event) {
  const rule = rules[event.type]
  if (!rule || rule.needs.some(name => !(name in event.data))) return held
  const all = { ...empty(), ...held }
  rule.how(all, event.data, event)
  for (const name in empty()) if (!(name in held)) delete all[name]
  return all
}

/// What is to be seen of it: it equals a fresh snapshot at every `upto`.
export function shown(held) {
  if (!held.inbox) return held
  const utf8 = new TextEncoder()
  let bytes = 0
  const isInView = (one, at) => at < 100 && (bytes += utf8.encode(JSON.stringify(one)).length + 1) <= 31000
  const end = held.inbox.entries.findIndex((one, at) => !isInView(one, at))
  return { ...held, inbox: { ...held.inbox, entries: end < 0 ? held.inbox.entries : held.inbox.entries.slice(0, end) } }
}
