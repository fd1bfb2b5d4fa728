// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
//
// The map of Kinwire: each target one comment line, bottom up. Arrows (dependencies) point down only.

import PackageDescription

/// Swift 6 with every import internal unless said, existentials spelled, warnings as errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
    // A generic from another module costs 62 ns a byte unless it can be specialised here.
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// Library targets also name each unsafe expression. (Test targets cannot: Swift Testing's macros trip over it.)
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Tests run against optimised code, as it is installed. They run once, and so are not optimised themselves.
let tested: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func c(_ name: String, package packages: String...) -> Target {
    // GeographicLib speaks C++ only: C functions stand around it, and its static library is linked.
    if name == "CGeographic" {
        return .target(
            name: name, path: "Sources/C/CGeographic", linkerSettings: [.linkedLibrary(":libGeographicLib.a")])
    }
    // libjpeg's struct cannot be filled from Swift, and what fails in it jumps: C stands around it.
    if name == "CDarkroom" {
        return .target(name: name, path: "Sources/C/CDarkroom", linkerSettings: [.linkedLibrary("jpeg")])
    }
    // The page's files and the words are data of C: as Swift's they would take the compiler minutes.
    if ["CPage", "CWords", "CCommandWords"].contains(name) {
        return .target(name: name, path: "Sources/C/" + name, cSettings: name == "CPage" ? [] : areaDefines)
    }
    return .systemLibrary(name: name, path: "Sources/C/" + name, providers: [.apt(packages)])
}
func library(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = [],
    settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: safe + settings)
}
func program(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    // Code that is the same twice is there once: half a megabyte less of the daemon is resident.
    let folded = LinkerSetting.unsafeFlags(["-Xlinker", "--icf=safe"], .when(configuration: .release))
    return .executableTarget(
        name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict,
        linkerSettings: [folded])
}
/// Tests.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: tested)
}

/// What several tests stand on: a family in a box. What computes for minutes (`isLong`) is optimised, too.
func support(_ name: String, _ dependencies: [Target.Dependency], isLong: Bool = false) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Tests/Support/" + name.dropFirst("Kin".count),
        swiftSettings: isLong ? strict : tested)
}

/// An area of the family's life: its folder in Sources/Areas, above the mechanism, beside the others and below none.
func area(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: "Kin" + name, dependencies: ["KinKeeper", "KinStore", "KinModel"] + dependencies,
        path: "Sources/Areas/" + name, swiftSettings: safe)
}

