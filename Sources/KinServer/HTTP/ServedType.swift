import KinCodec
import KinKeeper

/// The media types under which members' content may leave the daemon. Any other declared type is served as plain bytes
/// that no program opens. Content that is no picture or video is offered for saving and never shown. So nothing that
/// was uploaded ever runs.
struct ServedType: Equatable {
    /// As the field `Content-Type` has it.
    let field: String
    /// Whether browsers may show it in place.
    let isShown: Bool

    /// The policy for content at its own address: no scripts, and no origin.
    static let contentSecurityPolicy = "sandbox; default-src 'none'"

    /// Types that browsers show.
    static let shown = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "video/mp4", "video/quicktime",
        "video/3gpp",
    ]
    /// The types that uploaded files may declare. The file's content decides what it really is.
    static let taken = [
        "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif", "application/octet-stream",
    ]
    /// The types of the file that a method takes as the whole content of a request; none where it takes no file.
    static func fileTypes(of method: Method) -> [String] {
        guard let parcel = method.parcel, ["PUT", "POST"].contains(method.route?.verb) else { return [] }
        return parcel.mediaTypes.map { $0 + ["application/octet-stream"] } ?? taken
    }
    /// Types that are offered for saving.
    static let saved = [
        "application/geo+json", "application/gpx+xml", "application/json", "application/pdf", "application/x-tar",
        "application/zip", "text/calendar", "text/csv", "text/plain", "text/vcard",
    ]
    private static let unknown = ServedType(field: "application/octet-stream", isShown: false)

    /// The served type of a media type, whatever its case and parameters.
    static func of(_ mediaType: String) -> ServedType {
        let name = MediaType(mediaType)?.name ?? ""
        if shown.contains(name) { return ServedType(field: name, isShown: true) }
        guard saved.contains(name) else { return unknown }
        return ServedType(field: name.hasPrefix("text/") ? name + "; charset=utf-8" : name, isShown: false)
    }
}
