// SPDX-License-Identifier: Apache-2.0
// One member: what they may do, whose parent or partner they are, with whom a child talks, that they leave; what one says
// of oneself, one's picture and the password; invites and sign-ins; and the family's end. It is loaded when somebody opens
// one of these.

import { act, asked, button, ends, field, hasRows, settle, terminal, told, undoable, whom, why } from "./base.js"
import { ask, fill, h, show } from "./dom.js"
import { changed, household, me, member, people, state, whenChanged } from "./state.js"
import { name as nameOf } from "./voice.js"
import { age, knows, near, t } from "./words.js"

const leaves = close => h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))
const form = (submit, ...inside) => h("form", { onsubmit: event => { event.preventDefault(); return submit(event) } }, ...inside)
const choice = (all, current, props = {}) => h("select", props, all.map(([value, text]) => h("option", { value, selected: value === current }, text)))
const named = some => some.map(one => [one.id, one.displayName]).sort((a, b) => a[1].localeCompare(b[1]))

/** What a member may do; for admins. */
export const role = one => ask(t("person.role"), close => {
  const roles = choice(["member", "head", "admin", "guest"].map(word => [word, t(`rank.${word}`)]), one.role, { id: "member-role" })
  return form(async () => {
    if (await act("member.setRole", { member: one.id, role: roles.value }, { mayWait: false })) close(true)
  }, field(t("person.role-of", { name: one.displayName }), roles, t("person.role-hint")),
  h("button", { type: "submit" }, t("act.save")), leaves(close))
})

/** Takes a member out of the family, or oneself. There is no way back, so it is asked; and what becomes of the member's things. */
export async function remove(one) {
  const isMe = one.id === state.snapshot.me, { displayName: name } = one
  const heirs = people().filter(other => other.id !== one.id && other.role !== "guest")
  const done = await ask(t(isMe ? "person.leave" : "person.remove"), close => {
    const heir = choice(named(heirs), isMe ? null : state.snapshot.me, { id: "heir" })
    const keep = choice([...heirs.length ? [["hand-over", t("person.hand-over")]] : [], ["delete", t("person.delete")]], null, { id: "keep-what" })
    const heirField = field(t("person.heir"), heir)
    keep.onchange = () => show(heirField, keep.value === "hand-over")
    keep.onchange()
    return form(async () => {
      const given = keep.value === "hand-over" ? { to: heir.value } : {}
      if (await act("member.remove", { member: one.id, keep: keep.value, ...given }, { mayWait: false })) close(true)
    }, h("p", {}, t(isMe ? "person.leave-what" : "person.remove-what", { name })), field(t("person.keep"), keep), heirField,
    h("button", { type: "submit", class: "danger" }, t(isMe ? "person.leave" : "person.remove")), leaves(close))
  })
  if (!done || isMe) return
  location.hash = "#/family"
  told(t("person.removed", { name }))
}

const isOf = { parent: "person.parent-of", partner: "person.partner-of", child: "person.child-of" }
/** Whose parent, child or partner a member is. Who may say so the daemon decides. */
export const relations = one => ask(t("person.relations"), close => {
  const children = people().filter(other => other.parents.includes(one.id)), { displayName: name } = one
  const relate = async (kind, other, more = {}) => {
    const said = { parent: { member: other, parentOf: one.id }, child: { member: one.id, parentOf: other }, partner: { member: one.id, partnerOf: other } }[kind]
    if (await act("member.relate", { ...said, ...more }, { mayWait: false })) close(true)
  }
  const rows = [...one.parents.map(id => ["parent", id]), ...one.partners.map(id => ["partner", id]), ...children.map(other => ["child", other.id])]
    .filter(([, id]) => member(id)).map(([kind, id]) => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, member(id).displayName), h("span", { class: "soft" }, t(isOf[kind], { name }))),
      button("✗", () => relate(kind, id, { remove: true }), { class: "quiet small", "aria-label": t("person.unrelate", { other: member(id).displayName }) })))
  const who = choice(named(people().filter(other => other.id !== one.id)), null, { id: "relative" })
  const kind = choice(["parent", "partner", "child"].map(word => [word, t(isOf[word], { name })]), null, { id: "relation" })
  return form(() => relate(kind.value, who.value), h("ul", { class: "rows" }, rows), rows.length ? null : h("p", { class: "empty" }, t("person.no-relations")),
    who.options.length ? [field(t("person.who"), who), field(t("person.is"), kind), h("button", { type: "submit" }, t("person.relate"))] : null, leaves(close))
})