/// The areas, one line each. Their targets, and what KinFamily and the tests depend on, are made from this.
let areas = [
    // The roster: members, households and roles, sign-ins, and who decides about whom.
    area("Members", ["KinCrypto", "KinPicture"]),
    // Announcements, and each member's inbox.
    area("Activity", ["KinCalendar"]),
    // Positions and who may see them, places, phones.
    area("Map", ["KinCrypto", "KinGeo"]),
    // Meetings: proposed, voted on, confirmed.
    area("Meetings", ["KinCalendar"]),
    // People and companies that the family wants to reach; vCards in and out.
    area("Contacts", ["KinCrypto"]),
    // Members' profiles, each entry with an audience of its own.
    area("Profiles"),
    // Members' settings for how clients look and speak, the same on every device.
    area("Settings", ["KinCalendar"]),
    // Notices: what rings, and on which device.
    area("Notices", ["KinCalendar", "KinCodec", "KinCrypto", "KinWords"]),
    // Lists of things to buy, to do and to pack together.
    area("Lists", ["KinCalendar", "KinICal"]),
    // Posts with comments and likes; news from outside.
    area("Posts", ["KinCrypto", "KinXML"]),
    // Alarms: calls for help or for company, and the question whether all is well.
    area("Alarms", ["KinGeo"]),
    // Rooms in which some of the family talk.
    area("Chat"),
    // Calendars: entries, invitations and reminders.
    area("Calendars", ["KinCalendar", "KinCodec", "KinCrypto", "KinICal"]),
    // Pictures, films and documents, each with an audience.
    area("Pictures", ["KinCalendar", "KinCrypto", "KinPicture"]),
    // Meals: dishes, the week's plan, menus.
    area("Meals", ["KinCalendar", "KinCodec", "KinICal"]),
]
let areaNames = areas.map { Target.Dependency(stringLiteral: $0.name) }
/// An import of each area's module in every file of a target: for KinFamily, whose list would else name areas twice.
let areaImports: [SwiftSetting] = [
    .unsafeFlags(areas.flatMap { ["-Xfrontend", "-import-module", "-Xfrontend", $0.name] })
]
/// The tests of each area, in its folder of Tests/Areas: they see what KinFamilyTests see.
let areaTests = areas.map { area in
    Target.testTarget(
        name: area.name + "Tests",
        dependencies: [
            "KinFamilyBox", "KinFamily", "KinKeeper", "KinModel", "KinStore", "KinCodec", "KinCrypto", "KinGeo",
            "KinICal", "KinCalendar",
        ] + areaNames,
        path: "Tests/Areas/" + area.name.dropFirst("Kin".count), exclude: ["contract.txt"], swiftSettings: tested)
}
/// The areas' folders: in KinWords and in kin each has two files of words, of which C makes data by these names.
let areaFolders = areas.map { String($0.name.dropFirst("Kin".count)) }
let areaDefines: [CSetting] =
    [.define("AREAS", to: "\(areaFolders.count)")]
    + areaFolders.enumerated().flatMap { index, area -> [CSetting] in
        [.define("AREA_\(index + 1)", to: area), .define("FILE_\(index + 1)", to: area.lowercased())]
    }
/// The same files, which are no sources of Swift.
let areaWords = areaFolders.flatMap { area in
    ["en", "de"].map { "Areas/\(area)/\(area.lowercased()).\($0).messages" }
}

