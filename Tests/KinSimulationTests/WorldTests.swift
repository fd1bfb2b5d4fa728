import Glibc
import KinSimulation
import Testing

@Suite struct WorldTests {
    /// Families of 1,000 steps each; `deploy/test` runs 300 of them, optimised. A finding names its seed;
    /// `swift run kinwire-simulation --seed N --steps 1000 --trace` replays it.
    @Test(arguments: 0..<2) func `a family keeps its promises, whatever happens`(ten: UInt64) {
        for seed in ten * 10..<ten * 10 + 10 {
            do throws(Finding) { _ = try World.run(seed: seed, steps: 1000) } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }

    /// Who inherits a past meeting was its invitee, and stayed so; a guest's news of somebody who left went untold;
    /// news of the own sharing went out of the log with positions that were deleted, and what hid a dot went when there
    /// was none to show instead; while the clock was doubted, somebody's new role took a dot from somebody else, untold.
    /// Of two others the checkers were wrong: a browser got the sheet that stands for a document, and the daemon still
    /// wrote down what somebody had sent who was gone.
    @Test(arguments: [39, 81, 105, 160, 258, 363, 420, 506, 517])
    func `a family that once broke a promise keeps it`(seed: UInt64) throws {
        _ = try World.run(seed: seed, steps: 1000)
    }

    /// Each fault, the checkers that are made for it, and those that may see it before them.
    static let faults: [(Fault, Set<String>, besides: Set<String>)] = [
        (.replyBeforeCommit, ["durability"], ["stop"]), (.skippedSync, ["durability", "start", "stop"], []),
        // Who lists something meanwhile is given the list without what was to come before it.
        (.lostAtBorder, ["gap"], ["snapshot", "list"]), (.doubledReplay, ["repeat"], []),
        (.skippedAudience, ["sight"], ["precision"]), (.missingHidden, ["snapshot"], ["agreement", "repeat"]),
        (.exactForCoarse, ["precision"], []), (.stayForCoarse, ["precision"], []),
        // One who believes to be past the end, and hears nothing more, is found at rest.
        (.staleSnapshot, ["snapshot"], ["repeat", "gap", "rest", "unread", "agreement", "list"]),
        (.listOutOfPlace, ["list"], ["repeat"]),
        // A stay whose position the list leaves out is told without it.
        (.shortList, ["list"], ["precision"]), (.miscount, ["counts"], []),
        // Who asks for a snapshot where others heard of the vote is told another meeting.
        (.lostVote, ["counts"], ["snapshot"]), (.inboxOfAnother, ["inbox"], ["unread", "snapshot"]),
        (.staleRead, ["unread", "agreement", "snapshot"], []), (.deadlineForgotten, ["deadline"], []),
        // Who asks for a snapshot before it closes once more is told of an open one.
        (.closedAgain, ["deadline"], ["snapshot"]), (.clockBelieved, ["clock"], []),
        (.spoiltUpload, ["pictures"], ["uploads"]), (.unjudgedPicture, ["unjudged", "pictures"], []),
        (.forgottenUpload, ["uploads"], ["clock"]), (.lostWords, ["contacts"], []),
        (.profileOfAnother, ["profiles"], ["snapshot"]), (.listOfAnother, ["lists"], ["snapshot"]),
        (.forgottenStamps, ["merge"], []), (.forgottenDays, ["merge"], []),
        (.postOfAnother, ["posts"], ["snapshot"]), (.roomOfAnother, ["rooms"], ["snapshot"]),
        (.lostEntryWords, ["entries"], []),
        (.mealOfAnother, ["meals"], ["snapshot"]), (.dishUntold, ["list"], []), (.menuUntold, ["list"], []),
        (.sourceUntold, ["list"], []), (.shortAlbums, ["list"], []),
        // Who lists pictures or albums meanwhile is told of others than those in the snapshot.
        (.pictureOfAnother, ["gallery"], ["snapshot", "list"]),
        (.pixelsLeft, ["pixels"], ["snapshot", "gallery", "list"]),
    ]

    @Test(arguments: faults) func `a planted fault is caught by the checker it belongs to`(
        fault: Fault, checkers: Set<String>, besides: Set<String>
    ) {
        // Most faults are noticed in one of the first families. Few families tell a cell to somebody who may see no more
        // than that.
        for seed in 0..<120 as Range<UInt64> {
            do throws(Finding) { _ = try World.run(seed: seed, steps: 1000, fault: fault) } catch {
                #expect(checkers.union(besides).contains(error.checker), "seed \(seed): \(error)")
                if checkers.contains(error.checker) { return }
            }
        }
        Issue.record("none of \(checkers) noticed \(fault) in 120 families")
    }

    @Test func `files go up whole, and go on where they had ended`() throws {
        var (uploaded, resumed) = (0, 0)
        for seed in 0..<5 as Range<UInt64> {
            let tally = try World.run(seed: seed, steps: 1000)
            uploaded += tally.uploaded
            resumed += tally.resumed
        }
        #expect(uploaded > 10 && resumed > 10, "\(uploaded) uploaded, \(resumed) resumed")
    }

    @Test func `lists that nothing else shows are compared, seldom while much happens and each at rest`() throws {
        var compared: [String: Int] = [:]
        for seed in 0..<10 as Range<UInt64> {
            compared.merge(try World.run(seed: seed, steps: 1000).compared, uniquingKeysWith: +)
        }
        let methods = ["dish.list", "menu.list", "news.list", "picture.categories"]
        #expect(methods.contains { compared[$0, default: 0] > 0 }, "\(compared)")
        for method in methods {
            #expect(compared[method + " at rest", default: 0] > 9, "\(method): \(compared)")
        }
    }

    /// Swift's hash tables are laid out by address unless told otherwise; `deploy/test` tells them.
    static let isRepeatable = getenv("SWIFT_DETERMINISTIC_HASHING") != nil

    @Test(.enabled(if: isRepeatable)) func `a seed repeats itself`() throws {
        let first = try World.run(seed: 7, steps: 500)
        let second = try World.run(seed: 7, steps: 500)
        #expect(first == second)
    }
}
