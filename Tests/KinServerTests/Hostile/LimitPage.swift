import Glibc
import Testing

@testable import KinServerBox

/// What the page about limits says of each, beside its own documentation comment.
enum LimitPage {
    struct Told {
        /// What happens when it is reached.
        let answer: String
        /// The names it is counted under.
        let counted: [String]
        let tests: [String]

        init(_ answer: String, _ counted: [String] = [], _ tests: String...) {
            self.answer = answer
            self.counted = counted
            self.tests = tests
        }
    }

    static let head = """
        # Limits

        The limits of connections and requests. For each: its value, what it bounds, what a client sees when it is reached, and
        the test that reaches it.

        ## Overview

        When a limit is reached, the client gets an answer, or its connection ends. The daemon never takes more memory instead.
        All of these limits are in the file `Sources/KinServer/ServerLimits.swift`, from which the table is made.

        The fifth column has the name under which the daemon's log and the metric `kinwire_limits_hit_total` count a
        limit. A limit without a name is reached in everyday use and is not counted.

        Connections from the daemon's own machine, over loopback or the Unix socket, are not limited for each address and
        member. Behind a trusted proxy (`--trust-proxy`) the client's own address counts. The proxy sends it in `Forwarded`, in
        `X-Forwarded-For` or by the PROXY protocol.

        ## The limits

        | limit | value | what it bounds | what happens there | counted as | shown by |
        | --- | --- | --- | --- | --- | --- |

        """

    static let tail = """

        ## Passwords and pictures

        Two passwords are checked at a time, and sixteen more may wait. Further ones are answered 1429, counted as `passwords`
        (*passwords are judged two at once, sixteen wait, the rest come back*). Pictures are opened one at a time, within 128
        MiB of memory. Sixteen more may wait; this limit is counted as `pictures` (*pictures that wait hold no sign-in up, and
        only their own member's are refused*).

        Members and addresses take turns in each of the two queues. When a queue is full, the newest request of the member or
        address with the most requests in it is refused (*a flood of sign-ins with made-up names only refuses itself*). In one
        turn the keeper carries out at most sixteen requests of one member or address while others wait (*sixty-four
        connections of one guest leave the keeper's next turn to others*).

        ## Quotas of members

        Each member has quotas of their own, so that nobody uses up what others need. A day's quotas (by UTC) are 200,000
        points, 5 MiB of remembered commands, 50 pictures and 20 display names. Shared places and open meetings share a room: a
        member may take three quarters of what is left of it. A member who reaches a quota is answered 1429 or 1413; other
        members notice nothing. A phone is still answered as if all were well: its newest point is shown, but not kept in the
        history (*a phone beyond its member's points is answered well, moves the dot and fills no history*).

        When four fifths of a quota are used, the daemon tells the member in the inbox. Admins see the sums of the family
        (`daemon.status`; *admins are told the family's sums and nobody's own*).

        Limits of what a family may hold are in `Sources/KinKeeper/Limits.swift` and in each area's `Limits+….swift`; the page
        FamilyLimits lists them. Bounds of single values are in `Sources/KinModel`.

        ## When descriptors run out

        By default `connectionsMax` is what the limit of descriptors allows, less 64. Should the descriptors run out all the
        same, the daemon closes one that it keeps in reserve, and answers one caller 503 with it. Other callers wait in the
        kernel's queue until a connection closes or a second has passed. Nobody who is connected notices (*one caller gets 503,
        the others wait until a socket closes, and bystanders notice nothing*; *accepting is tried again after a while, since
        descriptors are not only sockets*).

        ## When the other side is gone

        A WebSocket whose client answers no ping is closed after `silenceMilliseconds`. On other connections the kernel finds
        out: after 60 s without a byte it asks every 10 s, three times. It also ends a connection whose bytes nobody has
        acknowledged for 90 s (`TCP_USER_TIMEOUT`).

        ## When a connection breaks

        The daemon frees everything that it held for the connection (*whatever it was in the middle of, nothing is left of
        it*). Only an upload that can be resumed stays, until its time is over.

        """

