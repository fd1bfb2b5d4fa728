import KinAlarms
import KinChat
import KinFamily
import KinKeeper
import KinLists
import KinMeals
import KinModel
import KinPosts
import KinProfiles
import Testing

/// A part of a snapshot leaves out what is beyond its bound. For that it relies on how large one thing is at most, so that
/// a part of few things need not be measured. What the wire allows is not larger.
@Suite struct PartBoundTests {
    /// How many bytes a value of a shape has at most, as JSON. A character has four, and of ASCII each may need an escape.
    private static func bytesMax(_ shape: Shape) -> Int {
        switch shape {
        case .id: 38
        case .time: 26
        case .bool: 5
        case .username: 34
        case .line(let max), .text(let max): 4 * max + 2
        case .secret(let max), .token(let max): 2 * max + 2
        case .integer(let bounds): max("\(bounds.lowerBound)".utf8.count, "\(bounds.upperBound)".utf8.count)
        case .number: 24
        case .oneOf(let words): (words.map(\.utf8.count).max() ?? 0) + 2
        case .list(let element, let most): most * (bytesMax(element) + 1) + 2
        case .object(let fields): fields.reduce(2) { $0 + $1.name.utf8.count + 4 + bytesMax($1.shape) }
        case .either(let one, let other): max(bytesMax(one), bytesMax(other))
        case .nullable(let inner): max(4, bytesMax(inner))
        case .named(_, let inner): bytesMax(inner)
        // It has no bound of its own.
        case .any: Int.max / 4
        }
    }

    private static let things: [(shape: Shape, bytesMax: Int)] = [
        (KinModel.Comment.shape, Limits.commentBytesMax), (SharedList.shape, Limits.listBytesMax),
        (ListItem.shape, Limits.itemBytesMax), (SeenRoom.shape, Limits.roomBytesMax),
        (Meal.shape, Limits.mealBytesMax), (ProfileEntry.shape, Limits.profileEntryBytesMax),
        (Alarm.shape, Limits.alarmBytesMax),
    ]

    @Test(arguments: things.indices) func `the largest of its kind is no larger than its part believes`(index: Int) {
        let thing = Self.things[index]
        #expect(Self.bytesMax(thing.shape) + 1 <= thing.bytesMax)
    }

    /// Of these a member has so few that all of them fit.
    @Test func `all settings and all of a member's devices fit into their part`() throws {
        let devices = Shape.list(NoticeDevice.shape, max: Limits.noticeDevicesPerMemberMax)
        for (name, shape) in [("Settings", Settings.shape), ("Notices", devices)] {
            let area = try #require(Registry.family.areas.first { $0.name == name })
            let part = Shape.object(area.snapshot.map { .required($0.name, shape) })
            #expect(area.snapshot.count == 1 && Self.bytesMax(part) <= area.snapshotBytesMax, "\(name)")
        }
    }

    @Test func `a shape's bound is that of its largest value`() {
        let text = String(repeating: "\u{1D11E}", count: 3)
        let value: JSON = ["text": .string(text), "list": [12, 12], "word": "often", "at": .time(.earliest)]
        let shape = Shape.object([
            .required("text", .line(max: 3)), .required("list", .list(.integer(0...12), max: 2)),
            .required("word", .oneOf(["ever", "often"])), .required("at", .time),
        ])
        #expect((value.bytes.count...value.bytes.count + 3).contains(Self.bytesMax(shape)))
    }

    @Test(arguments: [0, 1, 7, 8, 9, 40]) func `things that do not fit into a part are left out, and it is said so`(
        count: Int
    ) {
        var snapshot = Snapshot()
        let shown = snapshot.fitting(Array(repeating: 10, count: count), in: "things", bytesMax: 80, largest: 10) { $0 }
        #expect(shown.count == min(count, 8))
        #expect(snapshot.more == (count > 8 ? ["things"] : []))
    }
}
