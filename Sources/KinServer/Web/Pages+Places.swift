import KinModel

/// Places that wait until the member agrees to be seen there.
extension Pages {
    static func waitingPlaces(_ sharing: JSON) -> HTML? {
        let places = sharing["waitingPlaces"]?.array ?? []
        guard !places.isEmpty else { return nil }
        return """
            <h2>Places that wait for your answer</h2>
            <p>They are new, or were moved. Until you agree, they show nobody where you are who sees places by name.</p>
            \(places.map { placeRow($0) })
            """
    }

    private static func placeRow(_ place: JSON) -> HTML {
        let id = place["place"]?.string ?? ""
        return """
            <form method="post" action="/sharing"><p>\(HTML.written(place["name"]?.string ?? ""))</p>
            <button name="admitPlace" value="\(id)">Show when I am there</button>
            <button class="quiet" name="refusePlace" value="\(id)">Do not</button></form>

            """
    }
}
