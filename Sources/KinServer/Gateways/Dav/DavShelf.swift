import KinCodec
import KinModel
import KinXML

/// A collection of things that clients keep a copy of: by which methods it is read and written, and how its things are
/// shown.
struct DavShelf {
    /// Lists them, by names, since a token, or all.
    let list: String
    let put: String
    let drop: String
    /// What every question to it says.
    let params: JSON.Object
    /// The parameters that have it tell the data as well, of a version or of the usual one.
    let whole: (String?) -> JSON.Object
    /// The media type of its things, with the version where it is not the usual one.
    let mediaType: (String?) -> String
    /// The name of the property that has the data in reports.
    let dataName: XMLName
    /// The precondition that what is no such thing fails.
    let dataCondition: XMLName
    /// The one for what has a UID that another has.
    let uidCondition: XMLName
    let sizeCondition: XMLName
    let place: DavPlace
    let caller: DavCaller
    let isWritten: Bool
    /// The address of a thing by its name.
    let item: (String) -> DavPlace

    static func contacts(_ caller: DavCaller, writes: Bool) -> DavShelf {
        DavShelf(
            list: "contact.cards", put: "contact.putCard", drop: "contact.dropCard", params: [:],
            whole: { ["version": .string($0 ?? "3.0")] },
            mediaType: { $0 == "4.0" ? "text/vcard; charset=utf-8; version=4.0" : "text/vcard; charset=utf-8" },
            dataName: Dav.card("address-data"), dataCondition: Dav.card("valid-address-data"),
            uidCondition: Dav.card("no-uid-conflict"), sizeCondition: Dav.card("max-resource-size"),
            place: .contacts, caller: caller, isWritten: writes, item: { .contact($0) })
    }

    /// A thing as it is listed: `name`, `tag`, and `data` where that was asked for.
    func thing(_ item: JSON, href: String? = nil, data: DavData?) -> DavThing {
        let name = item["name"]?.string ?? ""
        let tag = item["tag"]?.string ?? ""
        let text = item["data"]?.string
        return DavThing(href ?? self.item(name).href, names: Self.names, ordinary: 3) { [self] name in
            switch name {
            case Self.names[0]: return ""
            case Self.names[1]: return XMLText.escaped(tag)
            case Self.names[2]: return mediaType(data?.version)
            case Self.names[3]: return DavDoor.privileges(isWritten: isWritten, isCollection: false)
            case Self.names[4]: return Dav.href(DavPlace.family.href)
            case Self.names[5]: return Dav.href(DavPlace.principal(caller.member).href)
            case Self.names[6]: return Dav.href(DavPlace.principals.href)
            case dataName:
                return text.map { text in
                    XMLText.escaped(data?.properties.map { DavData.some(of: text, $0) } ?? text)
                }
            default: return nil
            }
        }
    }

    private static let names = [
        Dav.core("resourcetype"), Dav.core("getetag"), Dav.core("getcontenttype"),
        Dav.core("current-user-privilege-set"), Dav.core("owner"), Dav.core("current-user-principal"),
        Dav.core("principal-collection-set"),
    ]

    // MARK: Tokens

    /// A token as it stands in a document: it has to be a URI (RFC 6578, 4).
    static func token(_ token: String) -> String { tokenHead + token }

    /// What the area knows it by; `nil` for one that is not ours.
    static func token(read text: String) -> String? {
        guard text.hasPrefix(tokenHead), text.utf8.count < 200 else { return nil }
        let token = text.dropFirst(tokenHead.utf8.count)
        return !token.isEmpty && token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ? String(token) : nil
    }

    private static let tokenHead = "urn:kinwire:sync:"
}

extension DavData {
    /// Only some properties of a vCard (RFC 6352, 10.4.2), with those that make it one.
    static func some(of text: String, _ names: [String]) -> String {
        var out = ""
        var isIn = false
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: true) {
            if line.first != " " {
                let head = line.prefix { $0 != ":" && $0 != ";" }
                let name = head.split(separator: ".").last.map { $0.uppercased() } ?? ""
                isIn = ["BEGIN", "VERSION", "UID", "END"].contains(name) || names.contains(name)
            }
            if isIn { out += line + "\r\n" }
        }
        return out
    }
}
