import KinClient
import KinModel
import Testing

@Suite struct BackoffTests {
    @Test func `the bound doubles from half a second to a minute`() {
        var backoff = Backoff()
        let waits = (0..<10).map { _ in backoff.failed(random: .max) }
        #expect(waits == [500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000])
        backoff.succeeded()
        #expect(backoff.failed(random: .max) == 500)
    }

    @Test func `the wait is anything from zero to the bound`() {
        var backoff = Backoff()
        #expect(backoff.failed(random: 0) == 0)
        #expect(backoff.failed(random: .max / 2) == 500)
        #expect(backoff.failed(random: .max) == 2000)
    }

    @Test func `what the daemon asks for comes first, within reason`() {
        var backoff = Backoff()
        #expect(backoff.failed(retryAfter: 7, random: 0) == 7000)
        #expect(backoff.failed(retryAfter: 7, random: .max) == 8000)
        #expect(backoff.failed(retryAfter: .max, random: 0) == 3_600_000)
        #expect(backoff.failed(retryAfter: -5, random: 0) == 0)
    }

    @Test func `it never overflows, however often it fails`() {
        var backoff = Backoff()
        for _ in 0..<1000 { #expect(backoff.failed(random: .max) <= 60000) }
    }
}

@Suite struct ClosingTests {
    @Test func `only 4100 to 4199 are for good`() {
        for code in [1000, 1008, 1009, 1012, 4000, 4003, 4008, 4099, 4200, 4999] {
            #expect(!Closing(code: code).isFinal)
        }
        for code in [1001, 4100, 4101, 4102, 4103, 4199] { #expect(Closing(code: code).isFinal) }
    }

    @Test func `a notification is read, however odd its numbers`() {
        #expect(
            Closing(["code": 4102, "reason": "Gone.", "retryAfter": nil])
                == Closing(code: 4102, reason: "Gone.", retryAfter: nil))
        #expect(Closing(["code": 1012, "retryAfter": 3])?.retryAfter == 3)
        #expect(Closing(["code": "1012"]) == nil)
        #expect(Closing(["code": 1.5]) == nil)
        #expect(Closing([:]) == nil)
    }
}
