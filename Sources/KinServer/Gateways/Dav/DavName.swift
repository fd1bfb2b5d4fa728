import KinXML

/// Names of WebDAV and what is built on it.
enum Dav {
    /// Namespaces, each with the prefix that answers have for it.
    static let spaces: [(prefix: String, uri: String)] = [
        ("D", "DAV:"), ("C", "urn:ietf:params:xml:ns:caldav"), ("R", "urn:ietf:params:xml:ns:carddav"),
        ("S", "http://calendarserver.org/ns/"), ("A", "http://apple.com/ns/ical/"), ("K", "urn:kinwire:dav"),
    ]

    /// RFC 4918, 3744, 5397 and 6578.
    static func core(_ name: String) -> XMLName { XMLName("DAV:", name) }
    /// RFC 4791 and 6638.
    static func calendar(_ name: String) -> XMLName { XMLName("urn:ietf:params:xml:ns:caldav", name) }
    /// RFC 6352.
    static func card(_ name: String) -> XMLName { XMLName("urn:ietf:params:xml:ns:carddav", name) }
    /// A name that Apple's Calendar Server began, and that clients of all makes ask for.
    static func server(_ name: String) -> XMLName { XMLName("http://calendarserver.org/ns/", name) }
    /// Apple's calendar apps.
    static func apple(_ name: String) -> XMLName { XMLName("http://apple.com/ns/ical/", name) }

    /// The declarations of the prefixes.
    static let declarations = spaces.map { " xmlns:\($0.prefix)=\"\($0.uri)\"" }.joined()

    /// A start tag's name and what it must declare; a name that no prefix stands for has one of its own.
    static func tag(_ name: XMLName) -> (name: String, declaration: String) {
        if let known = spaces.first(where: { $0.uri == name.space }) { return (known.prefix + ":" + name.local, "") }
        if name.space.isEmpty { return (name.local, "") }
        return ("x:" + name.local, " xmlns:x=\"\(XMLText.escaped(name.space))\"")
    }

    /// An element with what is in it, written already.
    static func element(_ name: XMLName, _ content: String = "") -> String {
        let tag = tag(name)
        return content.isEmpty
            ? "<\(tag.name)\(tag.declaration)/>" : "<\(tag.name)\(tag.declaration)>\(content)</\(tag.name)>"
    }

    /// An address in an element.
    static func href(_ path: String) -> String { "<D:href>\(XMLText.escaped(path))</D:href>" }

    static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    static let contentType = "application/xml; charset=utf-8"
}
