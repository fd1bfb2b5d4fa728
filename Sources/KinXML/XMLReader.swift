internal import CExpat

/// Reads a whole document from a stranger, by Expat. Document types are refused, so there are no entities but XML's own
/// five. Nothing is loaded from elsewhere, and depth and counts are bounded (``XMLBound``). The caller bounds the
/// length; the result takes a bounded multiple of it.
public struct XMLReader {
    /// Reads a document; answers its outermost element.
    public static func read(_ bytes: [UInt8]) throws(XMLFailure) -> XMLElement {
        let reading = Reading()
        // A separator that no name has: namespace, space, name.
        guard let parser = unsafe XML_ParserCreateNS(nil, CChar(0x20)) else {
            throw .damaged(reason: "there is no memory for it", line: 1)
        }
        defer { unsafe XML_ParserFree(parser) }
        unsafe reading.parser = parser
        // The reading outlives the parser, which calls it within XML_Parse alone.
        unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
        unsafe XML_SetElementHandler(
            parser,
            { data, name, attributes in unsafe Reading.from(data)?.began(name, attributes) },
            { data, _ in unsafe Reading.from(data)?.ended() })
        unsafe XML_SetCharacterDataHandler(parser) { data, characters, count in
            guard let characters = unsafe characters, count > 0 else { return }
            unsafe Reading.from(data)?.heard(UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        unsafe XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            unsafe Reading.from(data)?.refuse(.documentType)
        }
        let status = unsafe bytes.withUnsafeBytes { buffer in
            unsafe XML_Parse(
                parser, buffer.bindMemory(to: CChar.self).baseAddress, Int32(clamping: buffer.count), 1)
        }
        if let refusal = reading.refusal { throw refusal }
        guard status == XML_STATUS_OK, let root = reading.root else {
            let reason = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
            throw .damaged(
                reason: reason ?? "it has no element", line: Int(clamping: unsafe XML_GetCurrentLineNumber(parser)))
        }
        return root
    }
}

/// A document on its way in.
@safe private final class Reading {
    var parser: XML_Parser?
    private(set) var root: XMLElement?
    private(set) var refusal: XMLFailure?
    /// The elements that began and did not end.
    private var open: [XMLElement] = []
    /// Bytes of text of each of them: one text may come in many pieces.
    private var texts: [[UInt8]] = []
    private var count = 0

    static func from(_ data: UnsafeMutableRawPointer?) -> Reading? {
        unsafe data.map { unsafe Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }

    func refuse(_ failure: XMLFailure) {
        refusal = refusal ?? failure
        if let parser = unsafe parser { _ = unsafe XML_StopParser(parser, XML_Bool(0)) }
    }

    private func bound(_ bound: XMLBound, _ value: Int) -> Bool {
        if value > bound.most { refuse(.tooMuch(bound)) }
        return value <= bound.most
    }

    func began(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        count += 1
        guard refusal == nil, bound(.elements, count), bound(.depth, open.count + 1), let name = unsafe self.name(name)
        else { return }
        var found: [XMLName: String] = [:]
        var index = 0
        while let list = unsafe attributes, let key = unsafe list[index], let value = unsafe list[index + 1] {
            guard bound(.attributes, index / 2 + 1), let attribute = unsafe self.name(key) else { return }
            found[attribute] = unsafe String(cString: value)
            index += 2
        }
        var element = XMLElement(name, found)
        element.place = texts.last?.count ?? 0
        open.append(element)
        texts.append([])
    }

    func heard(_ characters: UnsafeBufferPointer<CChar>) {
        guard refusal == nil, !texts.isEmpty else { return }
        unsafe texts[texts.count - 1].append(contentsOf: characters.lazy.map { UInt8(bitPattern: $0) })
    }

    func ended() {
        guard refusal == nil, var element = open.popLast(), let text = texts.popLast() else { return }
        element.text = String(decoding: text, as: UTF8.self)
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    /// Expat writes `namespace name`, or the name alone.
    private func name(_ text: UnsafePointer<CChar>?) -> XMLName? {
        guard let text = unsafe text.map({ unsafe String(cString: $0) }) else { return nil }
        guard bound(.nameBytes, text.utf8.count) else { return nil }
        guard let space = text.lastIndex(of: " ") else { return XMLName("", text) }
        return XMLName(String(text[..<space]), String(text[text.index(after: space)...]))
    }
}