let package = Package(
    name: "kinwire",
    targets: areas + [
        // Headers and inline shims of Debian's libraries, no logic; each imported by its wrapper only.
        c("CLinux", package: "libc6-dev"),
        c("COpenSSL", package: "libssl-dev"),
        c("CSQLite", package: "libsqlite3-dev"),
        c("CJansson", package: "libjansson-dev"),
        c("CZlib", package: "zlib1g-dev"),
        c("CZxcvbn", package: "libzxcvbn-dev"),
        c("CSodium", package: "libsodium-dev"),
        c("CDarkroom", package: "libjpeg-dev", "libgd-dev", "libheif-dev"),
        c("CExpat", package: "libexpat1-dev"),
        c("CQRencode", package: "libqrencode-dev"),
        c("CGeographic", package: "libgeographiclib-dev"),
        c("CGeoNames", package: "libgeonames0"),
        c("CICal", package: "libical-dev"),
        c("CPage"),
        c("CWords"),
        c("CCommandWords"),

        // Values that cross the wire, and what an event does to a snapshot.
        library("KinModel", []),
        // Bytes to and from JSON, HTTP/1.1, WebSocket, lines and server-sent events; does no input or output.
        library("KinCodec", ["KinModel", "CJansson", "CZlib"]),
        // The only code that waits: epoll, descriptors, timers, signals, mailboxes.
        library("KinLoop", ["CLinux"]),
        // Digests, random bytes, password hashes, password quality, secretbox.
        library("KinCrypto", ["COpenSSL", "CZxcvbn", "CSodium"]),
        // Ciphertext to and from plaintext, certificates, the local authority.
        library("KinTLS", ["COpenSSL"]),
        // Civil time and time zones, from the system's tzdata.
        library("KinCalendar", ["KinModel"]),
        // Rules of recurrence, and the text of iCalendar.
        library("KinICal", ["KinCalendar", "KinModel", "CICal"]),
        // The headers of picture files, and the way to the process that opens them.
        library("KinPicture", ["KinLoop"]),
        // Opens pictures, turns and scales them: in a process that does nothing else.
        library("KinDarkroom", ["KinPicture", "CDarkroom"]),
        // The earth: distances, boxes of degrees, towns by name.
        library("KinGeo", ["CGeographic", "CGeoNames"]),
        // The one guarded way to ask machines outside, for callers that may wait.
        library("KinFetch", ["KinCodec", "KinLoop", "KinTLS", "KinCrypto"]),
        // SQLite with one owner: statements, migrations, the log, blobs on disk.
        library("KinStore", ["KinModel", "KinCrypto", "CSQLite", "CLinux"]),
        // Sentences about events, people, places and times, and the words of pages: English and German.
        library(
            "KinWords", ["KinModel", "KinCalendar", "CWords"], exclude: ["Messages"] + areaWords),
        // The family's page: plain HTML, CSS and modules that browsers load as they lie here.
        library("KinWeb", ["KinCodec", "KinCrypto", "KinWords", "CPage"], exclude: ["App"]),
        // XML of strangers, read whole within bounds.
        library("KinXML", ["CExpat"]),
        // QR codes for terminals and pages.
        library("KinQR", ["CQRencode"]),
        // The one writer: requests, acts, the registry of areas, due work, the clock. It names no area.
        library("KinKeeper", ["KinModel", "KinStore", "KinCrypto"]),
        // The list of areas, nothing else.
        library("KinFamily", ["KinKeeper", "KinModel"] + areaNames, settings: areaImports),
        // The connections: what each may see, and in which order.
        library(
            "KinServer",
            [
                "KinModel", "KinCodec", "KinLoop", "KinCrypto", "KinTLS", "KinStore", "KinKeeper", "KinFamily", "KinQR",
                "KinWords", "KinWeb", "KinCalendar", "KinICal", "KinXML", "KinFetch",
            ] + areaNames,
            resources: [.embedInCode("Web/style.css"), .embedInCode("Web/pages.js")]),
        // The other side: connect, follow, resume, a local view.
        library("KinClient", ["KinModel", "KinCodec", "KinLoop", "KinTLS", "KinCrypto"]),
        // A family in a box with a seed: network, clock, disk faults, crashes, checkers.
        library(
            "KinSimulation",
            [
                "KinServer", "KinClient", "KinKeeper", "KinFamily", "KinGeo", "KinStore", "KinLoop", "KinCodec",
                "KinCrypto", "KinCalendar", "KinModel",
            ]
                + areaNames),

        // The fuzzer's targets: code that takes bytes from strangers, and what must hold for any bytes.
        library(
            "KinFuzz",
            [
                "KinSimulation", "KinServer", "KinKeeper", "KinFamily", "KinStore", "KinFetch", "KinCrypto", "KinLoop",
                "KinCodec", "KinModel", "KinXML",
            ]
                + areaNames),

        // The daemon: wiring, flags, exit codes.
        program("kinwired", ["KinServer", "KinKeeper", "KinModel", "KinLoop", "KinQR", "KinTLS"]),
        // Opens one picture, between walls; the daemon starts it for each.
        program("kinwire-darkroom", ["KinDarkroom"]),
        // Echoes WebSocket messages on the daemon's own server stack, for conformance suites.
        program("kinwire-echo", ["KinServer", "KinLoop"]),
        // Runs families in a box without end, or repeats one by its seed.
        program("kinwire-simulation", ["KinSimulation", "KinLoop"]),
        // Measures costs, each figure beside the floor of the same minute.
        program(
            "kinwire-bench",
            [
                "KinSimulation", "KinServer", "KinClient", "KinKeeper", "KinFamily", "KinStore", "KinLoop", "KinCodec",
                "KinModel", "KinCrypto", "KinTLS", "KinPicture", "KinDarkroom",
            ] + areaNames),
        // libFuzzer's way into KinFuzz; without it, a corpus again.
        program("kinwire-fuzz", ["KinFuzz"]),
        // The command line.
        program(
            "kin",
            [
                "KinClient", "KinModel", "KinCodec", "KinCrypto", "KinLoop", "KinCalendar", "KinWords", "KinQR",
                "CExpat", "CCommandWords",
            ],
            exclude: ["Messages/en.messages", "Messages/de.messages"] + areaWords,
            resources: ["Areas/Map/Basemap/basemap.lua", "Areas/Map/Basemap/basemap.json"].map { .embedInCode($0) }),

        // Reads the tree itself: arrows, tables, commands, sizes.
        tests("TidyTests", []),
        tests("KinModelTests", ["KinModel"]),
        tests("KinCodecTests", ["KinCodec", "KinModel"]),
        tests("KinFuzzTests", ["KinFuzz"], exclude: ["Corpus", "Dictionaries"]),
        tests("KinLoopTests", ["KinLoop", "CLinux"]),
        tests("KinCryptoTests", ["KinCrypto"]),
        tests("KinTLSTests", ["KinTLS"]),
        tests("KinPictureTests", ["KinPicture", "KinDarkroom", "KinLoop"]),
        tests("KinCalendarTests", ["KinCalendar", "KinModel"]),
        tests("KinICalTests", ["KinICal", "KinCalendar", "KinModel", "CICal"]),
        tests("KinWordsTests", ["KinWords", "KinCalendar", "KinModel"]),
        tests("KinGeoTests", ["KinGeo"]),
        tests("KinXMLTests", ["KinXML"]),
        tests("KinFetchTests", ["KinFetch", "KinCodec", "KinLoop", "KinTLS"]),
        tests("KinStoreTests", ["KinStore", "KinModel", "KinCrypto"]),
        // A family in a temporary folder, for the tests of the family and of its areas.
        support("KinFamilyBox", ["KinFamily", "KinKeeper", "KinModel", "KinStore", "KinCodec", "KinGeo"] + areaNames),
        tests(
            "KinFamilyTests",
            [
                "KinFamilyBox", "KinFamily", "KinKeeper", "KinModel", "KinStore", "KinCodec", "KinCrypto", "KinGeo",
                "KinICal", "KinCalendar",
            ] + areaNames,
            exclude: ["Fixtures"]),
        // A whole daemon in memory, and two worlds of it beside each other, for the tests of the server.
        support(
            "KinServerBox",
            [
                "KinFamilyBox", "KinServer", "KinKeeper", "KinFamily", "KinModel", "KinCodec", "KinCrypto", "KinLoop",
                "KinStore", "KinTLS", "KinSimulation",
            ] + areaNames, isLong: true),
        tests(
            "KinServerTests",
            [
                "KinServerBox", "KinServer", "KinKeeper", "KinFamily", "KinModel", "KinCodec", "KinCrypto", "KinLoop",
                "KinStore", "KinTLS", "KinSimulation", "KinWords", "KinWeb", "KinCalendar", "KinXML", "KinFetch",
            ] + areaNames),
        tests(
            "KinClientTests",
            [
                "KinClient", "kin", "KinModel", "KinCodec", "KinCrypto", "KinLoop", "KinCalendar", "KinWords", "KinQR",
                "KinTLS",
                "KinFamily", "KinKeeper", "KinFamilyBox",
            ] + areaNames, exclude: ["Screens"]),
        tests(
            "KinSimulationTests", ["KinSimulation", "KinFamily", "KinKeeper", "KinModel", "KinCodec"] + areaNames,
            exclude: ["Vectors"]),
        // Start the built daemon and command line, talk to them as others do, and kill them.
        tests(
            "EndToEndTests",
            [
                "KinModel", "KinCodec", "KinCrypto", "KinCalendar", "KinICal", "KinCalendars", "KinWords", "KinWeb",
                "KinFamily", "KinKeeper",
            ], exclude: ["Fixtures"]),
    ] + areaTests,
    swiftLanguageModes: [.v6]
)
