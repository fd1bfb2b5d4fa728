/// The newest pictures that one member sees.
public struct PicturesPart: SnapshotPart {
    /// Pictures in sight, by identifier.
    public var pictures: [Identifier: Picture] = [:]

    /// Its name in the snapshot.
    public static let names = ["pictures"]

    /// No picture.
    public init() {}

    /// Reads its member of a snapshot's object.
    public init(_ json: JSON) {
        for picture in (json["pictures"]?.array ?? []).compactMap(Picture.init) { pictures[picture.id] = picture }
    }

    /// The pictures.
    public func json(_ name: String) -> JSON { .sorted(pictures, \.json) }

    /// Empties it.
    public mutating func clear(_ name: String) { pictures = [:] }

    /// Applies what an event says of a picture.
    public mutating func apply(_ event: Event, of me: Identifier?) {
        if let data = event[Picture.added] ?? event[Picture.updated] ?? event[Picture.shown] {
            pictures[data.picture.id] = data.picture
        } else if let data = event[Picture.hidden] ?? event[Picture.removed] {
            pictures[data.picture] = nil
        } else if let data = event[Picture.liked], let likes = pictures[data.picture]?.likes {
            pictures[data.picture]?.likes = likes.with(data.reaction, of: data.member)
        }
    }
}

extension Snapshot {
    /// Pictures in sight, by identifier.
    public var pictures: [Identifier: Picture] {
        get { self[PicturesPart.self].pictures }
        _modify { yield &self[PicturesPart.self].pictures }
    }
}
