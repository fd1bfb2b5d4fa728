import KinModel

extension Registry {
    /// Kinds of due work that several areas have: each does its own part of it.
    private static let commonDues: Set<String> = [SharedThings.guestsByNameDue]

    /// What several areas may not have of one name. Else the first would be asked, and the other never.
    func checkNames() {
        func once(_ what: String, _ names: (Area) -> [String]) {
            var owners: [String: String] = [:]
            for area in areas {
                for name in names(area) {
                    if let other = owners.updateValue(area.name, forKey: name) {
                        preconditionFailure("\(other) and \(area.name) have \(what) \(name)")
                    }
                }
            }
        }
        once("the folder") { [$0.name] }
        once("due work of the kind") { $0.due.keys.filter { !Self.commonDues.contains($0) } }
        once("the sight of") { Array($0.sees.keys) }
        once("the readers of") { Array($0.readers.keys) }
        once("answers to") { Array($0.answers.keys) }
        once("the memory") { $0.memories.map { "\(ObjectIdentifier($0))" } }
        once("the quota") { $0.quotas.map(\.name) }
        once("the sum") { $0.quotas.compactMap(\.today) + $0.sums.map(\.name) }
        once("the counter") { $0.counters.map(\.name) }
        once("the format") { $0.formats.map(\.name) }
    }

    /// What one area may not say of itself.
    func checkEach() {
        let mechanism: Set<String> = [Keeper.restoredDue, SharedThings.goOnDue]
        for area in areas {
            precondition(mechanism.isDisjoint(with: area.due.keys), "\(area.name) has due work of the mechanism's")
            precondition(
                area.dueInDoubt.isSubset(of: area.due.keys), "\(area.name) does in doubt what never falls due for it")
            for other in areas where area.view != nil && other.view == area.view {
                precondition(
                    other.isForOwnWord == area.isForOwnWord && other.isForWalls == area.isForWalls,
                    "\(area.name) and \(other.name) open one view to different screens")
            }
            for method in area.methods { method.check() }
        }
    }
}

extension Method {
    /// What is said of a parameter is said of one that it has.
    fileprivate func check() {
        for parameter in [longList, listBody, parcel?.parameter].compactMap(\.self) {
            precondition(
                parameters.contains { $0.name == parameter }, "\(name) has no parameter \(parameter)")
        }
        guard let route else { return }
        precondition(isPublic, "\(name) is for gateways and has a route")
        for part in route.path.split(separator: "/") where part.hasPrefix("{") {
            precondition(
                parameters.contains { "{\($0.name)}" == part }, "\(name) has no parameter for \(part) in its route")
        }
    }
}
