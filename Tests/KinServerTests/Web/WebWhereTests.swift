import KinCodec
import KinFamily
import KinModel
import Testing

@testable import KinServer

/// The page behind a guest link.
@Suite struct WebWhereTests {
    private func walk(_ shown: Result<JSON, Rejection>) -> WebWalk {
        var walk = WebWalk()
        walk.answers["guestLink.open"] = [shown]
        return walk
    }

    private func shown(_ precision: JSON) -> JSON {
        [
            "until": "2026-11-21T18:00:00.000Z", "precision": precision, "lat": -52.500004, "lon": 13.4,
            "at": "2026-11-20T17:57:30.000Z",
        ]
    }

    @Test func `it shows the dot and its age, comes again by itself and is kept nowhere`() throws {
        let page = try walk(.success(shown("exact"))).get("/where/secret")
        #expect(page.asked == [.init(method: "guestLink.open", params: ["secret": "secret"], credential: .none)])
        #expect(page.answer.status == 200)
        #expect(page.answer.headers["Refresh"] == "30")
        #expect(page.answer.headers["Cache-Control"] == "no-store")
        #expect(page.text.contains("noindex"))
        #expect(page.text.contains("52.5° S, 13.4° E"))
        #expect(page.text.contains("href=\"geo:-52.5,13.4\""))
        #expect(page.text.contains("2 minutes ago"))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("http"))
        #expect(!page.text.contains("secret"))
    }

    @Test func `a cell is said to be one`() throws {
        let page = try walk(.success(shown("coarse"))).get("/where/secret")
        #expect(page.text.contains("within about a kilometre"))
        #expect(page.text.contains("geo:-52.5,13.4;u=750"))
    }

    @Test func `nothing shared is said so, and the page looks again`() throws {
        let page = try walk(.success(["until": "2026-11-21T18:00:00.000Z", "precision": "exact"])).get("/where/secret")
        #expect(page.answer.status == 200)
        #expect(page.answer.headers["Refresh"] == "30")
        #expect(!page.text.contains("geo:"))
    }

    @Test func `a link that is not good is a page that says so and does not come again`() throws {
        let page = try walk(.failure(.notFound("guest link", "x", field: "secret"))).get("/where/secret")
        #expect(page.answer.status == 404)
        #expect(page.answer.headers["Refresh"] == nil)
        #expect(page.text.contains("It may have ended"))
    }
}
