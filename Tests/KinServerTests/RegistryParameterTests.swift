import KinActivity
import KinFamily
import KinKeeper
import KinLoop
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinActivity
@testable import KinKeeper
@testable import KinMap
@testable import KinMeetings
@testable import KinMembers
@testable import KinServer
@testable import KinServerBox

/// Every method with everything a client can get wrong: the right code, the field named, nothing changed, the connection
/// alive. What is wrong is made from the declared shapes.
@Suite struct RegistryParameterTests {
    /// Raw JSON and the codes it may be answered with.
    private struct Probe {
        let json: String
        let codes: [Int64]
        init(_ json: String, _ codes: Int64...) { (self.json, self.codes) = (json, codes) }
    }

    private static let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    private static let marks = "\"a" + String(repeating: "\u{301}", count: 40) + "\""

    private static func text(_ count: Int) -> String { "\"" + String(repeating: "a", count: count) + "\"" }

    /// What no shape but `any` takes, and what this one does not.
    private static func probes(_ shape: Shape) -> [Probe] {
        var probes = [Probe("9223372036854775808", -32700, -32602, 1422), Probe("1e400", -32700, -32602, 1422)]
        switch shape {
        case .any: return []
        case .named(_, let shape): return Self.probes(shape)
        case .nullable(let shape): return Self.probes(shape).filter { $0.json != "null" }
        case .either(_, let second): return Self.probes(second)
        case .id, .time:
            probes += [Probe("\"NaN\"", 1422), Probe(marks, 1422), Probe(text(3000), 1422), Probe("\"\"", 1422)]
        case .username, .oneOf:
            probes += [Probe("\"NaN\"", 1422), Probe(marks, 1422), Probe(text(3000), 1422), Probe("\"\"", 1422)]
        case .line(let max):
            probes += [
                Probe(marks, 1422), Probe(text(max + 1), 1413), Probe("\"\"", 1422),
                Probe("\"a\\u0000\"", 1422, -32700),
            ]
        case .text(let max): probes += [Probe(marks, 1422), Probe(text(max + 1), 1413)]
        case .secret(let max): probes += [Probe(text(max + 1), 1413), Probe("\"\"", 1422)]
        case .token(let max): probes += [Probe(marks, 1422), Probe(text(max + 1), 1422), Probe("\"\"", 1422)]
        case .bool, .integer, .number: probes += [Probe("\"NaN\"", -32602), Probe(text(3000), -32602)]
        case .list(_, let max):
            probes += [Probe("\"NaN\"", -32602), Probe("{}", -32602)]
            if max < 2000 {
                let many = "[" + Array(repeating: "null", count: max + 1).joined(separator: ",") + "]"
                probes.append(Probe(many, 1413))
            }
        case .object: probes += [Probe("\"NaN\"", -32602), Probe("{\"nonsense\":1}", -32602), Probe("[]", -32602)]
        }
        switch shape {
        case .bool, .integer, .number, .list, .object: break
        default: probes.append(Probe("7", -32602))
        }
        if case .integer = shape { probes += [Probe("1.5", 1422), Probe("-9223372036854775807", 1422)] }
        if case .number(let bounds) = shape, bounds.upperBound < 1e300 { probes.append(Probe("1e300", 1422)) }
        probes += [Probe("null", -32602), Probe(deep, -32602, -32700), Probe("{\"a\":{}}", -32602)]
        // A picture is longer than a line can be.
        return probes.filter { $0.json.utf8.count < 900_000 }
    }

    /// Somebody who may call it, the mightiest first.
    private static func client(_ box: Box, _ method: KinKeeper.Method) throws -> BoxClient {
        let caller = ["admin", "machine", "head", "member", "guest", "nobody"].lazy.compactMap { word in
            RegistryAccessTests.callers.first { $0.word == word && method.access.contains($0.bit) }
        }.first
        return try RegistryAccessTests.client(box, try #require(caller, "nobody may call \(method.name)"))
    }

    private static func ask(_ client: BoxClient, _ method: String, _ params: String) throws -> JSON {
        try client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}\n")
        return try #require(
            try client.messages().first { $0["error"] != nil || $0["result"] != nil }, "\(method) \(params.prefix(60))")
    }

    @Test(arguments: RegistryAccessTests.methods.map(\.name))
    func `what is wrong with a parameter is said, and changes nothing`(name: String) throws {
        let box = try Box.family()
        let method = try #require(Registry.family.methods[name])
        let client = try Self.client(box, method)
        let before = try box.fingerprint()
        func refused(_ params: String, _ codes: [Int64], field: String?) throws {
            let response = try Self.ask(client, name, params)
            let code = response["error"]?["code"]?.int
            #expect(code.map(codes.contains) ?? false, "\(name) \(params.prefix(60)): \(response.text.prefix(300))")
            if let field, code != -32700 {
                let named = response["error"]?["data"]?["field"]?.string ?? ""
                #expect(
                    named == field || named.hasPrefix(field + "[") || named.hasPrefix(field + "."),
                    "\(name) \(params.prefix(60)) names \(named)")
            }
        }
        try refused("{\"nonsense\":1}", [-32602], field: "nonsense")
        try refused("[1]", [-32602], field: nil)
        try refused("{\"a\":1,\"a\":1}", [-32700], field: nil)
        for field in method.parameters {
            for probe in Self.probes(field.shape) {
                try refused("{\"\(field.name)\":\(probe.json)}", probe.codes, field: field.name)
            }
        }
        if let missing = method.parameters.first(where: \.isRequired) {
            try refused("{}", [-32602], field: missing.name)
        }
        #expect(try box.fingerprint() == before)
        #expect(!client.isOver)
        // Still alive: the same connection answers a question.
        let alive = try Self.ask(client, "no.such", "{}")
        #expect(alive["error"]?["code"] == -32601)
    }
}
