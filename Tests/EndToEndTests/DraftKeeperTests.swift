import Testing

/// What the page keeps of a dialog that was left (`drafts.js`), run by Debian's Node.js with dialogs that have no screen.
@Suite struct DraftKeeperTests {
    private static let dialogs = #"""
        const kept = new Map(), listeners = new Set()
        globalThis.location = { hash: "#/pictures" }
        globalThis.addEventListener = (type, hear) => listeners.add(hear)
        globalThis.removeEventListener = (type, hear) => listeners.delete(hear)
        const ofTab = { getItem: key => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text), removeItem: key => kept.delete(key) }
        const h = () => ({ remove() {} }), t = key => key
        const hearing = () => {
          const all = {}
          return { addEventListener: (type, hear) => (all[type] ??= []).push(hear), tell: event => all[event.type]?.forEach(one => one(event)) }
        }
        const field = (type, value, own = null) => ({ type, value: own ?? value, checked: own !== null && value, hasAttribute: () => own !== null, dispatchEvent() {} })
        /** A dialog with these fields; `of` is the thing that its form names. */
        function open(title, fields, of) {
          const form = { dataset: of ? { of } : {}, querySelector: () => null, querySelectorAll: () => fields, prepend() {}, ...hearing() }
          const dialog = { open: true, querySelector: () => form, ...hearing() }
          keep(dialog, title)
          return {
            fields, type() { form.tell({ type: "input" }) },
            // By Escape.
            leave() { dialog.tell({ type: "cancel", target: dialog }); dialog.open = false; dialog.tell({ type: "close" }) },
          }
        }
        """#

    private static let judge = #"""
        const picture = of => open("picture", [field("text", ""), field("checkbox", false, "bob"), field("select-one", "everyone"), field("checkbox", false, "bob")], of)
        const place = lat => open("place", [field("text", ""), field("number", lat)])
        const values = ({ fields }) => fields.map(one => one.type === "checkbox" ? one.checked : one.value)
        const first = picture("1")
        first.fields[0].value = "Secret"
        first.fields[2].value = "some"
        first.fields[3].checked = true
        first.type()
        first.leave()
        const spot = place("48")
        spot.fields[0].value = "Hut"
        spot.type()
        spot.leave()
        const told = [picture("2"), picture("1"), place("11")].map(values)
        location.hash = "#/chat/1"
        told.push(values(place("48")))
        console.log(JSON.stringify(told))
        """#

    @Test func `a draft comes back in its own dialog alone, with what was touched and no more`() throws {
        let module = try JavaScriptTests.text(Stage.root + "/Sources/KinWeb/App/drafts.js")
        let bare = module.split(separator: "\n").filter { !$0.hasPrefix("import ") }
            .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }.joined(separator: "\n")
        let stage = try Stage()
        let path = stage.folder + "/drafts.mjs"
        try JavaScriptTests.write([Self.dialogs, bare, Self.judge].joined(separator: "\n"), path)
        let told = try stage.run("node", path)
        // Another picture shows nothing of it. Its own has all, and bob sees it without being in it. Another spot of the map
        // stays where it is. On another screen there is nothing.
        #expect(
            told.lines.last == #"[["",false,"everyone",false],["Secret",false,"some",true],["Hut","11"],["","48"]]"#,
            "\(told.said)")
    }
}
