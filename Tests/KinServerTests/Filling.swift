import KinFamily
import KinKeeper
import KinModel
import KinStore

@testable import KinKeeper

/// Areas that no family has, each with a part of a snapshot that is nearly as large as one may be.
enum Filling {
    /// The part of one of them.
    struct Part<let number: Int>: SnapshotPart {
        var text = ""
        static var names: [String] { ["filling\(number)"] }
        init() {}
        init(_ snapshot: JSON) { text = snapshot["filling\(number)"]?.string ?? "" }
        func json(_ name: String) -> JSON { .string(text) }
        mutating func clear(_ name: String) { text = "" }
        mutating func apply(_ event: Event, of me: Identifier?) {}
    }

    static let count = 10
    /// 250 kB each: words, and of the last one characters that no compression makes much of.
    static let texts: [String] = (0..<count).map { number in
        var state = UInt64(number) &+ 1
        func next(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(250_000)
        let words = ["supper", "grandma", "Tuesday", "the", "lake", "half past", "swimming", "train", "who", "brings"]
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        while bytes.count < 249_990 {
            if number == count - 1 {
                bytes.append(letters[next(letters.count)])
            } else {
                bytes += Array(words[next(words.count)].utf8) + [0x20]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One of them.
    static func area<let number: Int>(_ part: Part<number>.Type, bytesMax: Int = Limits.snapshotPartBytesMax) -> Area {
        Area(
            "Filling\(number)", tables: [], migrations: [], methods: [], events: [],
            snapshot: [.required("filling\(number)", .text(max: 250_000))], snapshotBytesMax: bytesMax,
            show: { (_, _, snapshot) throws(StoreFailure) in snapshot[part].text = texts[number] })
    }

    /// A family with all ten.
    static let registry = Registry.family
        .adding(area(Part<0>.self)).adding(area(Part<1>.self)).adding(area(Part<2>.self)).adding(area(Part<3>.self))
        .adding(area(Part<4>.self)).adding(area(Part<5>.self)).adding(area(Part<6>.self)).adding(area(Part<7>.self))
        .adding(area(Part<8>.self)).adding(area(Part<9>.self))
}
