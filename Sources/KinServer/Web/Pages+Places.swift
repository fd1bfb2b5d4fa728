import KinModel

/// Places that wait until the member, or the holder of a child's settings, agrees to be seen there.
extension Pages {
    static func waitingPlaces(_ watched: Watched) -> HTML? {
        let places = watched.sharing["waitingPlaces"]?.array ?? []
        guard watched.hand == .whole, !places.isEmpty else { return nil }
        let words = watched.words
        let said =
            watched.child == nil
            ? words.paragraph("page.waiting.places") : words.paragraph("page.waiting.places-of", watched.named)
        return "\(words.heading("page.waiting.places.title"))\(said)\(places.map { placeRow($0, watched) })"
    }

    private static func placeRow(_ place: JSON, _ watched: Watched) -> HTML {
        let words = watched.words
        let id = place["place"]?.string ?? ""
        let show =
            watched.child == nil
            ? words("page.waiting.place-show") : words("page.waiting.place-show-of", watched.named)
        return watched.form(
            """
            <p>\(HTML.written(place["name"]?.string ?? ""))</p>
            <button name="admitPlace" value="\(id)">\(show)</button>
            <button class="quiet" name="refusePlace" value="\(id)">\(words("page.waiting.don-t"))</button>
            """)
    }
}
