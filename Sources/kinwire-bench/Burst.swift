import KinLoop

/// Many requests over HTTP at once, each on a connection of its own.
enum Burst {
    /// What was answered: how often each status; 0 for a connection that ended without one.
    typealias Statuses = [Int: Int]

    /// Sends them all before the first answer is read; then reads each to its end.
    static func send(_ port: UInt16, _ requests: [[UInt8]]) -> Statuses { count(each(port, requests)[...]) }

    /// How often each status is there.
    static func count(_ answers: ArraySlice<Int>) -> Statuses {
        answers.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Sends them all before the first answer is read; the status of each.
    static func each(_ port: UInt16, _ requests: [[UInt8]]) -> [Int] {
        let sockets = requests.map { request -> ClientSocket? in
            guard let socket = try? Flock.connect(port) else { return nil }
            // What is refused early is not taken to its end.
            try? socket.write(request, timeoutMilliseconds: 30_000)
            return socket
        }
        return sockets.map { $0.map(status) ?? 0 }
    }

    /// Takes an answer to its end.
    private static func status(_ socket: ClientSocket) -> Int {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var head: [UInt8] = []
        while true {
            let outcome = buffer.withUnsafeMutableBytes { socket.read(into: $0, timeoutMilliseconds: 120_000) }
            guard case .bytes(let count) = outcome else { break }
            if head.count < 16 { head += buffer[..<min(count, 16)] }
        }
        let words = String(decoding: head, as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// A request's bytes, for one connection.
    static func request(_ line: String, token: String? = nil, json: [UInt8] = []) -> [UInt8] {
        var head = "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: \(json.count)\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        if !json.isEmpty { head += "Content-Type: application/json\r\n" }
        return Array((head + "\r\n").utf8) + json
    }
}
