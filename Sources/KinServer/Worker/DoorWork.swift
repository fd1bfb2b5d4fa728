package import KinStore

/// Work that a door gives to a worker, which owns nothing and sees only this value.
package protocol DoorWork: Sendable {
    /// Does it, on a reader's thread.
    func run(at blobs: Blobs) -> any Sendable
}
