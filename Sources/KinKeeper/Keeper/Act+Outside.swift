package import KinModel
import KinStore

extension Act {
    /// The machines of the house that an admin allows to be asked. They go with each request whose work asks outside, so
    /// that a permission that was taken back counts from the next one on.
    var outsideHosts: [OutsideHost] {
        get throws(Rejection) {
            try rows("SELECT place, is_plain FROM outside_places ORDER BY place") { row in
                OutsideHost(row.text("place"), isPlain: row.bool("is_plain"))
            }
        }
    }

    /// Whether an admin allowed that this place, as an address names it, is asked by `http://`.
    package func mayAskPlain(_ place: String) throws(Rejection) -> Bool {
        func plain(_ text: String) -> String {
            let text = text.lowercased()
            return text.hasSuffix(":80") ? String(text.dropLast(3)) : text
        }
        return try outsideHosts.contains { $0.isPlain && plain($0.place) == plain(place) }
    }
}

extension Request {
    /// The request with what its work may ask. A read of the database that fails permits nothing.
    func asking(_ work: any SlowWork, _ act: Act?) -> Request {
        guard work.sort == .outside, let act else { return self }
        var request = self
        request.outsideHosts = (try? act.outsideHosts) ?? []
        return request
    }
}
