import KinModel

extension Command {
    static let completion = Command(
        name: "completion", usage: ["completion bash|zsh|fish", "completion members|households|meetings"],
        words: 1...1,
        run: { (call) throws(Problem) in
            let offers = Offers()
            switch call.words[0] {
            case "bash": call.output.say(offers.bash)
            case "zsh": call.output.say(offers.zsh)
            case "fish": call.output.say(offers.fish)
            case "members": say(call, try call.call("member.list")["members"], "username")
            case "households": say(call, try call.call("family.show")["households"], "name")
            case "meetings":
                for seen in try MeetingChoice(call).all(MeetingChoice.current) {
                    call.output.say(MeetingScreen.slug(seen.meeting.title))
                }
            default: throw call.misused
            }
        })
}

/// One a line, for the scripts.
private func say(_ call: Invocation, _ things: JSON?, _ key: String) {
    let names = (things?.array ?? []).compactMap { $0[key]?.string }.map { Plain.line($0) }
    if call.wantsJSON { return call.output.say(.array(names.map { .string($0) })) }
    for name in names { call.output.say(name) }
}
