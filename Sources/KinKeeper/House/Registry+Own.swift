extension Registry {
    /// A registry of areas, and of what the mechanism has for all of them: following, the house, uploads,
    /// one search.
    public init(areas: [Area]) { self.init(areas, mechanism: [Live.area, House.area, Uploads.area, Search.area]) }

    /// The same with one area more: for a test's own.
    package func adding(_ area: Area) -> Registry { Registry(areas: given + [area]) }
}
