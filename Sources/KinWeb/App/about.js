// SPDX-License-Identifier: Apache-2.0
// Something of the family's that a post or a message shows: a meeting, a list, a place, a post.

import { meeting, state } from "./state.js"

/** Where something is looked at, and what it is called; null where one does not see it. */
export function thing(about) {
  const [kind, id] = (about ?? "").split("/"), s = state.snapshot
  const found = { meeting: () => meeting(id)?.meeting.title, list: () => (s.lists ?? []).find(one => one.id === id)?.name,
    place: () => (s.places ?? []).find(one => one.id === id)?.name, post: () => (s.posts ?? []).find(one => one.id === id)?.text?.slice(0, 60) }[kind]?.()
  return found ? { title: found, href: { meeting: `#/meetings/${id}`, list: `#/lists/${id}`, place: "#/map", post: `#/posts/${id}` }[kind], kind } : null
}
