import KinModel

/// Places that wait until the member, or who holds a child's settings, agrees to be seen there.
extension Pages {
    static func waitingPlaces(_ watched: Watched) -> HTML? {
        let places = watched.sharing["waitingPlaces"]?.array ?? []
        guard watched.hand == .whole, !places.isEmpty else { return nil }
        let (verb, who): (HTML, HTML) = watched.child == nil ? ("are", "you") : ("is", watched.subject)
        return """
            <h2>Places that wait for your answer</h2>
            <p>They are new, or were moved. Until you agree, whoever sees places by name is not told that \(who) \(verb) \
            there.</p>
            \(places.map { placeRow($0, watched, watched.child == nil ? "I am" : "\(who) is") })
            """
    }

    private static func placeRow(_ place: JSON, _ watched: Watched, _ who: HTML) -> HTML {
        let id = place["place"]?.string ?? ""
        return watched.form(
            """
            <p>\(HTML.written(place["name"]?.string ?? ""))</p>
            <button name="admitPlace" value="\(id)">Show when \(who) there</button>
            <button class="quiet" name="refusePlace" value="\(id)">Don’t</button>
            """)
    }
}
