import KinModel
import Testing

@Suite struct PhoneAppTests {
    private let site = "https://kin.local:5469"

    @Test func `Overland's link has address, token and device`() {
        #expect(
            PhoneApp.overland.link(site: site, password: "abcd-efgh", device: "Ada's Größe")
                == "overland://setup?url=https%3A%2F%2Fkin.local%3A5469%2Foverland&token=abcd-efgh&device_id=Ada%27s%20Gr%C3%B6%C3%9Fe"
        )
        #expect(PhoneApp.overland.code(site: site, password: "a", device: "b")?.hasPrefix("overland://") == true)
    }

    @Test func `Traccar Client's scanner reads an address, and its older versions a link`() {
        #expect(
            PhoneApp.traccar.code(site: site, password: "a&b", device: "x") == "https://kin.local:5469/osmand?id=a%26b")
        #expect(
            PhoneApp.traccar.link(site: site, password: "abcd-efgh", device: "x")
                == "org.traccar.client://config?url=https%3A%2F%2Fkin.local%3A5469%2Fosmand&id=abcd-efgh")
    }

    @Test func `OwnTracks has its own`() {
        #expect(PhoneApp.owntracks.link(site: site, password: "a", device: "b") == nil)
        #expect(PhoneApp.owntracks.code(site: site, password: "a", device: "b") == nil)
    }
}
