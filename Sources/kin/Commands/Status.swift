import KinModel

extension Command {
    static let status = Command(
        name: "status", usage: ["status"], words: 0...0,
        run: { (call) throws(Problem) in
            let result = try call.call("daemon.status")
            if call.wantsJSON { return call.output.say(result) }
            let screen = StatusScreen(
                result, isFounded: try SignIn.isFounded(call.talk()), address: "\(try call.door().address)",
                now: LocalTime.now)
            for line in screen.lines(call.output.width, isColoured: call.output.isColoured) { call.output.say(line) }
        })
}