/** With whom a child has rooms, for who holds its settings: neither what is said there, nor what they are called. */
export async function talks(one) {
  let rooms
  try { ({ rooms } = await asked("room.of", { member: one.id })) } catch (error) { return told(why(error), { isWrong: true }) }
  await ask(t("person.talks", { name: one.displayName }), close => h("div", {}, h("p", { class: "hint" }, t("person.talks-what")),
    h("ul", { class: "rows", id: "rooms-of" }, rooms.map(room => h("li", { class: "row" }, h("span", { class: "grow" },
      h("strong", {}, room.members.filter(id => id !== one.id).map(id => nameOf(id)).join(", ")), h("span", { class: "soft" }, t(room.kind === "direct" ? "person.talks-direct" : "person.talks-group")))))),
    rooms.length ? null : h("p", { class: "empty" }, t("person.talks-none")),
    h("div", { class: "actions" }, h("button", { type: "button", onclick: () => close(null) }, t("act.close")))))
}

// What one says of oneself -------------------------------------------------------------------------------------------

const kinds = ["about", "birthday", "phone", "email", "address", "link"]
/** Of these a member says one. */
const once = ["about", "birthday"]
const types = { birthday: "date", phone: "tel", email: "email", link: "url" }
/** What is taken back here, and may be had back. */
const going = new Set()
const own = () => (state.snapshot.profiles ?? []).filter(one => one.member === state.snapshot.me && !going.has(one.id))
const called = one => one.label ?? t(`profile.${one.kind}`)
function takeBack(one) {
  undoable(t("profile.removed", { what: called(one) }), "profile.remove", { entry: one.id }, () => { going.add(one.id); changed() }, () => { going.delete(one.id); changed() })
}

/** All of it, as it is now; what is new is added below. */
export async function profile() {
  let draw = () => {}
  const off = whenChanged(() => draw()), { hash } = location
  for (;;) {
    const next = await ask(t("family.my-profile"), close => {
      const rows = h("ul", { class: "rows", id: "my-entries" }), none = h("p", { class: "empty" }, t("profile.none")), more = h("div", { class: "actions" })
      draw = () => {
        const key = JSON.stringify(own())
        if (rows.dataset.shown === key) return
        rows.dataset.shown = key
        fill(rows, own().map(one => h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, called(one)), h("span", { class: "words" }, one.value)),
          button(t("profile.change"), () => close({ entry: one.id }), { class: "quiet small" }),
          button("✗", () => takeBack(one), { class: "danger small", "aria-label": t("profile.remove", { what: called(one) }) }))))
        show(none, !own().length)
        fill(more, kinds.filter(kind => !once.includes(kind) || !own().some(one => one.kind === kind))
          .map(kind => button(`+ ${t(`profile.${kind}`)}`, () => close({ kind }), { class: "quiet small", "data-kind": kind })))
      }
      draw()
      return h("div", {}, rows, none, more, h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
    })
    if (!next) return off()
    await write(next)
    // Whoever went to another screen meanwhile stays there.
    if (location.hash !== hash) return off()
  }
}

async function write({ kind, entry }) {
  let one = null
  if (entry) {
    try { ({ entry: one } = await asked("profile.show", { entry })) } catch (error) { return told(why(error), { isWrong: true }) }
  }
  const what = one?.kind ?? kind
  await ask(t(`profile.${what}`), close => {
    const isLong = what === "about" || what === "address"
    const value = isLong ? h("textarea", { rows: 3, maxlength: 500, required: true }) : h("input", { type: types[what] ?? "text", maxlength: 500, required: true, autocomplete: "off" })
    value.id = "profile-value"
    const isYearless = one?.value.startsWith("--"), yearless = h("input", { type: "checkbox", checked: isYearless })
    value.value = isYearless ? `2000${one.value.slice(1)}` : one?.value ?? ""
    const label = h("input", { maxlength: 32, autocomplete: "off" })
    label.value = one?.label ?? ""
    const who = whom(one?.audience ?? "everyone", undefined, { alone: true })
    return form(async () => {
      // What is taken back goes first: of some there is one only.
      settle()
      const said = { value: what === "birthday" && yearless.checked ? `-${value.value.slice(4)}` : value.value.trim(), audience: who.value(),
        ...(once.includes(what) ? {} : label.value.trim() ? { label: label.value.trim() } : one?.label ? { label: null } : {}) }
      if (await act(one ? "profile.update" : "profile.add", one ? { entry: one.id, ...said } : { kind: what, ...said }, { mayWait: false })) close(true)
    }, field(t(`profile.${what}`), value), what === "birthday" ? h("label", { class: "check" }, yearless, t("profile.yearless")) : null,
    once.includes(what) ? null : field(t("profile.label"), label, t("profile.label-hint")), field(t("list.for"), who.choice), who.people,
    h("button", { type: "submit" }, t("act.save")), leaves(close))
  })
}

