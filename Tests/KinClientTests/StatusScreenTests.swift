import KinModel
import Testing

@testable import kin

@Suite struct StatusScreenTests {
    let now = Instant("2026-11-20T18:04:05.000Z") ?? .earliest

    private func lines(_ changes: JSON.Object) -> [String] {
        var status: JSON.Object = [
            "version": "0.1.0", "startedAt": "2026-11-17T10:00:00.000Z",
            "clients": ["webSocket": 3, "lines": 1, "serverSentEvents": 0, "ndjson": 0, "http": 2, "unix": 1],
            "followers": ["count": 4, "behindMax": 0, "behindSum": 0, "secondsBehindMax": 0],
            "log": ["rows": 812, "bytes": 301_223],
            "disk": ["databaseBytes": 401_408, "walBytes": 32_768, "freeBytes": 91_234_567_890, "isShort": false],
            "certificate": ["notAfter": "2027-12-20T00:00:00.000Z", "isOwn": true],
            "lastBackup": ["at": "2026-11-20T03:00:00.000Z", "bytes": 512_000],
            "used": [
                "pointsToday": 17_280, "points": 1_000_001, "galleryPicturesToday": 1, "operationBytesToday": 20_480,
                "places": 12,
                "meetings": 1,
            ],
        ]
        for name in changes.names { status[name] = changes[name] }
        return StatusScreen(.object(status), address: "unix:/run/kinwire/kinwire.sock", now: now)
            .lines(80, isColoured: false)
    }

    @Test func `a daemon that is well has no line that asks for a look`() {
        let lines = lines([:])
        #expect(lines[0] == "Kinwire 0.1.0 at unix:/run/kinwire/kinwire.sock, up for 3 days")
        #expect(!lines.contains { $0.hasPrefix("!") }, "\(lines)")
        #expect(lines.contains { $0.contains("7 connections: 3 WebSocket, 1 lines, 2 HTTP, 1 on this machine") })
        #expect(lines.contains { $0.contains("4, all up to date") })
        #expect(lines.contains { $0.contains("812 events, 294 KiB") })
        #expect(lines.contains { $0.contains("424 KiB used, 84 GiB free") })
        #expect(lines.contains { $0.contains("15 h ago") })
        let used = lines.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            used.contains(
                "17280 positions, 1 picture; in all 1 open meeting, 1000001 positions, 12 places"))
    }

    @Test(
        arguments: [
            (["lastBackup": .null], "none yet"),
            (["lastBackup": ["at": "2026-11-01T03:00:00.000Z", "bytes": 5]], "19 days ago"),
            (["certificate": ["notAfter": "2026-11-30T00:00:00.000Z", "isOwn": false]], "in 9 days"),
            (["certificate": ["notAfter": "2026-11-10T00:00:00.000Z", "isOwn": true]], "ended on"),
            (["disk": ["databaseBytes": 1, "walBytes": 0, "freeBytes": 0, "isShort": true]], "FULL"),
            (
                [
                    "clock": [
                        "time": "2026-11-20T18:04:05.000Z", "isSynchronised": false,
                        "doubt": [
                            "why": "jumped", "since": "2026-11-20T18:00:00.000Z", "says": "2027-12-25T18:04:05.000Z",
                        ],
                    ]
                ], "DOUBTED since"
            ),
            (["followers": ["count": 2, "behindMax": 900, "secondsBehindMax": 75]], "900 events (1 min)"),
        ] as [(JSON.Object, String)])
    func `what somebody should look at is marked`(change: JSON.Object, words: String) {
        let marked = lines(change).filter { $0.hasPrefix("!") }
        #expect(marked.count == 1 && marked[0].contains(words), "\(marked)")
    }

    @Test func `an answer of a newer daemon, or of a strange one, still makes a screen`() {
        #expect(!StatusScreen([:], address: "x", now: now).lines(20, isColoured: true).isEmpty)
        #expect(
            !StatusScreen(["clients": 5, "disk": []], address: "x", now: .latest).lines(nil, isColoured: false).isEmpty)
    }
}
