/// The ways in over HTTP. One more is a file of its own, and a line here.
enum Doors {
    /// In the order in which they are asked whether a request is theirs. The phone apps come last, OwnTracks behind all:
    /// it posts to whatever address was typed.
    static let all: [any Door.Type] = [
        FixedDoor.self, MetricsDoor.self, LiveDoor.self, AppDoor.self, PagesDoor.self, UploadDoor.self, MethodDoor.self,
        OsmAndDoor.self, OverlandDoor.self, OwnTracksDoor.self,
    ]
}
