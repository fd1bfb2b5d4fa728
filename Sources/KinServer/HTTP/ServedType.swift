import KinCodec

/// The media types under which content of members may leave the daemon. What is declared as none of them leaves as bytes
/// that nothing opens; what is no picture or video is saved and never shown. So nothing that was uploaded ever runs.
struct ServedType: Equatable {
    /// As the field `Content-Type` has it.
    let field: String
    /// Whether browsers may show it in place.
    let isShown: Bool

    /// What a browser shows of content at its own address: nothing that runs, and no origin.
    static let contentSecurityPolicy = "sandbox; default-src 'none'"

    private static let shown = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "video/mp4", "video/webm",
    ]
    /// What files may say they are that come up by themselves. What they are is judged by what is in them.
    static let taken = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "application/octet-stream",
    ]
    private static let saved = [
        "application/geo+json", "application/gpx+xml", "application/json", "application/pdf", "application/zip",
        "text/calendar", "text/csv", "text/plain", "text/vcard",
    ]
    private static let unknown = ServedType(field: "application/octet-stream", isShown: false)

    /// The declared type that a media type is, whatever its case and parameters.
    static func of(_ mediaType: String) -> ServedType {
        let name = MediaType(mediaType)?.name ?? ""
        if shown.contains(name) { return ServedType(field: name, isShown: true) }
        guard saved.contains(name) else { return unknown }
        return ServedType(field: name.hasPrefix("text/") ? name + "; charset=utf-8" : name, isShown: false)
    }
}
