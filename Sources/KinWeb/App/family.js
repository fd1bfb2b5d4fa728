// SPDX-License-Identifier: Apache-2.0
// The family: households as the tree they are, invites, contacts, one's own things.

import { act, acted, asked, button, field, lazily, settle, told, why } from "./base.js"
import { address, isOfThisMachine, thisBrowser } from "./browser.js"
import { ask, fill, h, say, show } from "./dom.js"
import { household, me, member, settings, state } from "./state.js"
import { face } from "./voice.js"
import { dated, languages, near, t } from "./words.js"

/** Members of a household as couples with their children below them; each once. */
function tree(members) {
  const here = new Map(members.map(one => [one.id, one])), shown = new Set()
  const couple = one => {
    shown.add(one.id)
    const pair = [one, ...one.partners.map(id => here.get(id)).filter(other => other && !shown.has(other.id))]
    for (const other of pair) shown.add(other.id)
    const children = members.filter(child => !shown.has(child.id) && child.parents.some(id => pair.some(each => each.id === id)))
    return { pair, children: children.map(child => shown.has(child.id) ? null : couple(child)).filter(Boolean) }
  }
  const roots = members.filter(one => !one.parents.some(id => here.has(id)))
  return [...roots, ...members].filter(one => !shown.has(one.id)).map(one => shown.has(one.id) ? null : couple(one)).filter(Boolean)
}

/** What is done with one member, loaded when somebody wants that. */
const contacts = sought => lazily(() => import("./contacts.js"), all => all.contacts(sought))
const ofPerson = then => state.line === "away" ? told(why({ code: 0 }), { isWrong: true }) : lazily(() => import("./person.js"), then)

class Family extends HTMLElement {
  connectedCallback() {
    if (this.homes) return
    this.homes = h("div", { class: "stack" })
    this.heading = h("h1", {}, t("tab.family"))
    this.invite = button(t("family.invite"), invite, { id: "invite", hidden: true })
    this.all = h("div", {}, this.homes, h("div", { class: "bar" }, this.invite, this.invites = button(t("invite.list"), () => ofPerson(all => all.invites()), { class: "quiet", id: "invites", hidden: true })),
      this.mine = h("section", { hidden: true }, h("h2", {}, t("family.mine")), h("ul", { class: "rows links" },
        [["family.my-settings", mySettings], ["family.my-picture", () => ofPerson(all => all.picture())], ["family.my-name", myName], ["family.my-profile", () => ofPerson(all => all.profile())], ["family.password", () => ofPerson(all => all.password())], ["family.sessions", () => ofPerson(all => all.sessions())], ["family.contacts", () => contacts("")], ["family.ringing", () => lazily(() => import("./ring-form.js"), all => all.ringing())], ["family.rules", () => lazily(() => import("./rules.js"), all => all.rules())], ["family.shortcuts", () => lazily(() => import("./shortcuts.js"), all => all.shortcuts())], ["family.this-browser", thisBrowser]]
          .map(([key, open]) => h("li", {}, button(t(key), () => open(), { class: "row plain", "data-open": key }))),
        [["family.this-phone", "/phone"], ["family.sharing", "/sharing"], ["family.household", "/household"]]
          .map(([key, href]) => h("li", {}, h("a", { class: "row", href }, t(key)))))),
      h("section", { class: "actions" }, button(t("family.sign-out"), signOut, { class: "quiet", id: "sign-out" }),
        this.source = button(t("map-source.title"), async () => (await import("./map-source.js")).mapSource(), { class: "quiet", id: "map-source", hidden: true }),
        this.walls = button(t("family.walls"), async () => (await import("./walls.js")).walls(), { class: "quiet", id: "walls", hidden: true }),
        ),
      this.close = h("section", { hidden: true }, h("h2", {}, t("family.close-part")), button(t("family.close"), () => ofPerson(all => all.closeFamily()), { class: "quiet danger" })))
    this.one = h("div", { hidden: true })
    this.append(this.heading, this.all, this.one)
    this.update(state)
  }

  open(id, query) {
    if (id === "contacts") contacts(query?.get("q") ?? "")
    this.shownID = id === "contacts" ? null : id
    this.drawn = null
    if (this.homes) this.update(state)
  }

