import Glibc
import KinCalendar
import Testing

@testable import KinWords

/// Why nothing came of a connection, in German: the sentences of the client library and of those below it.
@Suite struct ConnectionWordsTests {
    private static let german = Set(Refusals.connections.phrases.keys.map { $0.replacing(/{\d}/, with: "{}") })

    /// What the C library and libssl say, which no source of ours does.
    private static let ofLibraries: Set<String> = Set(
        [
            ENOENT, ECONNREFUSED, ECONNRESET, EPIPE, ENETUNREACH, ENETDOWN, EHOSTUNREACH, EACCES, EISDIR, ENOTDIR,
            ENOSPC, EROFS,
        ]
        .compactMap { strerror($0).map { String(cString: $0) } }
            + [
                "self-signed certificate", "self-signed certificate in certificate chain",
                "unable to get local issuer certificate", "certificate has expired", "certificate is not yet valid",
                "hostname mismatch", "IP address mismatch",
            ])

    private static func literals(_ folder: String) -> [Literals] {
        Tree.files(below: "Sources/" + folder).filter { $0.hasSuffix(".swift") }.map {
            Literals(Tree.text($0), lead: #/\.(?:unreachable|untrusted|notUnderstood|file)\(\s*$/#)
        }
    }

    @Test func `every German sentence has its English one in the sources or a library`() {
        let said = Set(["KinClient", "KinLoop", "KinTLS"].flatMap { Self.literals($0) }.flatMap(\.all))
        // The end of a connection is put together: why, and the daemon's own words where they say more.
        let ends = said.flatMap { [$0, $0 + ".", $0 + ": {}"] }
        #expect(Self.german.subtracting(ends).subtracting(Self.ofLibraries).sorted() == [])
        #expect(Refusals.connections.phrases.keys.count == Self.german.count, "a sentence twice")
    }

    @Test func `everything that a connection fails with is said in German`() {
        let failed = Set(Self.literals("KinClient").flatMap(\.refusals)).subtracting([""])
        #expect(failed.count > 15)
        #expect(failed.subtracting(Self.german).sorted() == [])
    }

    @Test(arguments: [
        (
            "The daemon at unix:/tmp/none cannot be reached: No such file or directory; check that kinwired runs there.",
            "Der Dienst unter unix:/tmp/none ist nicht zu erreichen: Diese Datei gibt es nicht; sieh nach, ob kinwired dort läuft."
        ),
        (
            "The daemon at https://kin.local:5469 cannot be reached: No machine named kin.local was found; check the name and the network.",
            "Der Dienst unter https://kin.local:5469 ist nicht zu erreichen: Einen Rechner namens kin.local gibt es hier nicht; sieh nach, ob der Name stimmt und das Netz da ist."
        ),
        (
            "https://kin.local:5469 is not trusted: The server's certificate is not trusted: certificate has expired.",
            "https://kin.local:5469 ist nicht vertrauenswürdig: Dem Zertifikat des Servers ist nicht zu trauen: es ist abgelaufen."
        ),
        (
            "The connection to unix:/x broke: Broken pipe.",
            "Die Verbindung zu unix:/x ist abgerissen: Die andere Seite hört nicht mehr zu."
        ),
        ("The daemon was stopped, or is starting anew.", "Der Dienst wurde beendet, oder er startet neu."),
        ("You were signed out.", "Du wurdest abgemeldet."),
        ("Something quite new.", "Something quite new."),
    ])
    func `a failed connection is told in the reader's language`(english: String, german: String) {
        #expect(Reader(.german, .utc).failure(english) == german)
        #expect(Reader(.english, .utc).failure(english) == english)
    }
}
