internal import CGeoNames
import Glibc

/// A town by name.
public struct Town: Sendable, Hashable {
    /// Its name, in English or as it calls itself.
    public let name: String
    /// The country, by its two letters (ISO 3166).
    public let country: String
    /// Where its middle is.
    public let at: Coordinate
    /// How many live there; 0 where the data does not say it.
    public let population: Int

    /// A town.
    public init(name: String, country: String, at: Coordinate, population: Int) {
        self.name = name
        self.country = country
        self.at = at
        self.population = population
    }

    /// Every town there is in Debian's GeoNames data, 24,361 of them (libgeonames 0.3.0), one after the other; none where
    /// the library is not installed. It is opened for this alone: GLib and GIO come with it, some megabytes that a daemon
    /// which is asked for no town does without. What is made of it is kept in a file, so that a family asks once.
    public static func each<Failure: Error>(_ body: (Town) throws(Failure) -> Void) throws(Failure) {
        guard let library = unsafe dlopen("libgeonames.so.0", RTLD_NOW | RTLD_LOCAL) else { return }
        defer {
            unsafe _ = dlclose(library)
            // What was allocated a little at a time goes back to the system.
            malloc_trim(0)
        }
        // Rule: each name is bound to the type its declaration in geonames.h has; a city's texts live as long as it does.
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
            guard let symbol = unsafe dlsym(library, "geonames_" + name) else { return nil }
            return unsafe unsafeBitCast(symbol, to: type)
        }
        guard let count = function("get_n_cities", kin_geonames_get_n_cities.self),
            let city = unsafe function("get_city", kin_geonames_get_city.self),
            let free = unsafe function("city_free", kin_geonames_city_free.self),
            let name = unsafe function("city_get_name", kin_geonames_city_get_text.self),
            let country = unsafe function("city_get_country_code", kin_geonames_city_get_text.self),
            let latitude = unsafe function("city_get_latitude", kin_geonames_city_get_degrees.self),
            let population = unsafe function("city_get_population", kin_geonames_city_get_count.self),
            let longitude = unsafe function("city_get_longitude", kin_geonames_city_get_degrees.self)
        else { return }
        for index in 0..<max(0, count()) {
            guard let found = unsafe city(index) else { continue }
            defer { unsafe free(found) }
            guard let name = unsafe name(found) else { continue }
            let country = unsafe country(found).map { unsafe String(cString: $0) } ?? ""
            let at = unsafe Coordinate(lat: latitude(found), lon: longitude(found))
            guard abs(at.lat) <= 90, abs(at.lon) <= 180 else { continue }
            let people = unsafe Int(population(found))
            try body(Town(name: unsafe String(cString: name), country: country, at: at, population: people))
        }
    }
}
