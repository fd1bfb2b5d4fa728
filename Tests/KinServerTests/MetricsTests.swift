import KinActivity
import KinCrypto
import KinFamily
import KinKeeper
import KinMap
import KinMeetings
import KinMembers
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

@Suite struct MetricsTests {
    private func page(_ box: Box) throws -> String {
        let answer = try box.connect(from: Box.machine).ask("GET /metrics")
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        return answer.text
    }

    private func value(_ page: String, _ sample: String) -> Double? {
        page.split(separator: "\n").first { $0.hasPrefix(sample + " ") }?.split(separator: " ").last.flatMap {
            Double($0)
        }
    }

    @Test func `who may read them: the Unix socket and the scope metrics, not whoever is on this machine`() throws {
        let setting = Box.Setting(allowPlain: ["203.0.113.0/24"], trustProxy: ["127.0.0.1/32"])
        let box = try Box.family(setting)
        #expect(try box.connect().ask("GET /metrics").status == 401)
        #expect(try box.connect(from: Box.machine).ask("GET /metrics").status == 200)
        let proxied = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https"]
        #expect(try box.connect().ask("GET /metrics", proxied).status == 401)
        let stranger = try box.connect(from: Box.remote).ask("GET /metrics")
        #expect(stranger.status == 401 && stranger["WWW-Authenticate"]?.hasPrefix("Basic") ?? false)
        let ada = try box.line("ada")
        for (scope, status) in [("metrics", 200), ("location", 403)] {
            let made = try ada.result("appPassword.create", ["device": "prometheus", "scope": .string(scope)])
            let password = try #require(made["password"]?.string)
            for header in [
                "Authorization: Basic " + Base64.encode(Array("ada:\(password)".utf8)),
                "Authorization: Bearer \(password)",
            ] {
                #expect(try box.connect(from: Box.remote).ask("GET /metrics", [header]).status == status, "\(scope)")
                #expect(try box.connect().ask("GET /metrics", proxied + [header]).status == status)
            }
        }
        // A session, of an admin even, is no app password.
        let bearer = "Authorization: Bearer \(try box.person("ada").token)"
        #expect(try box.connect(from: Box.remote).ask("GET /metrics", [bearer]).status == 401)
        #expect(try box.connect().ask("POST /metrics").status == 405)
    }

