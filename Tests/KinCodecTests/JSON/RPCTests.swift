import KinModel
import Testing

@testable import KinCodec

@Suite struct RPCTests {
    @Test func `requests and notifications are read`() throws {
        let vote = try RPCRequest.parse(
            JSON.parse(#"{"jsonrpc":"2.0","id":7,"method":"meeting.vote","params":{"op":"x"}}"#))
        #expect(vote == RPCRequest(id: 7, method: "meeting.vote", params: ["op": "x"]))
        #expect(try RPCRequest.parse(JSON.parse(#"{"jsonrpc":"2.0","method":"m"}"#)).id == nil)
        #expect(try RPCRequest.parse(JSON.parse(#"{"jsonrpc":"2.0","id":null,"method":"m"}"#)).id == .null)
        #expect(try RPCRequest.parse(JSON.parse(#"{"jsonrpc":"2.0","id":"a","method":"m"}"#)).id == "a")
    }

    @Test(arguments: [
        (#"[]"#, JSON.null, -32600), (#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, .null, -32600), ("1", .null, -32600),
        ("{}", .null, -32600), (#"{"id":1,"method":"m"}"#, 1, -32600),
        (#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, 1, -32600), (#"{"jsonrpc":2.0,"id":1,"method":"m"}"#, 1, -32600),
        (#"{"jsonrpc":"2.0","id":"x"}"#, "x", -32600), (#"{"jsonrpc":"2.0","id":1,"method":1}"#, 1, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":""}"#, 1, -32600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, .null, -32600),
        (#"{"jsonrpc":"2.0","id":{},"method":"m"}"#, .null, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","extra":1}"#, 1, -32600),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}"#, 1, -32602),
        (#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#, 1, -32602),
    ])
    func `what is no request is answered with its id and code`(text: String, id: JSON, code: Int) throws {
        let message = try JSON.parse(text)
        let failure = #expect(throws: RPCFailure.self) { try RPCRequest.parse(message) }
        #expect(failure?.id == id)
        #expect(failure?.code == code)
        #expect(failure?.message.hasSuffix(".") == true)
    }

    @Test func `what a server writes a client reads`() throws {
        func read(_ bytes: [UInt8]) throws -> RPCMessage { try RPCMessage.parse(JSON.parse(bytes)) }
        #expect(try read(RPC.result(id: 7, ["a": [1, 2]])) == .result(id: 7, ["a": [1, 2]]))
        #expect(try read(RPC.result(id: "x", bytes: "null".bytes)) == .result(id: "x", .null))
        let data: JSON = ["kind": "not-found"]
        #expect(
            try read(RPC.error(id: 8, code: 1404, message: "There is none.", data: data))
                == .error(id: 8, .init(code: 1404, message: "There is none.", data: data)))
        #expect(
            try read(RPC.notification(method: "upto", params: ["cursor": "c"]))
                == .notification(method: "upto", params: ["cursor": "c"]))
        #expect(
            try RPCRequest.parse(JSON.parse(RPC.request(id: 1, method: "m", params: ["a": 1])))
                == RPCRequest(id: 1, method: "m", params: ["a": 1]))
    }

    @Test func `bytes are as the protocol's documentation shows them`() {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        #expect(text(RPC.result(id: 7, ["meeting": [:]])) == #"{"jsonrpc":"2.0","id":7,"result":{"meeting":{}}}"#)
        #expect(
            text(RPC.error(id: nil, code: -32700, message: "No.", data: nil))
                == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"No."}}"#)
        #expect(
            text(RPC.notification(method: "upto", bytes: #"{"cursor":"c"}"#.bytes))
                == #"{"jsonrpc":"2.0","method":"upto","params":{"cursor":"c"}}"#)
    }

    @Test(arguments: [
        "[]", "{}", #"{"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":1}"#,
        #"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#, #"{"jsonrpc":"2.0","result":1}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"m"}"#, #"{"jsonrpc":"2.0","method":"m","params":[]}"#,
    ])
    func `what is no server's message is refused`(text: String) throws {
        let message = try JSON.parse(text)
        #expect(throws: RPCFailure.self) { try RPCMessage.parse(message) }
    }
}
