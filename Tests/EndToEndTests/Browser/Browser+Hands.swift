import KinModel
import Testing

extension Browser {
    /// A key that goes to what has the focus.
    func press(_ key: String, code: Int64) throws {
        for type in ["rawKeyDown", "keyUp"] {
            try tell(
                "Input.dispatchKeyEvent",
                [
                    "type": .string(type), "key": .string(key), "code": .string(key),
                    "windowsVirtualKeyCode": .int(code),
                ])
        }
    }

    /// The middle of an element on the screen.
    func middle(_ selector: String) throws -> (x: Double, y: Double) {
        let box = try run(
            """
            const box = document.querySelector(arguments[0]).getBoundingClientRect()
            return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
            """, .string(selector))
        return (try #require(box["x"]?.double), try #require(box["y"]?.double))
    }

    /// A press of the mouse at one spot, let go at another.
    func drag(from start: (x: Double, y: Double), by way: (x: Double, y: Double)) throws {
        func mouse(_ type: String, _ part: Double) throws {
            try tell(
                "Input.dispatchMouseEvent",
                [
                    "type": .string(type), "x": .double(start.x + way.x * part), "y": .double(start.y + way.y * part),
                    "button": "left", "buttons": .int(type == "mouseReleased" ? 0 : 1), "clickCount": 1,
                ])
        }
        try mouse("mousePressed", 0)
        for step in 1...8 { try mouse("mouseMoved", Double(step) / 8) }
        try mouse("mouseReleased", 1)
    }

    /// A finger on the screen: put down, moved, or lifted.
    func touch(_ type: String, _ spot: (x: Double, y: Double)? = nil) throws {
        let points: [JSON] = spot.map { [["x": .double($0.x), "y": .double($0.y)]] } ?? []
        try tell("Input.dispatchTouchEvent", ["type": .string(type), "touchPoints": .array(points)])
    }

    /// Gives a field for files a file, as if it had been chosen.
    func choose(_ path: String, in selector: String) throws {
        let found = try tell("Runtime.evaluate", ["expression": .string("document.querySelector('\(selector)')")])
        let object = try #require(found["result"]?["objectId"])
        try tell("DOM.setFileInputFiles", ["files": [.string(path)], "objectId": object])
    }

    /// Hands the page files as a person who drops or pastes them: pictures that the page paints itself, each another. As in a
    /// browser, they are there during the event only.
    func drop(pictures count: Int, from first: Int = 1, into selector: String, pasted: Bool = false) throws {
        try run(
            """
            const [selector, from, count, width, height, isPasted] = arguments
            const data = new DataTransfer()
            for (let number = from; number < from + count; number++) {
              const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d")
              pen.fillStyle = `hsl(${number * 47 % 360} 60% 60%)`
              pen.fillRect(0, 0, width, height)
              pen.fillStyle = `hsl(${number * 47 % 360 + 60} 70% 40%)`
              pen.beginPath()
              pen.arc(width / 2, height * .7, height / 3, 0, 7)
              pen.fill()
              pen.fillStyle = "#fff"
              pen.fillText(String(number), 5, 12)
              data.items.add(new File([await canvas.convertToBlob({ type: "image/png" })], `${number}.png`, { type: "image/png" }))
            }
            const how = { bubbles: true, cancelable: true }
            document.querySelector(selector).dispatchEvent(isPasted ? new ClipboardEvent("paste", { clipboardData: data, ...how })
              : new DragEvent("drop", { dataTransfer: data, ...how }))
            data.items.clear()
            """, .string(selector), .int(Int64(first)), .int(Int64(count)), 400, 300, .bool(pasted))
    }

    /// Runs a script in each page before the page's own.
    func beforehand(_ script: String) throws {
        try tell("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// What the page's modules hold: the script finds its folder in `folder`.
    @discardableResult
    func look(_ script: String, _ arguments: JSON...) throws -> JSON {
        let folder = "const folder = document.querySelector('script[type=module]').src.replace(/[^/]+$/, '')\n"
        return try run(folder + script, .array(arguments))
    }
}
