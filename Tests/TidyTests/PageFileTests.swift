import Testing

/// The page's files: what lies in the folder is what is served.
@Suite struct PageFileTests {
    private static let folder = "Sources/KinWeb/App"
    private static let files = SourceTree.files(below: folder)

    @Test func `every file is in the program`() {
        let list = SourceTree.text(of: "Sources/C/CPage/page.c")
        for file in Self.files {
            let name = file.split(separator: "/").last.map { String($0) } ?? ""
            #expect(list.contains("#embed \"../../KinWeb/App/\(name)\"\n"), "\(name) in page.c")
            #expect(list.contains("    FILE(\"\(name)\", "), "\(name) in page.c")
        }
    }

    @Test func `nothing is loaded from elsewhere, run from text or made from markup`() {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://",
            "https://",
        ]
        for file in Self.files where file.hasSuffix(".js") || file.hasSuffix(".css") || file.hasSuffix(".html") {
            var text = SourceTree.text(of: file)
            // The name of a language of drawings is no address.
            text.replace("http://www.w3.org/2000/svg", with: "")
            for word in forbidden { #expect(!text.contains(word), "\(word) in \(file)") }
        }
    }

    /// Screen readers and the tabulator go by the order of the document: nothing is shown in another, or jumped to.
    @Test func `what is seen stands in the order in which it is read`() {
        for file in Self.files {
            let text = SourceTree.text(of: file)
            if file.hasSuffix(".css") {
                #expect(!text.contains(/[{;\s]order:/), "\(file)")
                #expect(!text.contains("-reverse"), "\(file)")
            } else if file.hasSuffix(".js") {
                #expect(!text.contains(/tab[iI]ndex: "?[1-9]/), "\(file)")
            }
        }
    }

    /// Comments and indentation are not sent, line by line.
    @Test func `no text of a module goes on over several lines, and no code follows a comment`() {
        for file in Self.files where file.hasSuffix(".js") {
            for line in SourceTree.text(of: file).split(separator: "\n") {
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(file): \(line)")
                let text = line.drop { $0 == " " }
                guard let end = line.firstRange(of: "*/") else { continue }
                #expect(
                    end.upperBound == line.endIndex || !text.hasPrefix("/*") && !text.hasPrefix("*"), "\(file): \(line)"
                )
            }
        }
    }

    @Test func `modules are short, and say their licence`() {
        for file in Self.files where file.hasSuffix(".js") {
            let text = SourceTree.text(of: file)
            #expect(text.hasPrefix("// SPDX-License-Identifier: Apache-2.0\n"), "\(file)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 500, "\(file)")
        }
    }

    /// Days stand in one form on all screens. What computes with a calendar's parts has them in English.
    @Test func `days and times are written in one place`() {
        for file in Self.files where file.hasSuffix(".js") && !file.hasSuffix("/words.js") {
            let text = SourceTree.text(of: file)
            for match in text.matches(of: /Intl\.DateTimeFormat\((?!"en", \{|\)\.resolvedOptions)[^\n]*/) {
                Issue.record("\(file): \(match.output)")
            }
            #expect(!text.contains(/toLocale(?:Date|Time)String/), "\(file)")
            let asStored = /\[[^\[\]]*\.slice\(0, 10\),[^\[\]]*\]\.join/
            #expect(!text.contains(asStored), "\(file): a day is said as it is stored")
        }
    }

    /// What takes something away looks like it, by one class, and so not like the way out.
    @Test func `a button that removes, erases, ends or cancels something has the look of that`() {
        let takesAway =
            /"(?:meeting\.cancel|[a-zA-Z]+\.(?:remove(?:Feed|Picture|Shortcut)?|erase|revoke|withdraw|unshare))",/
        var found = 0
        for file in Self.files where file.hasSuffix(".js") {
            let text = SourceTree.text(of: file)
            for start in text.ranges(of: /(?:^|[^\w.])(?:button\(|h\("button", )/).map(\.upperBound) {
                let call = Self.call(text[start...])
                guard call.contains(takesAway), !call.contains(/t\("act\.leave"\)/) else { continue }
                found += 1
                #expect(call.contains(/class: [^}]*danger/), "\(file): \(call)")
            }
        }
        #expect(found > 15)
    }

    /// A call's text to its closing parenthesis.
    private static func call(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }

    /// A browser does not run a module that has two of one name, and nothing else of the page says so.
    @Test func `no module has two of one name`() {
        for file in Self.files where file.hasSuffix(".js") {
            let text = SourceTree.text(of: file)
            var names = text.matches(of: /import \{([^}]*)\} from/).flatMap { found in
                found.1.split(separator: ",").compactMap { $0.split(separator: " ").last.map { String($0) } }
            }
            let declared = /^(?:export )?(?:const|let|function|async function|class) ([A-Za-z_$][\w$]*)/
            names += text.split(separator: "\n").compactMap { line in line.firstMatch(of: declared).map { String($0.1) }
            }
            let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
            #expect(twice.isEmpty, "\(twice.sorted()) in \(file)")
        }
    }

    /// A module that takes what is not there is refused by the browser, and the page with it.
    @Test func `what a module takes from another is there by that name`() {
        let modules = Self.files.filter { $0.hasSuffix(".js") }
        func name(_ file: String) -> String { file.split(separator: "/").last.map { String($0) } ?? "" }
        let gives = Dictionary(
            uniqueKeysWithValues: modules.map { file in
                let given = SourceTree.text(of: file).split(separator: "\n").compactMap { line in
                    line.prefixMatch(of: /export (?:async )?(?:function\*?|class|const|let) (\w+)/)
                }
                return (name(file), Set(given.map { String($0.output.1) }))
            })
        var taken = 0
        for file in modules {
            for found in SourceTree.text(of: file).matches(of: /import \{([^}]*)\} from "\.\/([\w.-]+)"/) {
                let module = String(found.output.2)
                for one in found.output.1.split(separator: ",") {
                    let word = one.split(separator: " ").first.map { String($0) } ?? ""
                    #expect(gives[module]?.contains(word) == true, "\(file) takes \(word) from \(module)")
                    taken += 1
                }
            }
        }
        #expect(taken > 100)
    }
}
