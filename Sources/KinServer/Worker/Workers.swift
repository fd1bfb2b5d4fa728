import KinKeeper
import KinLoop
import KinModel

/// The workers' lines, as the loop sees them: slow work by its sort, and how much of it waits.
///
/// Confined to the loop's thread; each line is emptied by its worker.
struct Workers {
    /// Jobs that read the database (snapshots, the log, blobs) or parse what is too long for the loop.
    let reader: JobLine
    /// Files to be synced.
    let disk: JobLine
    /// Passwords to be compared or hashed.
    private let passwords: JobLine
    private let pictures: JobLine
    /// Work that takes minutes: backups, checks.
    let slow: JobLine
    /// Work that asks outside the house.
    private let outside: JobLine
    /// Passwords that are in their line or on a worker.
    private(set) var passwordsWaiting = 0
    private(set) var picturesWaiting = 0

    init(_ mailboxes: Mailboxes) {
        reader = mailboxes.toReader
        disk = mailboxes.toDisk
        passwords = mailboxes.toPasswords
        pictures = mailboxes.toPictures
        slow = mailboxes.toSlow
        outside = mailboxes.toOutside
    }

    /// A request that goes back to the keeper undone.
    struct Returned {
        let request: Request
        /// The line that was full, where that is the reason.
        var fullLine: String?
    }

    /// Gives the slow part of a request to a worker, together with the request. Where its line is full, the party with
    /// the most in it loses its newest job, which is returned undone.
    mutating func start(_ request: Request, _ work: any SlowWork) -> Returned? {
        switch work.sort {
        case .none:
            var request = request
            request.work = work.run()
            return Returned(request: request)
        case .password:
            guard passwordsWaiting < Limits.passwordsAtOnce + Limits.passwordsWaitingMax else {
                return giveUp("passwords", passwords, request, work)
            }
            passwordsWaiting += 1
            passwords.post(.slow(request, work), of: request.party)
        case .picture:
            guard picturesWaiting <= Limits.picturesWaitingMax else {
                return giveUp("pictures", pictures, request, work)
            }
            picturesWaiting += 1
            pictures.post(.slow(request, work), of: request.party)
        case .long: slow.post(.slow(request, work), of: request.party)
        case .read: reader.post(.slow(request, work), of: request.party)
        case .outside: outside.post(.slow(request, work), of: request.party)
        }
        return nil
    }

    private func giveUp(_ name: String, _ line: JobLine, _ request: Request, _ work: any SlowWork) -> Returned? {
        let job = line.post(.slow(request, work), of: request.party, isFull: true, spared: { $0.isKnown })
        guard case .slow(var loser, _)? = job else { return nil }
        loser.work = .crowdedOut
        return Returned(request: loser, fullLine: name)
    }

    /// A worker is done with the slow part of a request.
    mutating func done(_ sort: WorkSort) {
        switch sort {
        case .password: passwordsWaiting -= 1
        case .picture: picturesWaiting -= 1
        case .long, .read, .outside, .none: break
        }
    }
}
