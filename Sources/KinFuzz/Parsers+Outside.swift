import KinCodec
import KinFetch
import KinXML

extension Parsers {
    /// What comes from outside says the same however it is cut, to the end of the connection.
    static func answers(_ input: [UInt8], planted: Bool) {
        let (bytes, pieces) = cut(input)
        func text(_ pieces: Int, _ method: HTTPMethod) -> [String] {
            var parser = HTTPResponseParser()
            parser.requestMethod = method
            // Where a bound is passed differs with the pieces, and who asks counts for itself.
            parser.bodyBytesMax = .max
            var body: [UInt8] = []
            var out: [String] = []
            for step in steps(
                bytes, pieces: pieces, { parser.consume($0) },
                isEnd: { if case .failed = $0 { true } else { false } },
                isHungry: { if case .needsMore = $0 { true } else { false } })
            {
                // A body may come in other pieces.
                if case .body(let bytes) = step {
                    precondition(!bytes.isEmpty, "a piece of a body is empty")
                    body += bytes
                    continue
                }
                if case .head(let head) = step, planted { precondition(head.status != 299, "planted") }
                out.append("\(body) \(step)")
                body = []
            }
            return out + ["\(body) \(parser.inputEnded())"]
        }
        for method in [HTTPMethod.get, .head] {
            let (whole, cut) = (text(max(1, bytes.count), method), text(pieces, method))
            precondition(cut == whole, "pieces say something else than the whole: \(cut), \(whole)")
        }
    }

    /// The first line is an address, the rest a reference from there: whatever is read is clean and read as the same.
    static func references(_ input: [UInt8], planted: Bool) {
        let text = String(decoding: input, as: UTF8.self)
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        if let place = InsidePlace(String(parts[0])) {
            precondition(InsidePlace(String(parts[0])) == place, "two places")
        }
        guard let url = try? FetchURL(parts[0]) else { return }
        check(url)
        guard parts.count == 2, let next = try? url.following(String(parts[1])) else { return }
        check(next)
        if planted { precondition(next.origin == url.origin, "planted") }
    }

    private static func check(_ url: FetchURL) {
        precondition((try? FetchURL(url.text)) == url, "what is written is not what was read: \(url.text)")
        precondition(url.target.utf8.first == UInt8(ascii: "/"), "a target begins with /")
        precondition(
            url.target.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\")
            },
            "a target could end its line")
        precondition(
            url.origin.authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\%".utf8.contains($0) },
            "a host could be read as another")
    }

    /// What is read of XML is within bounds; written anew, each text is read as the same.
    static func xml(_ input: [UInt8], planted: Bool) {
        guard let root = try? XMLReader.read(input) else { return }
        var (count, rest) = (0, [(element: root, depth: 1)])
        while let (element, depth) = rest.popLast() {
            count += 1
            precondition(depth <= XMLBound.depth.most && count <= XMLBound.elements.most, "more than there may be")
            precondition(element.attributes.count <= XMLBound.attributes.most, "more attributes than there may be")
            if planted { precondition(element.name.local != "planted", "planted") }
            if !element.text.isEmpty {
                let again = try? XMLReader.read(Array("<t>\(XMLText.escaped(element.text))</t>".utf8))
                precondition(again?.text == element.text, "what is written is read as something else")
            }
            rest += element.children.map { ($0, depth + 1) }
        }
    }
}
