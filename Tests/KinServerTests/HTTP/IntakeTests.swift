import KinActivity
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import KinStore
import Testing

@testable import KinActivity
@testable import KinCrypto
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer

/// What reads a long body piece by piece.
@Suite struct IntakeTests {
    private static let block = String(repeating: "A+/z", count: Limits.parcelBlockBytes / 4)
    private static let decoded = Base64.decode(block) ?? []

    private func intake(_ body: String, pieces: Int, _ charactersMax: Int = 1 << 20) throws -> Intake {
        let disk = FaultVFS.register(name: "intake-\(UInt64.random(in: 0 ... .max))")
        defer { disk.unregister() }
        let store = try Store(
            directory: "/family", migrations: Registry.family.migrations, now: .earliest, files: .memory(disk))
        var intake = Intake(
            Parcel.Place(parameter: "picture", charactersMax: charactersMax, mediaTypes: nil), of: .machine,
            outlineBytesMax: 4096,
            Spool.Most(bytesOfAll: 1 << 30, bytesOfOne: 1 << 30))
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try intake.take(Array(bytes[start..<min(start + pieces, bytes.count)]), store.blobs)
        }
        return intake
    }

    private func refusal(_ body: String, _ charactersMax: Int = 1 << 20) throws -> Rejection {
        var refused: Rejection?
        do { _ = try intake(body, pieces: 1000, charactersMax) } catch let refusal as Intake.Refusal {
            refused = refusal.rejection
        }
        return try #require(refused)
    }

    @Test(arguments: [1, 7, 4096, 65_535, 1 << 20])
    func `a long text goes to a file and its name stays, however the body is cut`(pieces: Int) throws {
        let text = Self.block + "AAAA" + "/w=="
        let read = try intake("{\"displayName\":\"A \\\" B\",\"picture\":\"\(text)\",\"kind\":null}", pieces: pieces)
        let parcel = try #require(read.parcel)
        #expect(try parcel.spool?.read() == Self.decoded + [0, 0, 0, 0xFF])
        #expect(parcel.name == Parcel.name(of: text))
        let outline = "{\"displayName\":\"A \\\" B\",\"picture\":\"\(parcel.name)\",\"kind\":null}"
        #expect(String(decoding: read.outline, as: UTF8.self) == outline)
    }

    @Test(arguments: [1, 5, 1 << 20])
    func `characters that JSON may escape are what they stand for`(pieces: Int) throws {
        let escaped = Self.block.replacing("A+/z", with: "A\\u002B\\/z", maxReplacements: 9000) + "\\u002b\\/\\/\\u0041"
        let read = try intake("{\"picture\":\"\(escaped)\"}", pieces: pieces)
        let parcel = try #require(read.parcel)
        #expect(try parcel.spool?.read() == Self.decoded + (Base64.decode("+//A") ?? []))
        #expect(parcel.name == Parcel.name(of: Self.block + "+//A"))
    }

    @Test func `a short text stays where it is`() throws {
        for count in [4, 4000] {
            let body = "[\"\(Self.block.prefix(count))\"]"
            let read = try intake(body, pieces: 999)
            #expect(read.parcel == nil)
            #expect(String(decoding: read.outline, as: UTF8.self) == body)
        }
    }

    @Test func `what is no base64, too long, twice or beside it too much is refused`() throws {
        for end in ["A", "AA=A", "A===", "\\n", "\\u00e9", "\\u2028", "\\ug", "é", "AA==AAAA", " "] {
            let kind = try refusal("{\"picture\":\"\(Self.block)\(end)\"}").kind
            #expect(kind == .invalid, "\(end)")
        }
        // Padding ends the text also where it ends a block.
        let padded = String(Self.block.dropLast(4)) + "AA=="
        #expect(try refusal("{\"picture\":\"\(padded)AAAA\"}").kind == .invalid)
        #expect(try refusal("{\"picture\":\"\(Self.block)AAAA\"}", Limits.parcelBlockBytes).kind == .invalid)
        #expect(try refusal("[\"\(Self.block)AAAA\",\"\(Self.block)AAAA\"]").kind == .tooLarge)
        #expect(try refusal("[\"\(Self.block)AAAA\"" + String(repeating: " ", count: 5000)).kind == .tooLarge)
        let many = (0..<2000).map { _ in "\"four\"" }.joined(separator: ",")
        #expect(try refusal("[" + many + "]").kind == .tooLarge)
    }
}
