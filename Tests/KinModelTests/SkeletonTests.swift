import KinModel
import Testing

@Suite struct SkeletonTests {
    @Test(arguments: [
        ("Ada", "Аda"), ("Ada", "АԀА"), ("Ada", "ADA"), ("Ada", "Αda"), ("Ada", "Ａｄａ"), ("Ada", "𝐀𝒹𝖆"),
        ("Ada", " Ada  "),
        ("Ada", "A\u{200D}da"), ("Bob", "B0b"), ("Lili", "I1l1"), ("Ian", "lan"), ("Mia", "Мiа"), ("Marn", "Mam"),
        ("Zoë", "Zoe\u{308}"), ("Noël", "Nоёl"), ("Xaver", "Χaver"), ("Ada L", "Ada\u{A0}L"), ("Fiona", "ﬁona"),
        ("葛", "葛\u{E0100}"), ("ᠠ", "ᠠ\u{180B}"),
        ("🏴", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"), ("❤", "❤\u{FE0F}"),
        ("O'Neill", "O’Neill"), ("Hans", "Ηans"), ("Max", "Ｍах"), ("Viktor", "Ⅴiktor"), ("Åsa", "A\u{30A}sa"),
    ])
    func `names that look the same have one skeleton`(one: String, other: String) {
        #expect(Skeleton(one) == Skeleton(other))
    }

    @Test(arguments: [
        ("Ada", "Ida"), ("Ada", "Adam"), ("Zoë", "Zoe"), ("Bob", "Rob"), ("Иван", "Ivan"), ("Ada L", "AdaL"),
        ("阿达", "阿大"),
    ])
    func `names that look different have two`(one: String, other: String) { #expect(Skeleton(one) != Skeleton(other)) }

    private func member(_ number: UInt64, _ name: String, _ username: String) -> Member {
        Member(
            id: Identifier(high: 1, low: number), username: username, displayName: name, role: .member, kind: .adult,
            household: Identifier(high: 2, low: 1))
    }

    @Test func `names that look the same are shown with the username, others without`() {
        let (ada, fake, bob) = (member(1, "Ada", "ada"), member(2, "Аda", "ada2"), member(3, "Bob", "bob"))
        var names = ShownNames([ada, fake, bob])
        #expect(names[ada.id] == "Ada (ada)" && names[fake.id] == "Аda (ada2)" && names[bob.id] == "Bob")
        #expect(names[Identifier(high: 9, low: 9)] == nil)
        // Renamed: told apart no longer.
        names.learn(member(2, "Eve", "ada2"))
        #expect(names[ada.id] == "Ada" && names[fake.id] == "Eve")
        // An event for guests says no username; it is known from before.
        names.learn(member(2, "Ada", ""))
        #expect(names[fake.id] == "Ada (ada2)")
        // A guest knows none.
        #expect(ShownNames([member(1, "Ada", ""), member(2, "Ada", "")])[ada.id] == "Ada")
    }

    @Test func `nobody is called like another with the username behind`() {
        let names = ShownNames([member(1, "Ada", "ada"), member(2, "Ada (ada)", "eve")])
        #expect(names[Identifier(high: 1, low: 2)] == "Ada (ada) (eve)")
    }

    @Test(arguments: ["Ada\u{200B}", "A\u{202E}da", "\u{2066}Ada", "Ada\u{E0067}", "A\u{FE0F}da", "Ada\u{3164}"])
    func `a name from before the rule is shown without what is not seen, and told apart`(name: String) {
        let names = ShownNames([member(1, "Ada", "ada"), member(2, name, "eve")])
        #expect(names[Identifier(high: 1, low: 1)] == "Ada (ada)")
        #expect(names[Identifier(high: 1, low: 2)] == "Ada (eve)")
        #expect(ShownNames([member(2, name, "eve")])[Identifier(high: 1, low: 2)] == "Ada")
    }

    @Test func `a name of which nothing can be seen is the username`() {
        #expect(ShownNames([member(2, "\u{3164}\u{200B} ", "eve")])[Identifier(high: 1, low: 2)] == "eve")
    }

    @Test(arguments: [
        "می\u{200C}خواهم", "क्\u{200D}ष", "👩\u{200D}👧", "❤\u{FE0F}", "葛\u{E0100}城", "ᠨ\u{180E}ᠠ",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "Zoë", "עדה",
    ])
    func `what scripts and emoji need stays on screens`(name: String) {
        #expect(Unseen.cleaned(name).unicodeScalars.elementsEqual(name.unicodeScalars))
        #expect(
            ShownNames([member(1, name, "x")])[Identifier(high: 1, low: 1)]?.unicodeScalars.count
                == name.unicodeScalars.count)
    }
}
