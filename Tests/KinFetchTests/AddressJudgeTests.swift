import KinFetch
import KinLoop
import Testing

@Suite struct `The judge of addresses` {
    private let url: FetchURL
    private var policy = FetchPolicy(purpose: "calendars")

    init() throws {
        url = try FetchURL("https://nas.example/x")
        policy.isOn = true
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    private func judged(
        _ texts: [String], _ judge: AddressJudge = AddressJudge(ownNetworks: []), url: FetchURL? = nil,
        fromOutside: Bool = false
    ) throws -> [String] {
        try judge.judge(texts.map { try address($0) }, of: url ?? self.url, by: policy, fromOutside: fromOutside)
            .map { "\($0.address)\($0.isInside ? " inside" : "")" }
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.170",
        "192.0.2.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7",
        "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:2::1",
        "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff::1",
        "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "1::1", "4000::1",
        "e000::1",
    ])
    func `refuses what is not of the public internet`(text: String) throws {
        let failure = #expect(throws: FetchFailure.self) { try judged([text]) }
        guard case .refused(let sentence) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(sentence.contains("nas.example"))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "126.255.255.255",
        "128.0.0.1", "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1", "192.167.255.255", "192.169.0.1",
        "198.17.255.255", "198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8", "2001:200::1", "2001:4860:4860::8888",
        "2003::1", "2606:4700::1111", "2a00:1450::1", "3ffe::1",
    ])
    func `lets pass what is`(text: String) throws {
        #expect(try judged([text]).count == 1)
    }

    @Test func `refuses the house's own networks, of IPv6 the whole /48`() throws {
        let own = try ["81.2.69.144/28", "2a02:8108:9640:1a00::7/64", "127.0.0.1/8"].map { try #require(CIDR($0)) }
        let judge = AddressJudge(ownNetworks: own)
        for text in ["81.2.69.150", "2a02:8108:9640:1a00::1", "2a02:8108:9640:ff::1"] {
            #expect(throws: FetchFailure.self, "\(text)") { try judged([text], judge) }
        }
        #expect(try judged(["81.2.69.160", "2a02:8108:9641::1"], judge).count == 2)
    }

    @Test func `takes of a network as wide as a tunnel's only the own address`() throws {
        let own = [CIDR(around: try address("81.2.69.144"), bits: 0), CIDR(around: try address("2a02::7"), bits: 0)]
        #expect(try judged(["81.2.69.145", "2a02::8"], AddressJudge(ownNetworks: own)).count == 2)
    }

    @Test func `keeps the good addresses of a name that has others too`() throws {
        #expect(
            try judged(["10.0.0.1", "8.8.8.8", "::1", "2606:4700::1111"]) == ["8.8.8.8:443", "[2606:4700::1111]:443"])
    }

    @Test mutating func `takes the admin's word for a name, but not for this machine by that name`() throws {
        policy.inside = [try #require(InsidePlace("NAS.example"))]
        let own = AddressJudge(ownNetworks: [try #require(CIDR("81.2.69.144/28"))])
        #expect(
            try judged(["10.0.0.5", "fd00::5", "100.64.0.1", "81.2.69.150", "8.8.8.8"], own) == [
                "10.0.0.5:443 inside", "[fd00::5]:443 inside", "100.64.0.1:443 inside", "81.2.69.150:443 inside",
                "8.8.8.8:443",
            ])
        for text in ["127.0.0.1", "::1", "169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "64:ff9b::a00:1"] {
            #expect(throws: FetchFailure.self, "\(text)") { try judged([text]) }
        }
        #expect(throws: FetchFailure.self) { try judged(["10.0.0.5"], url: try FetchURL("https://x.nas.example/")) }
    }

    @Test mutating func `takes the admin's word for an address or a network as it is written`() throws {
        policy.inside = try ["10.0.0.5", "192.168.1.0/24", "[fd00::5]:5232", "127.0.0.1:8080"].map {
            try #require(InsidePlace($0))
        }
        #expect(try judged(["10.0.0.5", "10.0.0.6", "192.168.1.77"]).count == 2)
        for (text, url) in [
            ("fd00::5", "https://nas.example/"), ("127.0.0.1", "https://nas.example/"),
            ("10.0.0.5", "https://nas.example:5232/"), ("8.8.8.8", "https://nas.example:5232/"),
        ] { #expect(throws: FetchFailure.self, "\(text)") { try judged([text], url: try FetchURL(url)) } }
        #expect(try judged(["fd00::5"], url: try FetchURL("https://nas.example:5232/")) == ["[fd00::5]:5232 inside"])
        #expect(try judged(["127.0.0.1"], url: try FetchURL("https://x.example:8080/")) == ["127.0.0.1:8080 inside"])
    }

    @Test mutating func `does not let a host outside lead into the house, whatever the admin allowed`() throws {
        policy.inside = try ["nas.example", "10.0.0.5"].map { try #require(InsidePlace($0)) }
        let failure = #expect(throws: FetchFailure.self) { try judged(["10.0.0.5"], fromOutside: true) }
        #expect(failure?.sentence.contains("redirected to nas.example") == true)
        #expect(try judged(["8.8.8.8"], fromOutside: true) == ["8.8.8.8:443"])
    }

    @Test(arguments: [
        "", "a b", "https://nas.local", "nas.local/x", "10.0.0.0/33", "10.0.0.0/8:80", "nas.local:0", "a@b", "[::1",
        "nas.local:80:80", "0x7f.1", "*.local",
    ])
    func `reads no place within the house in this`(text: String) { #expect(InsidePlace(text) == nil) }
}
