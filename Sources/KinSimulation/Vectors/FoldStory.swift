import KinModel

/// Something that happens in a family, and what one member who follows is told of it: the stream, and at some places of it
/// what a fresh snapshot says. Whoever writes a client holds the client's fold against it.
public struct FoldStory: Sendable {
    /// What the file is called.
    public let name: String
    /// One sentence: what happens.
    public let about: String
    /// Who follows.
    let follower: String
    /// The view that is asked for.
    let view: String
    let happens: @Sendable (Recording) throws(Finding) -> Void

    init(
        _ name: String, _ about: String, follower: String = "ben", view: String = "all",
        _ happens: @escaping @Sendable (Recording) throws(Finding) -> Void
    ) {
        self.name = name
        self.about = about
        self.follower = follower
        self.view = view
        self.happens = happens
    }

    /// Every story: the areas', then those of the stream itself.
    public static var all: [FoldStory] { World.stories + streamStories }

    /// Lets it happen, and writes down what the follower is told.
    public func recorded() throws(Finding) -> String {
        let recording = try Recording(self)
        try happens(recording)
        try recording.compare()
        let steps = Recording.leaveOut(recording.absent, of: recording.steps)
        return Vector(name: name, about: about, view: view, steps: steps).text
    }
}
