/// The name of an element or attribute: a namespace and what it is called there (Namespaces in XML 1.0).
public struct XMLName: Sendable, Hashable {
    /// The namespace's URI; empty where there is none.
    public let space: String
    /// Without a prefix.
    public let local: String

    /// A name.
    public init(_ space: String, _ local: String) {
        self.space = space
        self.local = local
    }
}

/// One element of a document, with all that is in it.
public struct XMLElement: Sendable, Equatable {
    /// What it is called.
    public let name: XMLName
    /// Its attributes; none twice, as the parser refuses that.
    public let attributes: [XMLName: String]
    /// The elements in it, in their order.
    public internal(set) var children: [XMLElement] = []
    /// The text that stands in it directly, whole.
    public internal(set) var text = ""
    /// The bytes of the outer element's text that stand before it.
    public internal(set) var place = 0

    init(_ name: XMLName, _ attributes: [XMLName: String] = [:]) {
        self.name = name
        self.attributes = attributes
    }

    /// An attribute without a namespace.
    public subscript(attribute: String) -> String? { attributes[XMLName("", attribute)] }

    /// The first child of that name.
    public func first(_ name: XMLName) -> XMLElement? { children.first { $0.name == name } }

    /// The children of that name.
    public func all(_ name: XMLName) -> [XMLElement] { children.filter { $0.name == name } }

    /// All text in it, in the order in which it is read. `between` is written where an element in it begins and where it
    /// ends.
    public func flowingText(between mark: (XMLName) -> String = { _ in "" }) -> String {
        guard !children.isEmpty else { return text }
        let bytes = text.utf8
        var flowing = ""
        var at = bytes.startIndex
        for child in children {
            let next = bytes.index(bytes.startIndex, offsetBy: child.place, limitedBy: bytes.endIndex) ?? bytes.endIndex
            flowing += String(text[at..<max(at, next)]) + mark(child.name) + child.flowingText(between: mark)
            flowing += mark(child.name)
            at = max(at, next)
        }
        return flowing + String(text[at...])
    }

    /// The text without white space at both ends.
    public var trimmedText: String {
        let behind = text.drop { $0.isWhitespace }
        return String(behind.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// Why a document was not taken.
public enum XMLFailure: Error, Sendable, Equatable {
    /// It is not well-formed.
    case damaged(reason: String, line: Int)
    /// It has a document type, which may define entities that grow or reach out.
    case documentType
    /// It has more of something than is read.
    case tooMuch(XMLBound)

    /// A sentence for whoever sent it.
    public var sentence: String {
        switch self {
        case .damaged(let reason, let line): "The XML is not well-formed: \(reason), in line \(line)."
        case .documentType: "XML with a document type is not taken."
        case .tooMuch(let bound): "The XML has more than \(bound.most) \(bound.words)."
        }
    }
}

/// What is bounded in a document, besides its length.
public enum XMLBound: Sendable, CaseIterable {
    /// Elements within each other.
    case depth
    /// Elements in all.
    case elements
    /// Attributes of one element.
    case attributes
    /// Bytes of one name, with its namespace.
    case nameBytes

    /// As many as are read.
    public var most: Int {
        switch self {
        case .depth: 32
        case .elements: 40_000
        case .attributes: 32
        case .nameBytes: 512
        }
    }

    var words: String {
        switch self {
        case .depth: "elements within each other"
        case .elements: "elements"
        case .attributes: "attributes on one element"
        case .nameBytes: "bytes in one name"
        }
    }
}
