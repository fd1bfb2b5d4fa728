import KinCrypto
package import KinModel
package import KinStore

/// Operations that are remembered by the `op` a client gave them, so that doing them again changes nothing.
extension Keeper {
    /// The key of the digests that remember an operation's parameters; made at the first start.
    static func digestKey(_ store: Store, _ randomness: (Int) -> [UInt8]) throws(StoreFailure) -> [UInt8] {
        let database = store.database
        if let key = try database.first("SELECT operations_key FROM house", map: { $0.blob(0) }) { return key }
        let key = randomness(32)
        try database.begin()
        do throws(StoreFailure) {
            try database.run("INSERT INTO house (one, operations_key) VALUES (1, ?)", .blob(key))
            try database.commit()
        } catch {
            if database.isInTransaction { database.rollback() }
            throw error
        }
        return key
    }

    /// A repeat changes nothing and is answered anew with what the caller may see now.
    package func once(_ op: String, _ request: Request, _ method: Method, _ act: Act) throws(Rejection) -> Outcome {
        guard (1...64).contains(op.utf8.count), op.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Rejection(
                .params, "op must be 1 to 64 characters of printable ASCII; a UUID is best.", field: "op")
        }
        let scopeKey = scopeKey(scope(of: request, act))
        func digest() -> [UInt8] {
            Digest.hmacSHA256(key: digestKey, JSON.object(method.digestible(request)).canonicalBytes)
        }
        let known = try act.ask { (_) throws(StoreFailure) in try store.operations.find(scope: scopeKey, op: op) }
        if let known {
            guard known.method == method.name, equalInConstantTime(known.digest, digest()) else {
                throw Rejection(
                    .conflict, "This op was used before for something else; take a new one.", field: "op")
            }
            guard let again = method.again else { throw Rejection.alreadyDone(known.ids.first) }
            return .done(try again(act, known.ids), ids: known.ids)
        }
        // A repeat was answered above: its own first run may have changed what the condition names.
        try judge(request.condition, act)
        let outcome = try method.apply(act, Params(request.params))
        if case .later = outcome.effect { return outcome }
        // A member who removed themselves leaves no `op` behind, nor does the member who closed the family.
        if let member = act.caller.memberID,
            act.revocations.contains(.member(member)) || act.revocations.contains(.everybody)
        {
            return outcome
        }
        let operation = Operation(method: method.name, digest: digest(), ids: outcome.ids, at: act.now)
        if let member = act.caller.memberID {
            let bytes = Int64(op.utf8.count + scopeKey.utf8.count + operation.byteCount)
            guard try Quota.operations.take(bytes, of: Limits.operationBytesPerDayMax, for: member, act) else {
                throw Quota.usedUp(
                    "So many of your commands of today carried an op that no more can be remembered. "
                        + "Send them without, or go on tomorrow.", act, field: "op")
            }
        }
        try act.ask { (_) throws(StoreFailure) in
            try store.operations.insert(scope: scopeKey, op: op, operation)
        }
        return outcome
    }

    /// Whether a member's command is remembered by this `op`.
    func remembers(op: String, of member: Identifier, _ act: Act) throws(Rejection) -> Bool {
        let scopeKey = scopeKey(member.description)
        return try act.ask { (_) throws(StoreFailure) in try store.operations.find(scope: scopeKey, op: op) } != nil
    }

    private func scopeKey(_ scope: String) -> String {
        Hex.encode(Digest.hmacSHA256(key: digestKey, Array(scope.utf8)))
    }

    /// Forgets the `op`s of a member who is removed.
    package func forgetOperations(of member: Identifier) throws(StoreFailure) {
        try store.operations.forget(scope: scopeKey(member.description))
    }

    /// The holder of an `op`: the member; before sign-in the holder of the code or link, or whoever claims to be the
    /// member.
    private func scope(of request: Request, _ act: Act) -> String {
        if let member = act.caller.memberID { return member.description }
        guard case .nobody = act.caller else { return "machine" }
        let shown = ["code", "link", "username"].lazy.compactMap { request.params[$0]?.string }.first
        return "nobody " + (shown ?? "")
    }
}