/** A new password takes the old one; the other devices are signed out by it. */
export const password = () =>
  ask(t("family.password"), close => {
    const kinds = { old: "current-password", new: "new-password" }
    const [old, fresh] = Object.values(kinds).map(autocomplete => h("input", { type: "password", required: true, autocomplete }))
    fresh.minLength = 8
    const username = h("input", { type: "text", autocomplete: "username", hidden: true })
    username.value = me()?.username ?? ""
    const [oldField, freshField] = [field(t("password.old"), old), field(t("password.new"), fresh, t("password.hint"))]
    const seen = h("input", { type: "checkbox", onchange: () => { for (const one of [old, fresh]) one.type = seen.checked ? "text" : "password" } })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      for (const one of [oldField, freshField]) one.refuse(null)
      try {
        await asked("password.change", { old: old.value, new: fresh.value })
        close(true)
        told(t("password.done"))
      } catch (error) {
        const text = why(error);
        (error.data?.field === "new" ? freshField : oldField).refuse(text)
      }
    } }, username, oldField, freshField, h("p", {}, h("label", {}, seen, ` ${t("password.show")}`)), h("p", { class: "hint" }, t("password.others")),
    h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })

// What one looks like ------------------------------------------------------------------------------------------------

const pictureSide = 512, pixelsMax = 4096 * 4096
/** A file as pixels. A huge one is made smaller at once: phones have no room for 40 megapixels that are looked at and moved. */
async function pixels(file) {
  const whole = await createImageBitmap(file), many = whole.width * whole.height
  if (many <= pixelsMax) return whole
  const scale = Math.sqrt(pixelsMax / many)
  const small = await createImageBitmap(whole, { resizeWidth: Math.round(whole.width * scale), resizeHeight: Math.round(whole.height * scale), resizeQuality: "medium" })
  whole.close()
  return small
}

/** Whether a file is HEIC, as iPhones take pictures; by its first bytes (ISO 23008-12), for a name says nothing. */
async function isHEIC(file) {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(4, 12).arrayBuffer()))
  return /^ftyp(hei|hev|mif1|msf1)/.test(head)
}

