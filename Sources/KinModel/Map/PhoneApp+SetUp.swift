extension PhoneApp {
    /// What a QR code has to hold so that the app sets itself up for an address (`https://kin.local:5469`), when that is
    /// no more than an address: Overland reads it with the phone's camera, Traccar Client with the scanner in its own
    /// settings. `nil` for OwnTracks, whose link holds a whole configuration.
    public func code(site: String, password: String, device: String) -> String? {
        switch self {
        case .owntracks: nil
        case .traccar: "\(site)\(path)?id=\(Self.encoded(password))"
        case .overland: link(site: site, password: password, device: device)
        }
    }

    /// The link that sets the app up when it is opened on the phone. Traccar Client had one from version 9.3 on and
    /// dropped it in 2026; every version reads the code. `nil` for OwnTracks.
    public func link(site: String, password: String, device: String) -> String? {
        let address = Self.encoded(site + path)
        return switch self {
        case .owntracks: nil
        case .traccar: "org.traccar.client://config?url=\(address)&id=\(Self.encoded(password))"
        case .overland:
            "overland://setup?url=\(address)&token=\(Self.encoded(password))&device_id=\(Self.encoded(device))"
        }
    }

    /// Percent-encoded but for unreserved characters (RFC 3986 §2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                out.append(byte)
            default: out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
