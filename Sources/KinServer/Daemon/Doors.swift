public import KinLoop

/// The ways in over HTTP. One more is a file of its own, and a line here.
enum Doors {
    /// In the order in which they are asked whether a request is theirs. The phone apps come last, and OwnTracks is the
    /// last of them, because it posts to whatever address was typed. Requests to look at something that no door claims
    /// get "not found".
    static let all: [any Door.Type] = [
        FixedDoor.self, DavDoor.self, ClientDoor.self, MetricsDoor.self, RPCDoor.self, LiveDoor.self, PublishDoor.self,
        AppDoor.self, MapDoor.self, GuestStreamDoor.self, PagesDoor.self, UploadDoor.self, MethodDoor.self,
        NtfyDoor.self, AnswerDoor.self, AlarmDoor.self, FeedDoor.self, ProfileDoor.self, SharedPictureDoor.self,
        OsmAndDoor.self, OverlandDoor.self, OwnTracksDoor.self, UnknownDoor.self,
    ]
}

extension ServerSettings {
    /// Settings, with every door.
    public init(
        site: Site, allowPlain: [CIDR] = [], trustProxy: [TrustedProxy] = [], ownUserID: UInt32,
        directory: String? = nil, limits: ServerLimits = ServerLimits()
    ) {
        self.init(
            site: site, allowPlain: allowPlain, trustProxy: trustProxy, ownUserID: ownUserID, directory: directory,
            limits: limits, doors: Doors.all)
    }
}
