import KinCodec
import KinKeeper
import KinModel

/// On "This device", opened on a computer: `kin` for that computer.
extension Pages {
    /// The section; `nil` where no package put `kin` for others on this machine.
    static func computer(_ words: PageWords, _ visit: Visit) -> HTML? {
        let package = visit.client.last { $0.hasSuffix(".deb") }
        let archive = visit.client.last { $0.hasSuffix(".tar.gz") }
        guard package != nil || archive != nil else { return nil }
        let login = "kin login " + visit.site.canonicalURL + (visit.site.pinnedRoot.map { "#sha256=\($0)" } ?? "")
        let root = visit.site.rootPEM.map { "<pre><code>\(rootLine($0))</code></pre>\n" as HTML }
        func way(_ key: String, _ line: String) -> HTML {
            "\(words.paragraph(key))<pre><code>\(line)</code></pre>\n"
        }
        let byPackage = package.map {
            way("page.computer.package", "\(fetching($0, visit.site)) && sudo apt install ./\($0) && \(login)")
        }
        let byArchive = archive.map {
            let folder = $0.dropLast(".tar.gz".count)
            return way(
                "page.computer.archive", "\(fetching($0, visit.site)) && tar -xzf \($0) && ./\(folder)/\(login)")
        }
        // Few of a family open a terminal.
        let how: HTML = """
            \(words.paragraph("page.computer"))\
            \(root.map { "\(words.paragraph("page.computer.root"))\($0)" as HTML })\(byPackage)\(byArchive)
            """
        return """
            <li>\(folded(words.text("page.computer.title"), how))</li>

            """
    }

    /// A line that writes the root certificate to a file from the page itself: nothing is fetched before it is trusted.
    private static func rootLine(_ pem: [UInt8]) -> String {
        let lines = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
        let words = lines.map { $0.hasPrefix("-----") ? "'\($0)'" : String($0) }
        return "printf '%s\\n' \(words.joined(separator: " ")) >kinwire-root.crt"
    }

    /// A line that fetches a file and trusts the family's root alone. `curl` would also trust the roots in the
    /// computer's folder unless it is told another.
    private static func fetching(_ name: String, _ site: Site) -> String {
        let pin = site.rootPEM == nil ? "" : " --cacert kinwire-root.crt --capath /dev/null"
        let scheme = site.canonicalURL.hasPrefix("http:") ? "http" : "https"
        return "curl -fO --proto =\(scheme)\(pin) \(site.canonicalURL)/kin/\(name)"
    }
}
