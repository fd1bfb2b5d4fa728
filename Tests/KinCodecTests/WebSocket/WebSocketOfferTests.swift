import Testing

@testable import KinCodec

/// What a client offers in `Sec-WebSocket-Extensions`, and what it is answered.
@Suite struct WebSocketOfferTests {
    static let both = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    static let answered: [(String, String)] = [
        ("permessage-deflate", both), ("Permessage-Deflate", both), ("x-other, permessage-deflate", both),
        ("permessage-deflate;client_max_window_bits", both),
        ("permessage-deflate ; client_no_context_takeover;server_no_context_takeover", both),
        ("permessage-deflate; server_max_window_bits=9", both + "; server_max_window_bits=9"),
        ("permessage-deflate; server_max_window_bits=15", both + "; server_max_window_bits=15"),
        ("permessage-deflate; server_max_window_bits=\"12\"", both + "; server_max_window_bits=12"),
        ("permessage-deflate; client_max_window_bits=8", both + "; client_max_window_bits=8"),
        (
            "permessage-deflate; client_max_window_bits = 11 ; server_max_window_bits = 10",
            both + "; server_max_window_bits=10; client_max_window_bits=11"
        ),
        // The first one that can be accepted.
        (
            "permessage-deflate; server_max_window_bits=8, permessage-deflate; server_max_window_bits=10,x",
            both + "; server_max_window_bits=10"
        ),
        ("permessage-deflate; unknown, permessage-deflate", both), (", ,permessage-deflate,", both),
    ]

    @Test(arguments: answered) func `an offer is answered with each message by itself, both ways`(
        offer: String, answer: String
    ) {
        #expect(WebSocketDeflate.agree(to: ["Sec-WebSocket-Extensions": offer])?.response == answer)
    }

    @Test(arguments: [
        "", "x-webkit-deflate-frame", "permessage-deflate; unknown", "permessage-deflate; unknown=1",
        "permessage-deflate; server_no_context_takeover=1", "permessage-deflate; client_no_context_takeover=true",
        "permessage-deflate; server_max_window_bits", "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=010",
        "permessage-deflate; server_max_window_bits=+9", "permessage-deflate; server_max_window_bits=9.0",
        "permessage-deflate; client_max_window_bits=7", "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=16", "permessage-deflate; client_max_window_bits=99999999999",
        "permessage-deflate; server_max_window_bits=9; server_max_window_bits=9",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        // zlib has no window of 8 bits for raw DEFLATE.
        "permessage-deflate; server_max_window_bits=8",
    ]) func `an offer with a parameter that is wrong, repeated or unknown is declined`(offer: String) {
        let headers: HTTPHeaders = ["Sec-WebSocket-Extensions": offer]
        #expect(WebSocketDeflate.agree(to: headers) == nil)
        #expect(WebSocketExtension.list(headers) != nil)
    }

    @Test(arguments: [
        "permessage-deflate;", "permessage-deflate; =9", "permessage-deflate; a=", "permessage-deflate; a=\"\"",
        "permessage-deflate; a=\"x y\"", "permessage-deflate; a=\"x", "permessage-deflate x", "=", ";", "a/b",
        "permessage-deflate; a=\"x\\", "permessage-deflate; a==b",
    ]) func `a field that is malformed is refused with the handshake`(offer: String) throws {
        #expect(WebSocketExtension.list(["Sec-WebSocket-Extensions": offer]) == nil)
        var parser = HTTPRequestParser()
        let text = WebSocketHandshakeTests.good.replacing(
            "Sec-WebSocket-Version", with: "Sec-WebSocket-Extensions: \(offer)\r\nSec-WebSocket-Version")
        guard case .head(let head) = parser.consume(text.bytes).step,
            case .refuse(status: 400, _, _) = WebSocketHandshake.check(head)
        else {
            Issue.record("\(offer) was taken")
            return
        }
    }

    @Test func `offers over many lines are one list`() {
        var headers = HTTPHeaders()
        headers.append("Sec-WebSocket-Extensions", "permessage-deflate; server_max_window_bits=8")
        headers.append("sec-websocket-extensions", "permessage-deflate; server_max_window_bits=11, permessage-deflate")
        #expect(WebSocketDeflate.agree(to: headers)?.serverWindowBits == 11)
        #expect(WebSocketDeflate.agree(to: [:]) == nil)
    }

    @Test func `what stands in quotes is read without them`() {
        let list = WebSocketExtension.list(["Sec-WebSocket-Extensions": "a; b=\"c\\d\"; e, f"])
        #expect(
            list == [
                WebSocketExtension(
                    name: "a", parameters: [.init(name: "b", value: "cd"), .init(name: "e", value: nil)]),
                WebSocketExtension(name: "f", parameters: []),
            ])
    }
}