    static let told: [String: Told] = [
        "firstByteSeconds": Told(
            "closed; over TLS with its goodbye", ["first_byte"], "a connection that says nothing ends after 10 s"),
        "handshakeSeconds": Told("closed", ["handshake"], "a slow sender of a TLS hello has 10 s"),
        "ticketKeySeconds": Told(
            "a ticket of two keys before is a whole handshake", [],
            "tickets are taken for a day, and the daemon's keys change every 12 hours"),
        "handshakeStepsPerTurnMax": Told(
            "the other handshakes wait for the next turns, in their order", ["handshake_steps"],
            "a flood of handshakes is worked off a few steps a turn",
            "in a storm of handshakes a turn takes so many steps, and a follower does not wait for the rest"),
        "headSeconds": Told(
            "408 and an end", ["slow_request"], "slow senders of headers have 10 s, however many bytes they drip"),
        "bodySeconds": Told(
            "408 and an end", ["slow_request"],
            "slow senders of bodies have 60 s, and what came of a body is let go with them"),
        "messageSeconds": Told(
            "close code 1008", ["slow_message"],
            "slow senders of frames and lines have 60 s for a message, however it is cut",
            "pings within a message win it no time",
            "empty fragments without end hold nothing, and have the time of a message"),
        "idleSeconds": Told(
            "closed", ["idle"], "thousands of idle connections hold no byte, and end after 75 s"),
        "signInSeconds": Told("close code 4002", ["sign_in"], "whoever does not sign in within 30 s is sent away"),
        "bytesBeforeSignInMax": Told(
            "1413 and close code 1009", ["line_bytes", "message_bytes"],
            "strangers say 4 kB in all, on lines and on WebSockets"),
        "messageBytesMax": Told(
            "1413 on lines, close code 1009", ["line_bytes", "message_bytes"],
            "tiny fragments add up to the bound of a message"),
        "bodyBytesMax": Told(
            "413 and an end, from the length alone where it is told", [],
            "a body of another type, a body too long and a broken one are refused", "a chunked body too long is refused"
        ),
        "parsedOnLoopBytesMax": Told(
            "a worker parses it; the connection's later requests wait", [],
            "a long line waits for its parser, and what came after it for its turn"),
        "phoneBodyBytesMax": Told(
            "the phone is answered as if all were well, and the rest is dropped with the connection", [],
            "fifty megabytes are answered like a good message, and none of it is kept"),
        "plainBodyBytesMax": Told(
            "refused from the head alone", [],
            "a client that waits to be told to go on is stopped before it says the password"),
        "formBytesMax": Told("413 and an end", [], "forms of others, too long or too often are refused"),
        "pictureBodyBytesMax": Told("413 and an end", [], "a picture's body may be 24 MB, and others not"),
        "pictureBodyHeldBytesMax": Told(
            "the connection is not read until a piece is written, and its time stands still", [],
            "a picture of 16 MB takes memory for its pieces alone, and a bystander misses nothing",
            "a body is not read while what was read of it waits for the disk, and its time stands still"),
        "uploadHeldBytesMax": Told(
            "the connection is not read until a piece is written, and its time stands still", [],
            "the content is not read while what was read of it waits for the disk",
            "however long the disk takes, little is held and no time is taken from the client"),
        "uploadUnsyncedBytesMax": Told(
            "it is synced, and goes on", [],
            "an upload that may be gone on with is synced as it grows, and another is not"),
        "pictureOutlineBytesMax": Told("413 and an end", [], "however a long body ends, no file stays"),
        "downloadPieceBytesMax": Told(
            "the next piece comes when the client has taken the one before", [],
            "a long file comes in pieces, of which few are held, however slow the client is"),
        "pictureFilesBytesMax": Told(
            "503 with Retry-After, and an end", ["picture_files"], "however a long body ends, no file stays"),
        "pictureFilesOfOneBytesMax": Told(
            "429 with Retry-After, and an end", ["picture_files"],
            "who fills one's part of the room for pictures leaves the others theirs"),
        "bodiesBytesMax": Told(
            "503 with Retry-After, and an end", ["bodies_bytes"],
            "bodies of all together have their room, the next is told 503"),
        "requestsPerConnectionMax": Told(
            "the connection is not read until one is answered", [],
            "of one connection at most 32 requests wait, and all are answered"),
        "requestsPerPartyAndTurn": Told(
            "the loop looks at everybody else first", [],
            "one guest's connections put on their way what a turn takes of one party, and the rest later"),
        "requestsMax": Told(
            "1429, or HTTP 429", ["requests"], "in all at most so many requests wait, the next are told to come back"),
        "feedBytes": Told(
            "the oldest events leave memory; who is behind reads them from the log", [],
            "who never reads while events pour in holds its bound, is sent away after 60 s and comes back whole"),
        "followersToWaitFor": Told(
            "many followers are written to a millisecond later, and once instead of twice", [],
            "with many followers a commit's events wait for those of the commit under way"),
        "compressedEventBytesMin": Told(
            "shorter events go as they are", [], "short messages are sent as they are"),
        "compressedMessageBytesMin": Told(
            "shorter messages go as they are", [], "a snapshot is compressed for the one who asked"),
        "outBytesMax": Told(
            "nothing more is made ready or read until some is taken", [],
            "following connections are bounded in what is ready for them",
            "a flood of pings is answered to its bound and no further",
            "empty messages are refused one by one, and who does not read the refusals is not read either"),
        "uptoMilliseconds": Told("`upto` is sent", [], "upto comes every 15 s with a fresh salt"),
        "ntfyKeepaliveMilliseconds": Told(
            "`keepalive` is sent", [], "it is kept alive before the app gives it up"),
        "guestStreamsPerLinkMax": Told(
            "429 with Retry-After", ["guest_streams"],
            "a link has a few streams, an address too, and whoever leaves makes room"),
        "guestStreamsPerAddressMax": Told(
            "429 with Retry-After", ["guest_streams"],
            "a link has a few streams, an address too, and whoever leaves makes room"),
        "guestStreamsMax": Told(
            "503 with Retry-After", ["guest_streams"], "streams of links have a bound in all"),
        "guestStreamBeatMilliseconds": Told(
            "`beat` is sent", [], "a link's stream gives a sign of life whatever happens in the family"),
        "guestStreamPauseMilliseconds": Told(
            "the next change waits for it", [], "a link's stream tells what moved, and only what its link shows"),
        "pingMilliseconds": Told(
            "a ping is sent", [], "a WebSocket is pinged every 30 s and closed after 90 s of silence"),
        "silenceMilliseconds": Told("closed", ["silence"], "half-open WebSockets are found by their silence"),
        "stuckMilliseconds": Told(
            "close code 4008: come back with your cursor", ["stuck"],
            "who takes no byte for 60 s is sent away, who takes one now and then is not",
            "slow readers are kept as long as they take a byte a minute, and cost their share"),
        "linesPerMinuteMax": Told("a sum once a minute", [], "a flood is a few lines a minute and a sum"),
        "stuckGoodbyeSeconds": Told(
            "closed", [], "who took nothing for a minute and wakes up just then reads 4008 behind what waited"),
        "drainSeconds": Told("closed", [], "a daemon that ends says so, answers what was asked and is done"),
        "lingerSeconds": Told(
            "closed", [], "whatever it was in the middle of, nothing is left of it"),
        "connectionsPerAddressMax": Told(
            "429 and an end", ["connections_per_address"],
            "a flood of connections from one address is told 429, and other addresses come in",
            "behind a trusted proxy the client's address counts, the proxy's own does not"),
        "connectionsPerMemberMax": Told(
            "close code 4003", ["connections_per_member"], "of one member 64 connections come in, the next is told 4003"
        ),
        "connectionsMax": Told(
            "503 and an end", ["connections"],
            "a flood of connections from everywhere is told 503 at the bound, and room comes back"),
        "snapshotPieceBytesMax": Told(
            "the rest comes in further pieces of the message", [],
            "ten areas of 250 kB each arrive whole, and one piece of them is ready at a time"),
        "snapshotsBytesMax": Told(
            "the client waits for its snapshot", [],
            "snapshots on their way are bounded together, and who takes none makes room for others"),
        "snapshotMilliseconds": Told(
            "close code 4008: come back", ["snapshots"],
            "snapshots on their way are bounded together, and who takes none makes room for others"),
    ]

    /// The documentation comments of `ServerLimits`, by property.
    static let meanings: [String: String] = {
        let tree = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        guard let file = fopen(tree + "/Sources/KinServer/ServerLimits.swift", "r") else { return [:] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = fread(&bytes, 1, bytes.count, file)
        var meanings: [String: String] = [:]
        var comment: [String] = []
        for line in String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("/// ") {
                comment.append(String(line.dropFirst(4)))
                continue
            }
            if line.hasPrefix("public var ") {
                let name = line.dropFirst("public var ".count).prefix { $0 != " " && $0 != ":" }
                var text = comment.joined(separator: " ")
                if text.hasSuffix(".") { text.removeLast() }
                meanings[String(name)] = text
            }
            comment = []
        }
        return meanings
    }()
}
