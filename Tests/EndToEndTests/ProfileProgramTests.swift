import Glibc
import KinCodec
import KinModel
import Testing

/// The profile for iPhones, iPads and Macs as `kin phone` offers it, read by somebody else's code.
@Suite(.serialized) struct ProfileProgramTests {
    private let stage: Stage
    private let house: House

    init() throws {
        stage = try Stage()
        house = try House(stage, flags: ["--url", "https://kin.local:5469"])
        try house.found()
    }

    @Test func `plistlib reads the profile, with the family's root in it, and it comes once`() throws {
        let offered = try stage.run("kin", "phone", "add", "iPad", "--app", "apple", "--json", "--as", "ada")
        let made = try JSON.parse(Array((offered.lines.first ?? "").utf8), depthMax: 16)
        let link = try #require(made["link"]?.string)
        #expect(link.hasPrefix("https://") && link.hasSuffix(".mobileconfig"))
        let path = "/profile/" + (link.split(separator: "/").last ?? "")
        func load() throws -> String {
            let loaded = try stage.run(
                "curl", "-sSk", "-o", stage.folder + "/profile", "-w", "%{http_code} %{content_type}", house.url + path)
            return loaded.unended
        }
        #expect(try load() == "200 application/x-apple-aspen-config")
        try stage.run("curl", "-sSk", "-o", stage.folder + "/root.crt", house.url + "/ca.crt")
        let reading = """
            import json, plistlib, ssl, sys, uuid
            with open(sys.argv[1], "rb") as file:
                profile = plistlib.load(file)
            with open(sys.argv[2]) as file:
                root = ssl.PEM_cert_to_DER_cert(file.read())
            parts = {part["PayloadType"]: part for part in profile["PayloadContent"]}
            for part in [profile, *parts.values()]:
                uuid.UUID(part["PayloadUUID"])
                assert part["PayloadVersion"] == 1 and part["PayloadIdentifier"] and part["PayloadDisplayName"]
            calendar, contacts = parts["com.apple.caldav.account"], parts["com.apple.carddav.account"]
            print(json.dumps({
                "type": profile["PayloadType"], "types": sorted(parts), "ids": len({p["PayloadUUID"] for p in parts.values()}),
                "isRoot": parts["com.apple.security.root"]["PayloadContent"] == root,
                "host": calendar["CalDAVHostName"], "port": calendar["CalDAVPort"], "ssl": calendar["CalDAVUseSSL"],
                "user": calendar["CalDAVUsername"], "isSame": all(
                    calendar["CalDAV" + key] == contacts["CardDAV" + key]
                    for key in ["HostName", "Port", "UseSSL", "Username", "Password", "PrincipalURL"]),
                "password": calendar["CalDAVPassword"]}))
            """
        let read = try stage.run(
            PythonClient.debian, "-c", reading, stage.folder + "/profile", stage.folder + "/root.crt")
        let said = try JSON.parse(Array((read.lines.first ?? "").utf8), depthMax: 16)
        #expect(said["type"] == "Configuration" && said["ids"] == 3)
        #expect(
            said["types"] == ["com.apple.caldav.account", "com.apple.carddav.account", "com.apple.security.root"])
        #expect(said["isRoot"] == true && said["isSame"] == true && said["ssl"] == true && said["user"] == "ada")
        #expect(link.hasPrefix("https://\(said["host"]?.string ?? ""):\(said["port"]?.int ?? 0)/"))
        #expect(try load().hasPrefix("404 "))
        // The password is one of a device like others.
        let password = try #require(said["password"]?.string)
        func status() throws -> String {
            try stage.run(
                "curl", "-sSk", "-o", "/dev/null", "-w", "%{http_code}", "-u", "ada:\(password)", "-X", "PROPFIND",
                "-H",
                "Depth: 0", house.url + "/dav/"
            ).unended
        }
        #expect(try status() == "207")
        try stage.run("kin", "phone", "revoke", "iPad", "--as", "ada")
        #expect(try status() == "401")
        #expect(!house.daemon.said.contains("profile-"))
    }
}
