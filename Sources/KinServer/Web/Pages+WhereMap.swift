import Glibc
import KinModel
import KinWords

/// The map of a guest link: the dot or the cell, towns around it, a grid and its scale, drawn by the daemon. It asks
/// nobody for anything, needs no script, and is never an empty rectangle. The page says in words what is on it.
extension Pages {
    static func whereaboutsMap(_ words: PageWords, _ shown: JSON, lat: Double, lon: Double, isCoarse: Bool) -> HTML {
        let map = WhereMap(lat: lat, lon: lon, towns: shown["around"]?.array ?? [])
        let mark: HTML =
            isCoarse
            ? """
            <rect class="cell" \(map.box(map.cell))/>
            """
            : """
            <circle class="here" cx="\(map.number(WhereMap.wide / 2))" cy="\(map.number(WhereMap.high / 2))" r="8"/>
            """
        return """
            <svg class="map" viewBox="0 0 \(map.number(WhereMap.wide)) \(map.number(WhereMap.high))" role="img" \
            aria-label="\(words.text("page.where.map"))">
            \(map.grid)\(map.names)\(mark)
            \(map.scale(words))
            </svg>

            """
    }
}

/// The layout of the drawn map, in units of the drawing. North is up, and one step is as long to the north as to the
/// east.
private struct WhereMap {
    static let (wide, high) = (320.0, 240.0)
    /// Of degrees to the north; of degrees to the east so much less as meridians come together.
    private static let metresPerDegree = 111_195.0
    /// A map is at least so high, in metres: a cell is about a kilometre.
    private static let metresMin = 4_000.0
    private static let steps: [Double] = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000]

    private struct Spot {
        let name: String
        let x: Double
        let y: Double
    }

    private struct Box {
        let x: Double, y: Double, width: Double, height: Double

        func overlaps(_ other: Box) -> Bool {
            x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
        }
    }

    private let spots: [Spot]
    /// Of a metre.
    private let unit: Double
    private let step: Double
    let cell: (width: Double, height: Double)

    init(lat: Double, lon: Double, towns: [JSON]) {
        let shrink = max(0.01, cos(lat * .pi / 180))
        let off = towns.compactMap { town -> (name: String, east: Double, north: Double)? in
            guard let name = town["name"]?.string, let north = town["lat"]?.double, let east = town["lon"]?.double
            else { return nil }
            // The shorter way round.
            let turn = (east - lon).remainder(dividingBy: 360)
            return (name, turn * shrink * Self.metresPerDegree, (north - lat) * Self.metresPerDegree)
        }
        let reach = off.map { max(abs($0.north), abs($0.east) * Self.high / Self.wide) }.max() ?? 0
        // With a margin for what the names take.
        let unit = Self.high / max(Self.metresMin, reach * 2.4)
        self.unit = unit
        spots = off.map { Spot(name: $0.name, x: Self.wide / 2 + $0.east * unit, y: Self.high / 2 - $0.north * unit) }
        step = Self.steps.first { $0 * unit >= 48 } ?? 500_000
        // As the daemon's grid has it: 0.009 degrees high, and about as wide.
        let columns = max(3, (40_030 * shrink).rounded())
        cell = (360 / columns * shrink * Self.metresPerDegree * unit, 0.009 * Self.metresPerDegree * unit)
    }

    func number(_ value: Double) -> String { JSON.double((value * 10).rounded() / 10).text }

    /// In the middle; never so small that it would be taken for a dot.
    func box(_ size: (width: Double, height: Double)) -> HTML {
        let (width, height) = (max(10, size.width), max(10, size.height))
        return """
            x="\(number((Self.wide - width) / 2))" y="\(number((Self.high - height) / 2))" width="\(number(width))" \
            height="\(number(height))"
            """
    }

    /// A line every step, from the middle outwards.
    var grid: HTML {
        func lines(_ length: Double, _ line: (String) -> HTML) -> [HTML] {
            let count = Int(length / 2 / (step * unit))
            return (-count...count).map { line(number(length / 2 + Double($0) * step * unit)) }
        }
        let upright = lines(Self.wide) { "<line x1=\"\($0)\" y1=\"0\" x2=\"\($0)\" y2=\"\(number(Self.high))\"/>\n" }
        let level = lines(Self.high) { "<line x1=\"0\" y1=\"\($0)\" x2=\"\(number(Self.wide))\" y2=\"\($0)\"/>\n" }
        return "\(upright)\(level)"
    }

    /// Towns with their names, as far as these have room: none lies over another, over the mark or over the scale.
    var names: HTML {
        let mark = Box(x: Self.wide / 2 - 12, y: Self.high / 2 - 12, width: 24, height: 24)
        var taken = [mark, Box(x: 0, y: Self.high - 28, width: step * unit + 80, height: 28)]
        var all: [HTML] = []
        for spot in spots {
            let name = Unseen.cleaned(spot.name)
            let width = Double(name.unicodeScalars.count) * 7
            let isLeft = spot.x + 8 + width > Self.wide
            let box = Box(x: isLeft ? spot.x - 8 - width : spot.x + 8, y: spot.y - 10, width: width, height: 16)
            guard box.x >= 0, box.y >= 0, box.y + box.height <= Self.high, !taken.contains(where: box.overlaps) else {
                continue
            }
            taken.append(box)
            let side: HTML? = isLeft ? " text-anchor=\"end\"" : nil
            all.append(
                """
                <circle class="town" cx="\(number(spot.x))" cy="\(number(spot.y))" r="3"/>\
                <text x="\(number(spot.x + (isLeft ? -8 : 8)))" y="\(number(spot.y + 4))"\(side)>\(name)</text>

                """)
        }
        return "\(all)"
    }

    func scale(_ words: PageWords) -> HTML {
        let (y, end) = (number(Self.high - 10), number(10 + step * unit))
        return """
            <line class="scale" x1="10" y1="\(y)" x2="\(end)" y2="\(y)"/>\
            <text x="\(number(16 + step * unit))" y="\(number(Self.high - 6))">\(words.reader.distance(metres: step))</text>
            """
    }
}
