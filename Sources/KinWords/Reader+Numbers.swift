extension Reader {
    /// A number with so many decimals, without the C library's idea of a decimal point: as degrees are written.
    package static func decimal(_ number: Double, places: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        guard let scaled = Int64(exactly: (number * Double(scale)).rounded()) else { return "?" }
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
        guard places > 0 else { return (scaled < 0 ? "-" : "") + whole.description }
        let digits = rest.description
        return (scaled < 0 ? "-" : "") + "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }

    package static func whole(_ number: Double) -> String { decimal(number, places: 0) }

    /// `40 m`, `450 m`, `2.3 km`, `120 km`: to ten metres, a hundred, a kilometre.
    package func distance(metres: Double) -> String {
        switch metres.magnitude {
        case ..<995: phrase("distance.metres", ["n": Self.whole((metres / 10).rounded() * 10)])
        case ..<9950:
            phrase("distance.kilometres", ["n": fraction(metres / 1000)])
        default: phrase("distance.kilometres", ["n": Self.whole(metres / 1000)])
        }
    }

    /// With one decimal, behind the sign of the language.
    private func fraction(_ number: Double) -> String {
        Self.decimal(number, places: 1).split(separator: ".").joined(separator: phrase("number.point"))
    }

    /// `Ada`, `Ada and Ben`, `Ada, Ben and Cleo`.
    package func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return phrase("several.and", ["names": names.dropLast().joined(separator: ", "), "last": last])
    }
}