/** A picture is cut square and made small in the browser; what leaves it carries no place and no camera. */
export async function picture() {
  const mine = me()
  await ask(t("family.my-picture"), close => {
    const canvas = h("canvas", { width: pictureSide, height: pictureSide, class: "crop", hidden: true, tabindex: "0", role: "img", "aria-label": t("picture.preview") })
    const zoom = h("input", { type: "range", min: 1, max: 4, step: 0.05, hidden: true, "aria-label": t("picture.zoom") })
    const wrong = h("p", { class: "wrong", role: "alert", hidden: true })
    const save = h("button", { type: "submit", hidden: true }, t("act.save"))
    let image = null, scale = 1, x = 0, y = 0
    const draw = () => {
      const side = Math.min(image.width, image.height) / scale
      x = Math.max(0, Math.min(image.width - side, x))
      y = Math.max(0, Math.min(image.height - side, y))
      canvas.getContext("2d").drawImage(image, x, y, side, side, 0, 0, pictureSide, pictureSide)
    }
    zoom.oninput = () => {
      const before = Math.min(image.width, image.height) / scale
      scale = Number(zoom.value)
      const after = Math.min(image.width, image.height) / scale
      x += (before - after) / 2
      y += (before - after) / 2
      draw()
    }
    const move = (dx, dy) => { const side = Math.min(image.width, image.height) / scale; x -= dx * side; y -= dy * side; draw() }
    canvas.onpointermove = event => { if (event.buttons) move(event.movementX / canvas.clientWidth, event.movementY / canvas.clientHeight) }
    canvas.onkeydown = event => {
      const step = { ArrowLeft: [0.05, 0], ArrowRight: [-0.05, 0], ArrowUp: [0, 0.05], ArrowDown: [0, -0.05] }[event.key]
      if (step) { event.preventDefault(); move(...step) }
    }
    const file = h("input", { type: "file", accept: "image/*", onchange: async () => {
      const [chosen] = file.files
      if (!chosen) return
      wrong.hidden = true
      file.setAttribute("aria-busy", "true")
      try {
        const found = await pixels(chosen)
        if (file.files[0] !== chosen) return
        image?.close()
        image = found
        zoom.value = "1"
        scale = 1
        x = (image.width - Math.min(image.width, image.height)) / 2
        y = (image.height - Math.min(image.width, image.height)) / 2
        for (const one of [canvas, zoom, save]) one.hidden = false
        draw()
      } catch {
        // What was chosen before is not sent in the place of what cannot be read.
        for (const one of [canvas, zoom, save]) one.hidden = true
        wrong.textContent = t(await isHEIC(chosen).catch(() => false) ? "picture.heic" : "picture.unreadable")
        wrong.hidden = false
      } finally { file.removeAttribute("aria-busy") }
    } })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const data = canvas.toDataURL("image/jpeg", 0.85).split(",")[1]
      if (await act("member.setPicture", { member: mine.id, picture: data }, { mayWait: false })) close(true)
    } }, field(t("picture.choose"), file, t("picture.hint")), wrong, canvas, zoom, save,
    mine.picture ? h("button", { type: "button", class: "danger", onclick: () => { close(true); undoable(t("picture.removed"), "member.removePicture", { member: mine.id }) } }, t("picture.remove")) : null,
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

// What was given, and ends here --------------------------------------------------------------------------------------

const ended = what => t("act.ended", { what })

/** Invites that are open, without their codes, which were shown once. */
export async function invites() {
  const { invites: all } = await asked("invite.list", {})
  await ask(t("invite.list"), close => {
    const rows = h("ul", { class: "rows" }), empty = h("p", { class: "empty" }, t("invite.none"))
    const count = () => show(empty, !hasRows(rows))
    for (const one of all) {
      const title = [household(one.household)?.name, t(`rank.${one.role}`), one.kind === "child" ? t("kind.child") : ""].filter(Boolean).join(" · ")
      const row = h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, title),
        h("span", { class: "soft" }, [t("invite.until", { time: near(one.expires) }), t("invite.used", { used: one.used, uses: one.uses }),
          one.by && member(one.by) ? t("invite.by", { name: member(one.by).displayName }) : ""].filter(Boolean).join(" · "))),
      button(t("invite.revoke"), () => ends(row, ended(title), "invite.revoke", { invite: one.id }, count), { class: "danger small" }))
      rows.append(row)
    }
    count()
    return h("div", {}, rows, empty, h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}

export async function sessions() {
  const [{ sessions: all }, { appPasswords }, { feeds }] = await Promise.all([asked("session.list", {}), asked("appPassword.list", {}), asked("calendar.feeds", {})])
  await ask(t("family.sessions"), close => {
    const rows = h("ul", { class: "rows" })
    for (const one of all) {
      const row = h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, one.device),
        h("span", { class: "soft" }, [one.isThisOne ? t("session.this") : t("session.used", { age: age(one.usedAt) }), one.address].filter(Boolean).join(" · "))),
      one.isThisOne ? null : button(t("session.end"), () => ends(row, ended(one.device), "session.revoke", { session: one.id }), { class: "danger small" }))
      rows.append(row)
    }
    // What was given to apps and to calendar programs ends here, too.
    const given = (key, some, method, what) => some.length ? h("section", {}, h("h3", {}, t(key)), h("ul", { class: "rows", "data-given": what }, some.map(one => {
      const row = h("li", { class: "row" }, h("span", { class: "grow" }, h("strong", {}, one.device ?? one.name),
        h("span", { class: "soft" }, [one.scope && knows(`session.scope.${one.scope}`) ? t(`session.scope.${one.scope}`) : null, one.usedAt ?? one.used ? t("session.used", { age: age(one.usedAt ?? one.used) }) : t("session.unused")].filter(Boolean).join(" · "))),
      button(t("session.end-given"), () => ends(row, ended(one.device ?? one.name), method, { [what]: one.id }), { class: "danger small" }))
      return row
    }))) : null
    return h("div", {}, h("p", { class: "hint" }, t("session.hint")), rows,
      given("session.app-passwords", appPasswords, "appPassword.revoke", "appPassword"), given("session.feeds", feeds, "calendar.removeFeed", "feed"), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))
  })
}

// The family's end ---------------------------------------------------------------------------------------------------

/** There is no way back: whoever closes types the family's name. */
export async function closeFamily() {
  const name = state.snapshot.family.name
  await ask(t("family.close"), close => {
    const input = h("input", { autocomplete: "off", required: true })
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      if (!await act("family.close", { confirm: input.value }, { mayWait: false })) return
      close(true)
      dispatchEvent(new CustomEvent("kin-leave"))
    } }, h("p", {}, t("family.close-what")), terminal("kin backup"), field(t("family.close-name", { name }), input),
    h("button", { type: "submit", class: "danger" }, t("family.close")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}
