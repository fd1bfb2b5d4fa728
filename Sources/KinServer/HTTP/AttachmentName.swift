import KinCodec

/// The field `Content-Disposition` of content that is saved and never shown (RFC 6266).
enum AttachmentName {
    /// The field. A name that has more than letters, digits, spaces and `-._` of ASCII stands in it twice: in UTF-8 for
    /// programs that know RFC 8187, and with `_` in place of each other character for those that do not. Nothing of a
    /// name can end the field or the quotes.
    static func field(_ name: String?) -> String {
        guard let name else { return "attachment" }
        var plain = ""
        for scalar in name.unicodeScalars { plain += isPlain(scalar) ? String(scalar) : "_" }
        let field = "attachment; filename=\"" + plain + "\""
        return plain == name ? field : field + "; filename*=UTF-8''" + PercentEncoding.encode(name)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", " ", "-", ".", "_": true
        default: false
        }
    }
}
