package import KinModel

extension Text {
    /// Refuses characters that reverse a line or cannot be seen, where nothing needs them (``Unseen``).
    package static func checkSeen(_ text: String, field: String) throws(Rejection) {
        guard let scalar = Unseen.first(in: text) else { return }
        throw Rejection(
            .invalid,
            Unseen.isTurning(scalar)
                ? "\(field) holds \(code(scalar)), which turns the direction of writing; write it without."
                : "\(field) holds \(code(scalar)), which cannot be seen; write it without.", field: field)
    }

    /// `U+202E`.
    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
