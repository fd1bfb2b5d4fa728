// SPDX-License-Identifier: Apache-2.0
// Links that show one post to people outside the family, until they end. It is loaded when somebody asks for such links.

import { act, asked, button, field, told } from "./base.js"
import { address } from "./browser.js"
import { ask, fill, h, show } from "./dom.js"
import { showLink } from "./family.js"
import { now as present } from "./served.js"
import { state } from "./state.js"
import { near, t } from "./words.js"

const day = 86_400_000

/** The links to a post, each with a way to end it; and a form for another, for its author. */
export async function links(post) {
  let all
  try { all = (await asked("post.links", { post: post.id })).links } catch { return told(t("act.not-reached"), { isWrong: true }) }
  const isOwn = post.author === state.snapshot.me
  const made = await ask(t("post.links"), close => {
    const rows = h("ul", { class: "rows", id: "post-links" })
    const draw = () => {
      fill(rows, ...all.map(one => h("li", { class: "row" }, h("span", { class: "grow" }, t("post.link-until", { time: near(one.until) })),
        button(t("post.link-end"), async () => {
          if (!await act("post.unshare", { link: one.id }, { mayWait: false })) return
          all = all.filter(other => other !== one)
          draw()
        }, { class: "quiet small danger" }))))
      show(rows, all.length)
    }
    draw()
    const days = h("select", { id: "link-days" }, [1, 7, 30].map(n => h("option", { value: n, selected: n === 7 }, t("post.link-days", { n }))))
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      // A minute less: the daemon's clock may be a little behind this one.
      const until = new Date(present() + Number(days.value) * day - 60_000).toISOString()
      const result = await act("post.share", { post: post.id, until }, { mayWait: false })
      if (result) close(result)
    } }, rows, h("p", { class: "hint" }, t("post.link-about")), isOwn ? field(t("post.link-for"), days) : null,
    h("div", { class: "actions" }, isOwn ? h("button", { type: "submit", id: "make-link" }, t("post.link-make")) : null,
      button(t("act.close"), () => close(null), { class: "quiet" })))
  })
  if (made) await showLink(t("post.link-made"), `${address()}/shared/${made.secret}`, t("post.link-once", { time: near(made.link.until) }))
}
