import KinKeeper
import KinModel
import Testing

@testable import KinServer
@testable import KinServerBox
@testable import KinSimulation

/// The admins' word for machines of the house.
@Suite struct OutsideHostTests {
    private let box: Box

    init() throws { box = try Box.family() }

    @Test func `admins allow machines of the house one by one, and take it back`() throws {
        let ada = try box.line("ada")
        #expect(try ada.result("outside.list")["places"] == [])
        _ = try ada.result("outside.allow", ["place": "nas.local:5232"])
        let both = try ada.result("outside.allow", ["place": "192.168.1.5", "plain": true])
        #expect(
            both["places"]
                == [["place": "192.168.1.5", "plain": true], ["place": "nas.local:5232", "plain": false]])
        #expect(try ada.result("outside.forbid", ["place": "nas.local:5232"])["places"]?.array?.count == 1)
        #expect(try ada.refusal("outside.forbid", ["place": "nas.local:5232"]) == 1404)
        for who in ["ben", "hal"] {
            let line = try box.line(who)
            #expect(try line.refusal("outside.list", [:]) == 1403)
            #expect(try line.refusal("outside.allow", ["place": "nas.local"]) == 1403)
        }
    }

    @Test(arguments: [
        "192.168.1.0/24", "*.local", "*", "", "nas.local:", "nas.local:0", "nas.local:70000", "http://nas.local",
        "NAS.local",
        "a b", "[fd00::5", "fd00::5", "nas.local:52:32", "nas.local/x", "user@nas.local", ":80",
    ])
    func `a network, a pattern and what is no machine are refused`(place: String) throws {
        let ada = try box.line("ada")
        #expect(try [1422, -32602].contains(ada.refusal("outside.allow", ["place": .string(place)]) ?? 0), "\(place)")
        #expect(try ada.result("outside.list")["places"] == [])
    }

    @Test func `there are so many and no more`() throws {
        let ada = try box.line("ada")
        for index in 0..<Limits.outsideHostsMax {
            _ = try ada.result("outside.allow", ["place": .string("nas\(index).local")])
        }
        #expect(try ada.refusal("outside.allow", ["place": "one-more.local"]) == 1413)
        // One of them may be changed.
        _ = try ada.result("outside.allow", ["place": "nas3.local", "plain": true])
    }
}
