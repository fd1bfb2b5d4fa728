import Testing

@testable import KinModel

@Suite struct IdentifierTests {
    // RFC 9562 appendix A.6.
    let example = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"

    @Test func `the RFC's own example is made and read`() throws {
        let identifier = Identifier(
            at: Instant(milliseconds: 0x017F_22E2_79B0), random: (0xCC3, 0x18C4_DC0C_0C07_398F))
        #expect(identifier.description == example)
        #expect(Identifier(example) == identifier)
        #expect(Identifier(bytes: identifier.bytes) == identifier)
        #expect(JSON.id(identifier).identifier == identifier)
    }

    @Test func `only the random bits come from outside`() {
        let ones = Identifier(at: Instant(milliseconds: 0), random: (.max, .max))
        #expect(ones.description == "00000000-0000-7fff-bfff-ffffffffffff")
        let zeros = Identifier(at: Instant(milliseconds: -5), random: (0, 0))
        #expect(zeros.description == "00000000-0000-7000-8000-000000000000")
    }

    @Test func `later ones come after earlier ones, as values and as text`() {
        let early = Identifier(at: Instant(milliseconds: 1_700_000_000_000), random: (.max, .max))
        let late = Identifier(at: Instant(milliseconds: 1_700_000_000_001), random: (0, 0))
        #expect(early < late)
        #expect(early.description < late.description)
    }

    @Test(arguments: [
        "", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "017f22e279b07cc398c4dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f0",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398g", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
        "017f22e2_79b0-7cc3-98c4-dc0c0c07398f", "017f22e-279b0-7cc3-98c4-dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f-", " 017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "017f22e2-79b0-7cc3-98c4-dc0c0c0739８f",
    ])
    func `other forms are refused`(text: String) {
        #expect(Identifier(text) == nil)
    }

    @Test func `sixteen bytes it must be`() {
        #expect(Identifier(bytes: []) == nil)
        #expect(Identifier(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    }
}