  update({ snapshot }) {
    if (!snapshot || !this.homes) return
    show(this.all, !this.shownID)
    show(this.heading, !this.shownID)
    show(this.one, this.shownID)
    if (this.shownID) return this.person(this.shownID)
    const role = me()?.role
    // Before it is known who one is, there is nothing to change of it.
    show(this.mine, me())
    for (const one of [this.invite, this.invites]) show(one, role === "admin" || role === "head")
    for (const one of [this.close, this.walls, this.source]) show(one, role === "admin")
    show(this.all.querySelector("[data-open='family.contacts']").parentNode, role !== "guest")
    const key = JSON.stringify([snapshot.members, snapshot.households])
    if (key === this.drawn) return
    this.drawn = key
    fill(this.homes, ...(snapshot.households ?? []).map(home => {
      const members = (snapshot.members ?? []).filter(one => one.household === home.id)
      return h("section", { class: "card" }, h("h2", {}, home.name),
        members.length ? branches(tree(members.filter(one => one.kind !== "wall"))) : h("p", { class: "empty" }, t("family.empty-household")),
        members.filter(one => one.kind === "wall").map(one => h("p", { class: "soft" }, `${one.displayName}: ${t("kind.wall")}`)))
    }))
  }

  person(id) {
    const one = member(id)
    const key = JSON.stringify([one, (state.snapshot.profiles ?? []).filter(entry => entry.member === id), me()?.role, state.line === "live"])
    if (key === this.drawn) return
    this.drawn = key
    if (!one) return fill(this.one, h("p", {}, h("a", { href: "#/family" }, `‹ ${t("tab.family")}`)), h("p", { class: "empty" }, t("family.gone")))
    const entries = (state.snapshot.profiles ?? []).filter(entry => entry.member === id)
    const names = ids => ids.map(each => member(each)?.displayName).filter(Boolean).join(", ")
    const facts = [["family.role", t(`rank.${one.role}`)], ["family.household", household(one.household)?.name],
      ["family.parents", names(one.parents)], ["family.partners", names(one.partners)],
      ...entries.map(entry => [`profile.${entry.kind}`, entry.value, entry])].filter(([, value]) => value)
    fill(this.one, h("p", {}, h("a", { href: "#/family" }, `‹ ${t("tab.family")}`)),
      h("div", { class: "card person" }, h("div", { class: "bar" }, face(id), h("h1", {}, one.displayName)),
        h("dl", {}, facts.map(([key, value, entry]) => [h("dt", {}, entry?.label ?? t(key)), h("dd", {}, way(entry, value))])),
        this.hands = h("p", { class: "hint", hidden: true }),
        h("div", { class: "actions" }, h("a", { class: "button quiet", href: `#/map/${id}` }, t("family.on-map")),
          this.settings = h("a", { class: "button quiet", href: `/sharing/${id}`, hidden: true }, t("family.who-sees", { name: one.displayName })),
          this.talks = button(t("person.talks", { name: one.displayName }), () => ofPerson(all => all.talks(one)), { class: "quiet", hidden: true, id: "talks" }),
          me()?.role === "admin" && id !== state.snapshot.me ? button(t("family.sign-in-link"), () => signInLink(one), { class: "quiet", id: "sign-in-link" }) : null),
        one.kind === "wall" ? null : h("div", { class: "actions" },
          me()?.role !== "guest" ? button(t("person.relations"), () => ofPerson(all => all.relations(one)), { class: "quiet small", id: "relations" }) : null,
          me()?.role === "admin" ? button(t("person.role"), () => ofPerson(all => all.role(one)), { class: "quiet small", id: "role" }) : null,
          me()?.role === "admin" || id === state.snapshot.me
            ? button(t(id === state.snapshot.me ? "person.leave" : "person.remove"), () => ofPerson(all => all.remove(one)), { class: "quiet small danger", id: "remove" }) : null)))
    if (one.kind === "child") this.showHands(one)
  }

  /** In whose hands the settings of a child's whereabouts are: told to those who may know, the others see nothing of it. */
  async showHands(child) {
    let sharing
    try { ({ sharing } = await asked("sharing.show", child.id === state.snapshot.me ? {} : { member: child.id })) } catch { return }
    if (this.shownID !== child.id) return
    const holder = sharing.heldBy && (sharing.heldBy === state.snapshot.me ? "me" : member(sharing.heldBy)?.displayName)
    const key = holder === "me" ? "hands.me" : holder ? "hands.held" : sharing.parents ? "hands.nobody" : "hands.own"
    say(this.hands, `${t(sharing.state === "on" ? "hands.on" : "hands.off", { name: child.displayName })} ${t(key, { name: child.displayName, holder })}`)
    show(this.hands, true)
    show(this.settings, child.id !== state.snapshot.me)
    show(this.talks, holder === "me")
  }
}
customElements.define("kin-family", Family)

