import Testing

@testable import KinCodec

@Suite struct HTTPFieldTests {
    @Test func `credentials are read`() {
        // RFC 7617 §2 and §2.1.
        #expect(
            HTTPCredentials("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
                == .basic(user: "Aladdin", password: "open sesame"))
        #expect(HTTPCredentials("bAsIc  dGVzdDoxMjPCow==") == .basic(user: "test", password: "123£"))
        #expect(HTTPCredentials("Basic YTpiOmM=") == .basic(user: "a", password: "b:c"))
        #expect(HTTPCredentials("Basic Og==") == .basic(user: "", password: ""))
        #expect(HTTPCredentials("Bearer mF_9.B5f-4.1JqM") == .bearer("mF_9.B5f-4.1JqM"))
        for bad in [
            "Basic", "Basic ", "Basic YQ==", "Basic YTpi=", "Basic YTpiOmM", "Basic !!!!", "Bearer ", "Bearer a b",
            "Digest x", "", "Basic AGE6Yg==", "Basic /zph",
        ] {
            #expect(HTTPCredentials(bad) == nil, "\(bad)")
        }
        #expect((["Authorization": "Bearer a", "authorization": "Bearer b"] as HTTPHeaders).credentials == nil)
    }

    @Test func `base64 is strict`() {
        // RFC 4648 §10.
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            #expect(Base64.decode(coded) == text.bytes)
        }
        for bad in ["Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "Zm_v"] {
            #expect(Base64.decode(bad) == nil, "\(bad)")
        }
    }

    @Test func `cookies are found by their exact name`() {
        let headers: HTTPHeaders = ["Cookie": "a=1; __Host-kinwire=x=y==; A=2;;b", "cookie": "a= 3 "]
        #expect(headers.cookies("a") == ["1", "3"])
        #expect(headers.cookies("__Host-kinwire") == ["x=y=="])
        #expect(headers.cookies("b") == [])
    }

    @Test func `the best offer is chosen by Accept`() {
        func best(_ accept: String?, _ offers: [String]) -> String? {
            var headers = HTTPHeaders()
            headers["Accept"] = accept
            return headers.bestAccepted(of: offers)
        }
        let offers = ["application/json", "text/event-stream", "application/x-ndjson"]
        #expect(best(nil, offers) == "application/json")
        #expect(best("", offers) == "application/json")
        #expect(best("text/event-stream", offers) == "text/event-stream")
        #expect(best("*/*", offers) == "application/json")
        #expect(best("text/html, application/*;q=0.5, TEXT/event-stream;q=0.501", offers) == "text/event-stream")
        #expect(best("application/json;q=0, */*;q=0.1", offers) == "text/event-stream")
        #expect(best("image/png", offers) == nil)
        #expect(best("*/*;q=0", offers) == nil)
        #expect(best("application/json;q=2", offers) == nil)
        #expect(best(";;,", offers) == nil)
    }

    @Test func `media types are read with their parameters`() throws {
        let type = try #require(MediaType("Text/HTML; Charset=\"utf-8\" ; a=\"x\\\"y\\\\\";"))
        #expect(type.name == "text/html")
        #expect(type.parameters == ["charset": "utf-8", "a": "x\"y\\"])
        for bad in [
            "", "text", "text/", "/html", "a/b/c", "text/html; charset", "text/html; a=\"x", "text/html; a=1; a=2",
            "text/html charset=x", "text/html; a=",
        ] {
            #expect(MediaType(bad) == nil, "\(bad)")
        }
    }

    @Test func `percent-encoding goes both ways`() {
        #expect(PercentEncoding.encode("a b/é~") == "a%20b%2F%C3%A9~")
        #expect(PercentEncoding.decode("a%20b%2f%C3%A9~+".utf8) == "a b/é~+".bytes)
        #expect(PercentEncoding.decode("%4".utf8) == nil)
        #expect(PercentEncoding.decode("%4g".utf8) == nil)
    }

    @Test func `forms are read as browsers write them`() {
        let form = FormFields(urlEncoded: "username=ada&password=a%26b+c%2B&&x=%E2%98%83&username=b")
        #expect(form["username"] == "ada")
        #expect(form.values("username") == ["ada", "b"])
        #expect(form["password"] == "a&b c+")
        #expect(form["x"] == "☃")
        #expect(form.fields.count == 4)
        #expect(FormFields(urlEncoded: "").fields.isEmpty)
    }
}
