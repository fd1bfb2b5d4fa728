import KinFuzz
import Testing

/// A bug that is planted in what a target watches ends the process, so the fuzzer keeps the input.
@Suite struct PlantedTests {
    @Test func `a request with the planted bug ends the process`() async {
        await #expect(processExitsWith: .failure) {
            FuzzTarget.http.run([1] + Array("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), planted: true)
        }
    }

    @Test func `without it the same request passes`() {
        FuzzTarget.http.run([1] + Array("DELETE / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    }
}
