extension VCardFile {
    /// Checks the reader of vCards: it accepts any bytes, judges each entry, and keeps its bounds.
    static func judge(_ input: [UInt8], isPlanted: Bool) {
        let file = VCardFile(input, entriesMax: 20)
        precondition(file.entryCount <= 20, "more entries were read than may be")
        precondition(file.isSound, "an entry is neither taken nor refused with a reason")
        if isPlanted { precondition(!file.names.contains("planted"), "planted") }
    }
}
