/// A file that is kept as it is, and is saved under its name.
public struct Document: WireRecord, Hashable {
    /// Its name, without a path.
    public var name: String
    /// How long it is.
    public let bytes: Int64

    /// A document.
    public init(name: String, bytes: Int64) { (self.name, self.bytes) = (name, bytes) }

    /// As it is written.
    public static let fields = Fields(
        "Document", Document.init(name:bytes:),
        .required("name", \.name, .line(max: Limits.documentNameBytesMax), "Without a path."),
        .required("bytes", \.bytes, bytesForm, "How long it is."))

    private static let bytesForm = Form<Int64>.integer(0...Limits.documentBytesMax)
}
