import KinModel
import KinPicture

extension Pictures {
    /// Checks what is cut out of films, within the daemon: any bytes are a film or refused, nothing moves, and done twice it
    /// changes nothing more.
    static func judgeFilm(_ input: [UInt8], isPlanted: Bool) {
        var film = FilmBytes(input)
        guard let found = try? Film.clean(&film) else { return }
        precondition(film.count == input.count, "a film has another length")
        var again = film
        let second = try? Film.clean(&again)
        precondition(second == found && again.bytes == film.bytes, "a film that was cut is another once more")
        if isPlanted { precondition(found.seconds != 3, "planted") }
    }

    /// Checks names of documents: whatever was given, they are one plain name, and stay it.
    static func judgeName(_ input: [UInt8], isPlanted: Bool) {
        let name = DocumentName.cleaned(String(decoding: input, as: UTF8.self))
        precondition((1...Limits.documentNameBytesMax).contains(name.utf8.count), "a name has no bytes, or too many")
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar != "/" && scalar != "\\" && scalar.properties.generalCategory != .control
                && !Unseen.isTurning(scalar)
        }
        precondition(isPlain, "a name has a path, or turns its line")
        let ends = [name.unicodeScalars.first, name.unicodeScalars.last]
        precondition(!ends.contains("."), "a name is hidden, or ends with a point")
        precondition(!ends.contains(" "), "a name begins or ends with a space")
        precondition(DocumentName.cleaned(name).hasSameBytes(as: name), "a name is another once more")
        if isPlanted { precondition(name != "planted", "planted") }
    }
}
