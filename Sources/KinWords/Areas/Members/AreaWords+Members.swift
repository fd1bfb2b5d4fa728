import KinModel

/// The roster: members, households and roles, sign-ins, and who decides about whom.
extension MembersPart: Worded {
    package static var words: AreaWords {
        AreaWords(
            file: "members",
            known: [KnownPeople.self], sentence: { $0.family() },
            line: { (voice, line, entry) in voice.family(line, entry) },
            signs: ["member": ("family", "family"), "move": ("family", "family")])
    }
}
