import KinClient
import KinModel

/// What people in the box do. Not all of it is allowed, and not all of it makes sense any more when it arrives.
extension World {
    /// Who does something, by which method, with which parameters.
    typealias Idea = (who: Int, method: String, params: JSON)

    /// Something to do.
    func idea(_ who: Int, _ op: String) -> Idea {
        if let favourite, dice.once(in: 2) { return favourite.idea(self, who, op) }
        var roll = dice.below(areas.reduce(0) { $0 + $1.weight })
        for area in areas.reversed() {
            guard roll >= area.weight else { return area.idea(self, who, op) }
            roll -= area.weight
        }
        preconditionFailure("a roll is below the sum of the weights")
    }

    /// What half of this family's deeds are about: every fourth family lives on the map, and every fourth in one area after the
    /// other. In a thousand steps the others do a little of everything, and nothing for long.
    private var favourite: (any SimulatedArea)? {
        switch seed % 4 {
        case 1: area(MapLife.self)
        case 3: areas[Int(seed / 4 % UInt64(areas.count))]
        default: nil
        }
    }

    /// What somebody has on the screen.
    func view(of who: Int) -> Snapshot? {
        clients.lazy.filter { $0.member == self.people[who].id }.compactMap(\.follower.snapshot).first
    }

    /// Somebody opens a page or takes out a file.
    func browse() {
        let browser = dice.pick(browsers)
        let pages = areas.compactMap { $0.page(self, for: browser) }
        if let page = pages.count > 1 ? dice.pick(pages) : pages.first { browser.get(page, self) }
    }
}