/** A way to reach somebody is a link; anything else is text. */
export function way(entry, value) {
  const scheme = { phone: "tel:", email: "mailto:" }[entry?.kind]
  if (scheme) return h("a", { href: scheme + value.replace(/[^\w@.+\-]/g, "") }, value)
  const [, year, month, day] = entry?.kind === "birthday" && /^(-|\d{4})-(\d\d)-(\d\d)$/.exec(value) || []
  if (month) return dated({ day: "numeric", month: "long", ...(year === "-" ? {} : { year: "numeric" }) })
    .format(Date.UTC(year === "-" ? 2000 : year, month - 1, day))
  if (entry?.kind === "link" && /^https?:\/\//i.test(value)) return h("a", { href: value, rel: "noreferrer noopener", target: "_blank" }, value)
  return value
}

/** What one is besides a grown member. */
const marksOf = one => [one.role !== "member" ? t(`rank.${one.role}`) : null, one.kind === "child" ? t("kind.child") : null].filter(Boolean)

function branches(list) {
  return h("ul", { class: "tree" }, list.map(({ pair, children }) => h("li", {},
    h("span", { class: "pair" }, pair.map(one => h("a", { class: "person", href: `#/family/${one.id}` }, face(one.id),
      h("span", {}, one.displayName, marksOf(one).length ? h("span", { class: "soft" }, marksOf(one).join(" · ")) : null)))),
    children.length ? branches(children) : null)))
}

// Invites ----------------------------------------------------------------------------------------------------------

async function invite() {
  const mine = me(), isAdmin = mine.role === "admin"
  const made = await ask(t("family.invite"), close => {
    const home = h("select", {}, (state.snapshot.households ?? []).filter(one => isAdmin || one.id === mine.household)
      .map(one => h("option", { value: one.id, selected: one.id === mine.household }, one.name)))
    const roles = isAdmin ? ["member", "head", "admin", "guest"] : ["member", "guest"]
    const role = h("select", {}, roles.map(one => h("option", { value: one }, t(`rank.${one}`))))
    const kind = h("select", {}, ["adult", "child"].map(one => h("option", { value: one }, t(`kind.${one}`))))
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const result = await act("invite.create", { household: home.value, role: role.value, kind: kind.value }, { mayWait: false })
      if (result) close(result)
    } }, field(t("invite.household"), home), field(t("invite.role"), role, t("invite.role-hint")), field(t("invite.kind"), kind),
    h("button", { type: "submit" }, t("invite.make")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
  if (!made) return
  await showLink(t("invite.title"), `${address()}/join/${made.code}`, isHere => t(isHere ? "invite.once-here" : "invite.once"))
}

/** For somebody who forgot their password: a link that signs in once. */
async function signInLink(one) {
  const made = await ask(t("family.sign-in-link"), close => h("div", {}, h("p", {}, t("family.sign-in-link-what", { name: one.displayName })),
    button(t("family.sign-in-link-make"), async () => {
      const result = await act("session.link", { member: one.id }, { mayWait: false })
      if (result) close(result)
    }), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave"))))
  if (!made) return
  await showLink(t("family.sign-in-link"), `${address()}/signin/${made.link}`, t("family.sign-in-link-once", { name: one.displayName, time: near(made.expires) }))
}

/** A link that is shown once: as a code to scan, to copy, to send. */
export async function showLink(title, link, hint, alt = t("invite.scan"), more = null) {
  const image = h("img", { class: "qr", alt, width: 280, height: 280 })
  try {
    const answer = await fetch("/app/qr", { method: "POST", headers: { "Content-Type": "text/plain" }, body: link })
    if (answer.ok) image.src = URL.createObjectURL(await answer.blob())
  } catch { /* The link by itself is good too. */ }
  await ask(title, close => h("div", {}, image.src && !isOfThisMachine(link) ? image : null, h("p", { class: "hint" }, typeof hint === "function" ? hint(isOfThisMachine(link)) : hint),
    isOfThisMachine(link) ? h("p", { class: "wrong" }, t("reach.here")) : null,
    h("p", { class: "link" }, link), more,
    h("div", { class: "actions" },
      button(t("invite.copy"), async () => {
        try { await navigator.clipboard.writeText(link); told(t("invite.copied")) } catch { told(t("invite.copy-by-hand"), { isWrong: true }) }
      }),
      navigator.share ? button(t("invite.share"), () => navigator.share({ title, url: link }).catch(() => {}), { class: "quiet", "data-do": "share" }) : null,
      h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.close")))))
  if (image.src) URL.revokeObjectURL(image.src)
}

// One's own --------------------------------------------------------------------------------------------------------

async function mySettings() {
  const now = settings()
  await ask(t("family.my-settings"), close => {
    const choice = (key, values, current) => h("select", { "data-setting": key }, h("option", { value: "" }, t("settings.as-browser")),
      values.map(([value, text]) => h("option", { value, selected: value === current }, text)))
    const language = choice("language", languages.map(one => [one, t(`language.${one}`)]), now.language)
    const theme = choice("theme", ["light", "dark"].map(one => [one, t(`theme.${one}`)]), now.theme)
    const size = choice("textSize", [14, 17, 20, 24, 30].map(one => [String(one), t(`size.${one}`)]), String(now.textSize ?? ""))
    const week = choice("weekStart", ["monday", "saturday", "sunday"].map(one => [one, dated({ weekday: "long" }).format(Date.UTC(2024, 0, { monday: 1, saturday: 6, sunday: 7 }[one]))]), now.weekStart)
    const clock = choice("clock", [["hours24", "18:04"], ["hours12", t("time.afternoon", { time: "6:04" })]], now.clock)
    const zone = h("input", { list: "zones", autocomplete: "off" })
    zone.value = now.zone ?? ""
    const zones = h("datalist", { id: "zones" }, (Intl.supportedValuesOf?.("timeZone") ?? []).map(value => h("option", { value })))
    const tabs = h("ol", { class: "rows" })
    const names = { chat: "chat", map: "map", meetings: "meetings", calendar: "calendar", lists: "lists", meals: "meals", posts: "posts", pictures: "pictures", activity: "inbox", members: "family" }
    const views = Object.keys(names)
    const order = [...(now.tabs ?? []).filter(one => views.includes(one)), ...views.filter(one => !(now.tabs ?? []).includes(one))]
    const draw = () => fill(tabs, ...order.map((view, at) => h("li", { class: "row" }, h("span", { class: "grow" }, t(`tab.${names[view]}`)),
      h("button", { type: "button", class: "quiet small", "aria-disabled": at ? null : "true", "aria-label": t("settings.up", { tab: t(`tab.${names[view]}`) }), onclick: () => {
        if (!at) return
        order.splice(at - 1, 2, view, order[at - 1])
        draw()
        // The same once more moves the same on.
        tabs.children[at - 1].querySelector("button").focus()
      } }, "↑"))))
    draw()
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      const isTaken = await acted("settings.set", { language: language.value || null, theme: theme.value || null,
        textSize: size.value ? Number(size.value) : null, zone: zone.value.trim() || null, weekStart: week.value || null, clock: clock.value || null, tabs: order })
      if (isTaken) { close(true); if (state.line === "live") told(t("settings.done")) }
    } }, field(t("settings.language"), language), field(t("settings.theme"), theme), field(t("settings.size"), size),
    field(t("settings.zone"), zone, t("settings.zone-hint")), zones, field(t("settings.clock"), clock), field(t("settings.week"), week),
    h("fieldset", {}, h("legend", {}, t("settings.tabs")), tabs),
    h("button", { type: "submit" }, t("act.save")), h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

async function myName() {
  const mine = me()
  await ask(t("family.my-name"), close => {
    const input = h("input", { maxlength: 64, required: true, autocomplete: "name" })
    input.value = mine.displayName
    return h("form", { onsubmit: async event => {
      event.preventDefault()
      if (await acted("member.update", { member: mine.id, displayName: input.value.trim() })) close(true)
    } }, field(t("family.name"), input), h("button", { type: "submit" }, t("act.save")),
    h("button", { type: "button", class: "quiet", onclick: () => close(null) }, t("act.leave")))
  })
}

async function signOut() {
  // Only the daemon ends a sign-in: without it this browser would be signed in still.
  if (state.line !== "live") return told(why({ code: 0 }), { isWrong: true })
  settle()
  dispatchEvent(new CustomEvent("kin-leave"))
}
