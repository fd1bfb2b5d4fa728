import KinCodec
import KinKeeper
import KinMap
import KinModel
import KinStore

/// The planted fault ``Fault/exactForCoarse``: a cell's middle is replaced by the exact position at which somebody was
/// first seen in that cell. It is the same wherever the cell is told, so that live events, the log and every snapshot
/// agree. Only a checker that knows the rules of sharing can notice it.
struct FineCells {
    private struct Cell: Hashable {
        let member: Identifier
        let lat: Double
        let lon: Double
    }

    private var spots: [Cell: (lat: Double, lon: Double)] = [:]
    private var isBlind = false

    /// Somebody is shown a cell whose member is at that spot.
    mutating func learn(_ position: Position, at spot: (lat: Double, lon: Double)) {
        guard !isBlind, position.precision == .coarse else { return }
        let cell = Cell(member: position.member, lat: position.lat, lon: position.lon)
        if spots[cell] == nil { spots[cell] = spot }
    }

    /// Nobody could look at the disk, and a cell may have been told as it is: from here on none is learned.
    mutating func lookedAway() { isBlind = true }

    private func spot(_ position: Position) -> (lat: Double, lon: Double)? {
        guard position.precision == .coarse else { return nil }
        return spots[Cell(member: position.member, lat: position.lat, lon: position.lon)]
    }

    func refine(_ snapshot: Snapshot) -> Snapshot {
        var snapshot = snapshot
        snapshot.positions = snapshot.positions.mapValues { position in
            guard let spot = spot(position) else { return position }
            return Position(
                member: position.member, lat: spot.lat, lon: spot.lon, at: position.at, precision: .coarse)
        }
        return snapshot
    }

    func refine(_ row: LogRow) -> LogRow {
        guard row.type == "position" else { return row }
        // A payload is an object's members without its braces.
        let whole = [UInt8(ascii: "{")] + row.payload + [UInt8(ascii: "}")]
        return LogRow(
            position: row.position, at: row.at, type: row.type, by: row.by, about: row.about, key: row.key,
            audience: row.audience, salt: row.salt, payload: Array(refine(whole).dropFirst().dropLast()))
    }

    func refine(_ bytes: [UInt8]) -> [UInt8] {
        guard let json = try? JSON.parse(bytes, depthMax: 64) else { return bytes }
        return refine(json).bytes
    }

    private func refine(_ json: JSON) -> JSON {
        if let elements = json.array { return .array(elements.map { refine($0) }) }
        guard let object = json.object else { return json }
        var refined = JSON.Object()
        for member in object.members { refined.append(member.name, refine(member.value)) }
        if let spot = Position(json).flatMap({ spot($0) }) {
            refined["lat"] = .double(spot.lat)
            refined["lon"] = .double(spot.lon)
        }
        return .object(refined)
    }
}

extension SimulatedDaemon {
    /// The cells that are shown to anybody, with the positions that they stand for.
    func showCells(
        to fine: inout FineCells, _ latest: [(member: Identifier, degrees: [Double])]
    ) throws(StoreFailure) {
        let spots = Dictionary(latest.map { ($0.member, (lat: $0.degrees[0], lon: $0.degrees[1])) }) { first, _ in first
        }
        for viewer in try reader.rows("SELECT id FROM members", map: { $0.identifier(0) }) {
            for position in try trueSnapshot(of: viewer)?.snapshot.positions.values ?? [:].values {
                if let spot = spots[position.member] { fine.learn(position, at: spot) }
            }
        }
    }
}
