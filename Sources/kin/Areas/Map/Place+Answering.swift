import KinModel
import KinWords

extension Places {
    /// Sets whether the caller, or a child whose settings the caller holds, is seen at a place.
    static func answer(_ call: Invocation, _ text: String, admits: Bool) throws(Problem) {
        let place = try find(call, text)
        var params: JSON = ["place": .id(place.id), "admit": .bool(admits)]
        if let child = call.value("of") { params["member"] = .id(try People(call).member(child).id) }
        let result = try call.call("place.admit", params)
        call.answer(
            result, phrase(admits ? "place.admitted" : "place.refused", ["place": Plain.line(place.name)]))
    }

    /// The places that wait for an answer, in a sentence; `nil` if there are none.
    static func waiting(_ sharing: JSON?) -> String? {
        let names = (sharing?["waitingPlaces"]?.array ?? []).compactMap { $0["name"]?.string.map { Plain.line($0) } }
        return names.isEmpty ? nil : phrase("sharing.waiting-places", ["places": names.joined(separator: ", ")])
    }
}
