public import KinModel

/// A request's parameters, checked against their declaration. The accessors without `optional` are for required ones.
/// Using one for a parameter that is not required is a mistake in the area, and stops the daemon's tests.
public struct Params: Sendable {
    /// The members as they came, without `op`.
    public let object: JSON.Object

    /// Parameters that were checked.
    public init(_ object: JSON.Object) { self.object = object }

    /// The raw value.
    public subscript(name: String) -> JSON? { object[name] }

    /// Whether it was given and is not `null`.
    public func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

    /// Text.
    public func string(_ name: String) throws(Rejection) -> String { try need(object[name]?.string, name) }
    /// An identifier.
    public func id(_ name: String) throws(Rejection) -> Identifier { try need(object[name]?.identifier, name) }
    /// A moment.
    public func time(_ name: String) throws(Rejection) -> Instant { try need(object[name]?.instant, name) }
    /// A number.
    public func double(_ name: String) throws(Rejection) -> Double { try need(object[name]?.double, name) }
    /// A whole number.
    public func int(_ name: String) throws(Rejection) -> Int64 { try need(object[name]?.int, name) }

    /// Text, if given.
    public func optionalString(_ name: String) -> String? { object[name]?.string }
    /// An identifier, if given.
    public func optionalID(_ name: String) -> Identifier? { object[name]?.identifier }
    /// A moment, if given.
    public func optionalTime(_ name: String) -> Instant? { object[name]?.instant }
    /// A number, if given.
    public func optionalDouble(_ name: String) -> Double? { object[name]?.double }
    /// A whole number, if given.
    public func optionalInt(_ name: String) -> Int64? { object[name]?.int }

    private func need<T>(_ value: T?, _ name: String) throws(Rejection) -> T {
        guard let value else { throw Rejection(.params, "The parameter \(name) is missing.", field: name) }
        return value
    }
}
