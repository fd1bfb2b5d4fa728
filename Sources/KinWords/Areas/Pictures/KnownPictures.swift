package import KinModel

/// Pictures as one sees them: what is written under each, and what the newest event took away.
package struct KnownPictures: Known {
    private var captions: [Identifier: String] = [:]

    package init() {}

    package mutating func learn(_ snapshot: Snapshot) {
        for picture in snapshot.pictures.values { captions[picture.id] = picture.caption }
    }

    package mutating func learn(_ data: JSON) {
        if let picture = data["picture"].flatMap(Picture.init) { captions[picture.id] = picture.caption }
    }

    package mutating func learn(_ event: Event) { learn(event.data) }

    fileprivate subscript(id: Identifier) -> String? { captions[id] }
}

extension Names {
    /// What a picture is called.
    package func picture(_ id: Identifier, _ reader: Reader) -> String {
        self[KnownPictures.self][id].map { reader.phrase("names.picture", ["text": Plain.line($0)]) }
            ?? reader.phrase("names.a-picture")
    }
}
