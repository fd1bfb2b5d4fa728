import KinModel

extension MembersLife {
    static let stories = [
        FoldStory(
            "members", "Households come and go; members are added, join, change, move and are removed.",
            view: "members"
        ) { (family) throws(Finding) in
            try family.comes()
            let mill =
                try family.asks("ada", "household.found", ["name": "Mill", "stay": true])["household"]?["id"] ?? .null
            let barn =
                try family.asks("ada", "household.found", ["name": "Barn", "stay": true])["household"]?["id"] ?? .null
            try family.asks("ada", "household.rename", ["household": mill, "name": "Old Mill"])
            try family.asks("ada", "family.rename", ["name": "The Millers"])
            try family.asks(
                "ada", "member.add",
                [
                    "username": "dora", "password": "p-dora-1234", "displayName": "Dora", "household": mill,
                    "role": "member", "kind": "child",
                ])
            let dora = try family.told("member.added")["member"]?["id"] ?? .null
            let code = try family.asks("ada", "invite.create", ["household": mill])["code"] ?? .null
            try family.asks(
                "machine", "member.join",
                ["code": code, "username": "eli", "password": "p-eli-1234", "displayName": "Eli"])
            let eli = try family.told("member.joined")["member"]?["id"] ?? .null
            try family.compare()
            try family.asks("ada", "member.relate", ["member": family.id("ada"), "parentOf": dora])
            try family.asks("ada", "member.relate", ["member": family.id("ada"), "partnerOf": eli])
            try family.asks("ben", "member.update", ["member": family.id("ben"), "displayName": "Benjamin"])
            try family.asks("ada", "member.setRole", ["member": family.id("cleo"), "role": "head"])
            try family.asks("cleo", "household.found", ["name": "Tower"])
            try family.compare()
            try family.asks("ada", "household.remove", ["household": barn])
            for gone in [dora, eli] { try family.asks("ada", "member.remove", ["member": gone, "keep": "delete"]) }
        }
    ]

    static func day(_ family: Recording) throws(Finding) {
        try family.asks("ben", "member.update", ["member": family.id("ben"), "displayName": "Benjamin"])
    }
}
