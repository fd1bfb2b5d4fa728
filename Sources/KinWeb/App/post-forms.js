// SPDX-License-Identifier: Apache-2.0
// Forms in which a post or a comment is changed. They are loaded when somebody changes one.

import { act, asked, field, told, whom } from "./base.js"
import { ask, h } from "./dom.js"
import { t } from "./words.js"

/** A form with a text. */
const form = (close, submit, ...fields) => h("form", { onsubmit: async event => { event.preventDefault(); if (await submit()) close(true) } }, ...fields,
  h("div", { class: "actions" }, h("button", { type: "submit" }, t("act.save")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))

/** Changes a comment. */
export const change = one => ask(t("comment.edit"), close => {
  const text = h("textarea", { rows: 3, maxlength: 2000, required: true })
  text.value = one.text
  return form(close, () => act("comment.update", { post: one.post, comment: one.id, text: text.value.trim() }, { mayWait: false }), field(t("post.text"), text))
})

/** Changes a post, and who sees it. */
export async function edit(post) {
  let audience = "everyone"
  try { ({ post: { audience = "everyone" } } = await asked("post.show", { post: post.id })) } catch {
    return told(t("act.not-reached"), { isWrong: true })
  }
  await ask(t("post.edit"), close => {
    const text = h("textarea", { rows: 4, maxlength: 4000, id: "edit-text" }), link = h("input", { type: "url", maxlength: 2048 }), who = whom(audience, post.author)
    text.value = post.text ?? ""
    link.value = post.link ?? ""
    return form(close, () => {
      const now = { text: text.value.trim() || null, link: link.value.trim() || null }
      const said = Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== (post[key] ?? null)))
      return act("post.update", { post: post.id, ...said, audience: who.value() }, { mayWait: false })
    }, field(t("post.text"), text), field(t("post.link"), link), field(t("list.for"), who.choice), who.people, h("p", { class: "hint" }, t("post.edit-ends")))
  })
}