    @Test func `an address for metrics serves them to whoever reaches it, and nothing else`() throws {
        let box = try Box.family()
        let bearer = "Authorization: Bearer \(try box.person("ada").token)"
        for peer in [Box.remote, Box.loopback] {
            let client = box.connect(from: peer, listener: 1)
            #expect(try client.ask("GET /metrics").text.contains("kinwire_build_info"))
            #expect(try client.ask("HEAD /metrics").status == 200)
            #expect(try client.ask("GET /healthz", ["X-Forwarded-For: 203.0.113.9"]).status == 200)
            #expect(try client.ask("POST /metrics").status == 405)
            for path in ["/", "/api/family", "/live", "/ca.crt", "/signin", "/api/openapi.json", "/style.css"] {
                #expect(try client.ask("GET \(path)", [bearer]).status == 404, "\(path)")
            }
            #expect(try client.ask("POST /api/session", [], "{}").status == 404)
            let other = box.connect(from: peer, listener: 1)
            #expect(try other.openWebSocket().status == 404)
            let lines = box.connect(from: peer, listener: 1)
            try lines.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"family.show\"}\n")
            #expect(lines.text().hasPrefix("HTTP/1.1 400") && lines.isOver)
        }
    }

    @Test func `bytes that many share count for each who is sent them`() throws {
        let box = try Box.family()
        let followers = try (0..<3).map { _ in try box.line("ben") }
        for follower in followers { _ = try follower.result("live.follow") }
        let ada = try box.line("ada")
        for _ in 0..<2 {
            let before = box.server.counters.bytesOut
            _ = try ada.result("activity.announce", ["text": .string(String(repeating: "x", count: 1000))])
            #expect((3000..<5000).contains(box.server.counters.bytesOut - before))
        }
    }

    @Test func `they count what happened`() throws {
        let box = try Box.family()
        let ada = try box.line("ada")
        let ben = try box.line("ben")
        _ = try ben.result("live.follow")
        let before = try page(box)
        for _ in 0..<3 { _ = try ada.result("activity.announce", ["text": "counted"]) }
        #expect(try ben.refusal("activity.announce", ["text": "not for Ben"]) == 1403)
        _ = try ben.messages()
        let after = try page(box)
        func grew(_ sample: String) -> Double? {
            value(after, sample).map { $0 - (value(before, sample) ?? 0) }
        }
        #expect(grew("kinwire_requests_total{family=\"activity\",outcome=\"ok\"}") == 3)
        #expect(grew("kinwire_requests_total{family=\"activity\",outcome=\"forbidden\"}") == 1)
        #expect(grew("kinwire_events_total") == 3)
        #expect(grew("kinwire_deliveries_total") == 3)
        #expect(grew("kinwire_commits_total") ?? 0 >= 3)
        #expect(grew("kinwire_connections_accepted_total") == 1)
        #expect(grew("kinwire_log_rows") == 3)
        #expect(grew("kinwire_received_bytes_total") ?? 0 > 100 && grew("kinwire_sent_bytes_total") ?? 0 > 100)
        #expect(value(after, "kinwire_connections{transport=\"lines\"}") == 2)
        #expect(value(after, "kinwire_followers") == 1)
        #expect(value(after, "kinwire_follower_lag_events_max") == 0)
        #expect(value(after, "kinwire_queue_depth{queue=\"password\"}") == 0)
        #expect(value(after, "kinwire_limits_hit_total{limit=\"requests\"}") == 0)
        #expect(value(after, "kinwire_ring_bytes") ?? 0 > 0)
        #expect(value(after, "kinwire_build_info{version=\"\(KinwireVersion.text)\"}") == 1)
        #expect(value(after, "kinwire_last_backup_timestamp_seconds") == 0)
    }

    @Test func `a follower that takes nothing is seen to lag`() throws {
        let box = try Box.family()
        let ben = try box.line("ben", room: 400)
        _ = try ben.result("live.follow")
        try ben.stall(true)
        let ada = try box.line("ada")
        for _ in 0..<400 { ada.postCall("activity.announce", ["text": .string(String(repeating: "x", count: 400))]) }
        try box.settle()
        try box.advance(seconds: 20)
        let text = try page(box)
        #expect(value(text, "kinwire_follower_lag_events_max") ?? 0 > 0)
        #expect(value(text, "kinwire_follower_lag_events") == value(text, "kinwire_follower_lag_events_max"))
        #expect(value(text, "kinwire_follower_lag_seconds_max") ?? 0 >= 20)
    }

    /// What `promtool check metrics` looks for, and what Prometheus asks of the format.
    @Test func `names, help and types follow the conventions`() throws {
        let box = try Box.family()
        let text = try page(box)
        var types: [String: String] = [:]
        var helped: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                #expect(helped.insert(String(words[2])).inserted, "\(line)")
                #expect(words.count == 4)
            } else if line.hasPrefix("# TYPE ") {
                #expect(helped.contains(String(words[2])))
                types[String(words[2])] = String(words[3])
            } else {
                let name = String(line.prefix { $0 != "{" && $0 != " " })
                var family = name
                for end in ["_bucket", "_sum", "_count"] where types[name] == nil && name.hasSuffix(end) {
                    family = String(name.dropLast(end.count))
                }
                #expect(types[family] != nil, "\(line)")
            }
        }
        #expect(types.count > 35)
        for (name, type) in types { #expect(Self.faults(name, type) == []) }
        for line in text.split(separator: "\n") {
            guard !line.hasPrefix("#"), let start = line.firstIndex(of: "{"), let end = line.firstIndex(of: "}")
            else { continue }
            for label in line[line.index(after: start)..<end].split(separator: ",") {
                let name = label.prefix { $0 != "=" }
                #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_") }, "\(line)")
                #expect((name == "le") == (line.prefix(upTo: start).hasSuffix("_bucket")), "\(line)")
                #expect(name != "quantile", "\(line)")
            }
        }
    }

    /// What `promtool check metrics` would say of a name and its type.
    private static func faults(_ name: String, _ type: String) -> [String] {
        var faults: [String] = []
        let words = name.split(separator: "_").map { String($0) }
        if !name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "_") }) {
            faults.append("\(name) holds what a name may not")
        }
        if (type == "counter") != name.hasSuffix("_total") { faults.append("\(name): _total is for counters") }
        if type != "histogram", ["_bucket", "_count", "_sum"].contains(where: { name.hasSuffix($0) }) {
            faults.append("\(name) ends like a histogram")
        }
        if words.contains(where: { ["gauge", "counter", "summary", "histogram", "untyped"].contains($0) }) {
            faults.append("\(name) names its type")
        }
        let short = ["s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d"]
        if words.contains(where: { short.contains($0) }) { faults.append("\(name) abbreviates a unit") }
        let large = ["minutes", "hours", "days", "weeks", "bits", "percent"]
        let scaled = ["milli", "micro", "nano", "kilo", "mega", "giga", "kibi", "mebi", "gibi"]
        if words.contains(where: { word in
            large.contains(word)
                || scaled.contains { word.hasPrefix($0) && ["seconds", "bytes"].contains(word.dropFirst($0.count)) }
        }) {
            faults.append("\(name) is in no base unit")
        }
        return faults
    }

    @Test(arguments: [
        ("kinwire_lag_sum", "gauge"), ("kinwire_lag_total", "gauge"), ("kinwire_lag", "counter"),
        ("kinwire_lag_ms", "gauge"), ("kinwire_lag_milliseconds", "gauge"), ("kinwire_lag_gauge", "gauge"),
        ("kinwire:lag", "gauge"), ("kinwireLag", "gauge"), ("kinwire_lag_minutes", "gauge"),
    ])
    func `a name against the conventions is seen`(name: String, type: String) {
        #expect(Self.faults(name, type).count == 1, "\(Self.faults(name, type))")
    }

    @Test func `the table in the documentation is what is sent`() throws {
        let box = try Box.family()
        let families = box.server.metrics(try box.keeperStatus()).table
        let text =
            """
            # Metrics

            The measurements that `GET /metrics` answers, in Prometheus' text format.

            ## Who may read them

            There are three ways to the metrics:

            - Over the Unix socket, root and the daemon's own user may read them.
            - An address that `--metrics` names (`KINWIRE_METRICS=127.0.0.1:5470`) answers `/metrics` and `/healthz` to everybody
              who can reach it, and nothing else.
            - At the daemon's other addresses, an app password of the scope `metrics` is required. An admin makes one with
              `appPassword.create`. It is sent as the password of Basic authentication, or as a bearer token:

            ```yaml
            scrape_configs:
              - job_name: kinwire
                scheme: https
                static_configs: [{targets: ["kin.local:5469"]}]
                tls_config: {ca_file: kinwire-root.crt}
                authorization: {credentials_file: kinwire-app-password}
            ```

            ## What is worth an alert

            Counters start at 0 when the daemon starts.

            | metric | alert when | because |
            | --- | --- | --- |
            | `kinwire_disk_is_short` | it is above 0 | the disk is nearly full |
            | `kinwire_last_backup_timestamp_seconds` | it is some days old | backups are no longer written |
            | `kinwire_clock_doubted` | it is above 0 | the daemon does not trust the machine's clock, and ends nothing until it does |
            | `kinwire_certificate_expiry_timestamp_seconds` | it is less than a month away | the certificate was not renewed |
            | `kinwire_follower_lag_seconds_max` | it stays above 60 | a client is connected and does not get what happens |
            | `kinwire_requests_total{outcome="unavailable"}` | it grows | requests fail because of the disk or the load |

            ## All metrics

            | name | type | labels | meaning |
            | --- | --- | --- | --- |
            \(families.joined(separator: "\n"))

            """
        try Documentation("Metrics").expect(text)
    }
}
