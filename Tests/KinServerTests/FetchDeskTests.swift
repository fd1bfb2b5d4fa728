import KinFetch
import KinKeeper
import KinLoop
import Testing

@testable import KinServer
@testable import KinServerBox

/// The desk by which the daemon asks outside: machines of the house are closed to it, but by an admin's word.
@Suite struct FetchDeskTests {
    /// Asks by names of the test's own. Nobody listens at the port, so what is permitted is unreachable.
    private func ask(_ address: String, inside: [String] = [], permitted: [OutsideHost] = []) -> String {
        let desk = FetchDesk(
            Fetcher(
                names: { (name, _) throws(LoopFailure) in
                    guard let address = IPAddress(name == "nas.local" ? "127.0.0.1" : "192.168.1.5") else { return [] }
                    return [address]
                },
                ownNetworks: { () throws(LoopFailure) in [] }))
        let letter = OutsideLetter(
            to: address, headers: [], content: [1], purpose: "push services", hosts: ["push.example.com"],
            inside: inside, milliseconds: 2000)
        switch PermittedDesk(desk, permitted).send(letter) {
        case .failed(let sentence): return sentence
        case .answered(let status, _): return "\(status)"
        }
    }

    @Test func `a machine of the house is not asked because a purpose lists it`() {
        let sentence = ask("https://127.0.0.1/x", inside: ["127.0.0.1"])
        #expect(sentence.contains("an admin can allow it"), "\(sentence)")
        let port = ask("https://127.0.0.1:9/x", inside: ["127.0.0.1:9"])
        #expect(port.contains("is not asked"), "\(port)")
    }

    @Test func `nor because an admin allows it, where the purpose does not list it`() {
        let sentence = ask("https://127.0.0.1:9/x", permitted: [OutsideHost("127.0.0.1:9", isPlain: false)])
        #expect(sentence.contains("is not among the hosts"), "\(sentence)")
    }

    @Test func `it is asked where both say so, at that port alone`() {
        let permitted = [OutsideHost("127.0.0.1:9", isPlain: false)]
        let reached = ask("https://127.0.0.1:9/x", inside: ["127.0.0.1:9"], permitted: permitted)
        #expect(!reached.contains("admin") && !reached.contains("not asked"), "\(reached)")
        let other = ask("https://127.0.0.1:10/x", inside: ["127.0.0.1:10"], permitted: permitted)
        #expect(other.contains("not asked"), "\(other)")
    }

    @Test func `a push service of the world cannot lead into the house by its name server`() {
        let sentence = ask("https://push.example.com/x")
        #expect(sentence.contains("an admin can allow it"), "\(sentence)")
    }

    @Test func `without encryption a machine is asked only where an admin said so of this one`() {
        let permitted = [OutsideHost("127.0.0.1:9", isPlain: false)]
        let closed = ask("http://127.0.0.1:9/x", inside: ["127.0.0.1:9"], permitted: permitted)
        #expect(closed.contains("https:// only"), "\(closed)")
        let open = [OutsideHost("127.0.0.1:9", isPlain: true)]
        let reached = ask("http://127.0.0.1:9/x", inside: ["127.0.0.1:9"], permitted: open)
        #expect(!reached.contains("https:// only") && !reached.contains("not asked"), "\(reached)")
        let world = ask("http://push.example.com/x", permitted: open)
        #expect(world.contains("https:// only"), "\(world)")
    }

    @Test func `what is asked in clear may lead to the usual port of https, and nothing leads back`() {
        let open = [OutsideHost("nas.local", isPlain: true)]
        #expect(FetchDesk.policy("calendars", "http://nas.local/a.ics", open, 1000).ports == [80, 443])
        #expect(FetchDesk.policy("calendars", "https://nas.local/a.ics", open, 1000).ports == [443])
    }

    @Test func `a name that was allowed does not lead to the daemon's own machine`() {
        let sentence = ask(
            "https://nas.local/x", inside: ["nas.local"], permitted: [OutsideHost("nas.local", isPlain: true)])
        #expect(sentence.contains("an admin can allow it"), "\(sentence)")
    }

    /// Looks at an address, as the map does.
    private func look(_ address: String, hosts: [String], permitted: [OutsideHost] = []) -> String {
        let desk = FetchDesk(
            Fetcher(
                names: { (_, _) throws(LoopFailure) in [IPAddress("192.168.1.5")].compactMap { $0 } },
                ownNetworks: { () throws(LoopFailure) in [] }))
        let look = OutsideLook(
            at: address, accept: "image/png", purpose: "map tiles", hosts: hosts, bytesMax: 1000, milliseconds: 2000,
            perMinute: 60)
        switch PermittedDesk(desk, permitted).look(look) {
        case .failed(let failure): return failure.sentence
        case .unchanged: return "unchanged"
        case .shown(let page): return "\(page.status)"
        }
    }

    @Test func `nothing in the house is looked at but by an admin's word for this machine, and at this port`() {
        let named = look("https://tiles.example.com/1/0/0.png", hosts: ["tiles.example.com"])
        #expect(named.contains("an admin can allow it"), "\(named)")
        let own = look("https://127.0.0.1/1/0/0.png", hosts: ["127.0.0.1"])
        #expect(own.contains("an admin can allow it"), "\(own)")
        let permitted = [OutsideHost("127.0.0.1:9", isPlain: false)]
        let reached = look("https://127.0.0.1:9/1/0/0.png", hosts: ["127.0.0.1"], permitted: permitted)
        #expect(!reached.contains("admin") && !reached.contains("not asked"), "\(reached)")
        let other = look("https://127.0.0.1:10/1/0/0.png", hosts: ["127.0.0.1"], permitted: permitted)
        #expect(other.contains("not asked"), "\(other)")
        let plain = look("http://127.0.0.1:9/1/0/0.png", hosts: ["127.0.0.1"], permitted: permitted)
        #expect(plain.contains("https:// only"), "\(plain)")
        let elsewhere = look("https://127.0.0.1:9/1/0/0.png", hosts: ["tiles.example.com"], permitted: permitted)
        #expect(elsewhere.contains("is not among the hosts"), "\(elsewhere)")
    }
}
