import KinModel

extension AlarmsLife {
    static let stories = [
        FoldStory("alarms", "Somebody calls for help and moves, another answers, and it ends.", view: "alarms") {
            (family) throws(Finding) in
            try family.asks("ben", "alarm.raise", ["kind": "come", "text": "To the gate"])
            try family.comes()
            let raised = try family.asks(
                "ada", "alarm.raise",
                [
                    "kind": "sos", "text": "Flat tyre",
                    "position": ["lat": 52.5, "lon": 13.25, "at": family.time(in: 0), "accuracy": 20],
                ])
            let alarm = raised["alarm"]?["id"] ?? .null
            try family.compare()
            try family.passes(seconds: 60)
            try family.asks("ada", "position.report", ["lat": 52.5, "lon": 13.5, "at": family.time(in: 0)])
            try family.compare()
            try family.asks("ben", "alarm.take", ["alarm": alarm])
            try family.compare()
            try family.asks("ben", "alarm.answer", ["alarm": alarm, "answer": "coming", "text": "Ten minutes"])
            try family.compare()
            try family.asks("ada", "alarm.end", ["alarm": alarm])
            try family.asks("ada", "alarm.raise", ["kind": "onTheWay", "expected": family.time(in: 60)])
            try family.passes(seconds: 120)
            try family.compare()
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ben", "alarm.raise", ["kind": "onTheWay"])
    }
}
