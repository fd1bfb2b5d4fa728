import KinFamily
import KinKeeper
import KinModel
import KinWords
import Testing

@testable import kin

/// The command line knows of each area what the daemon says of it.
@Suite struct CommandAreaTests {
    private static let kinds = Registry.family.areas.flatMap(\.inboxKinds)

    @Test func `what can be muted is what the daemon mutes`() {
        #expect(Inboxes.kinds.sorted() == Self.kinds.filter(\.isMutable).map(\.name).sorted())
    }

    @Test(arguments: Language.allCases) func `every kind of line of the inbox has a sentence`(language: Language) {
        Language.$current.withValue(language) {
            let voice = InboxVoice(names: Family.names, now: Family.now)
            for kind in Self.kinds {
                let sentence = voice.sentence(["kind": .string(kind.name)], of: .mine(Family.now))
                #expect(sentence != kind.name, "\(kind.name)")
            }
            #expect(voice.sentence(["kind": "chatSaid"], of: .mine(Family.now)) == "chatSaid")
        }
    }

    @Test func `no two areas share a command, a placeholder, a kind or a text`() {
        let areas = CommandArea.all
        func areApart(_ names: [String]) -> Bool { Set(names).count == names.count }
        #expect(areApart(Command.all.map(\.name)))
        #expect(areApart(areas.flatMap(\.lookups).flatMap { [$0.placeholder, $0.word] }))
        #expect(areApart(areas.flatMap(\.inboxKinds)))
        #expect(areApart(AreaWords.all.flatMap { $0.headings.keys }))
        for language in Language.allCases { #expect(areApart(language.own.keys + language.phrases.keys)) }
    }

    @Test func `each thing that is named is asked for by its own word`() {
        #expect(Usage("household move MEMBER HOUSEHOLD").words == [.typed(["move"]), .member, .household])
        #expect(Usage("meet show MEETING").words == [.typed(["show"]), .looked("meetings")])
        #expect(Usage("inbox mute KIND…").words == [.typed(["mute"]), .typed(Inboxes.kinds)])
    }
}
