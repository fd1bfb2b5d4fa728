// SPDX-License-Identifier: Apache-2.0
// What members think of something, in one of six words each: of a post, a comment, a piece of news, a picture.

import { h, say, set } from "./dom.js"
import { state } from "./state.js"
import { name, signs } from "./voice.js"
import { t } from "./words.js"

/** The six words, each a switch with how many chose it. `now` answers the likes as they are, `give` says a word or null. */
export function reactions(now, give) {
  const element = h("div", { class: "likes", role: "group", "aria-label": t("like.label") }, Object.entries(signs).map(([word, sign]) =>
    h("button", { type: "button", class: "quiet like", "data-word": word, onclick: () => {
      const mine = now()?.find(like => like.member === state.snapshot.me)?.reaction
      give(mine === word ? null : word)
    } }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: "n" }))))
  return { element, update(likes) {
    for (const one of element.children) {
      const word = one.dataset.word, those = likes.filter(like => like.reaction === word), names = those.map(like => name(like.member)).join(", ")
      say(one.querySelector(".n"), those.length ? String(those.length) : "")
      const says = [t(`like.${word}`), names].filter(Boolean).join(": ")
      set(one, { "aria-pressed": those.some(like => like.member === state.snapshot.me) ? "true" : "false", "aria-label": says, title: says })
    }
  } }
}

/** Who chose which, in a line. */
export const saidBy = likes => likes.map(like => `${signs[like.reaction] ?? ""} ${name(like.member)}`).join(", ")
