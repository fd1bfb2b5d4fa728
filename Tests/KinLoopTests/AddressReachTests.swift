import KinLoop
import Testing

@Suite struct AddressReachTests {
    @Test(arguments: [
        ("http://127.0.0.1:5469", AddressReach.thisMachine), ("https://[::1]:5469/join/X", .thisMachine),
        ("https://LOCALHOST/", .thisMachine), ("https://kin.localhost", .thisMachine),
        ("https://192.168.1.5:5469", .ownNetwork), ("https://10.0.0.7#x", .ownNetwork),
        ("https://[fd00::1]:5469", .ownNetwork), ("https://kin.local:5469", .ownNetwork),
        ("https://shelf", .ownNetwork),
        ("https://shelf.fritz.box", .ownNetwork), ("https://kin.example.org/where/x", .anywhere),
        ("https://192.0.2.7", .anywhere), ("https://[2001:db8::1]", .anywhere), ("https://local.example", .anywhere),
    ]) func `an address reaches as far as its host`(url: String, reach: AddressReach) {
        #expect(AddressReach(url: url) == reach)
    }
}
