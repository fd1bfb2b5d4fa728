import KinModel

@testable import KinSimulation

extension Secret {
    static let settings = [
        Secret("how somebody wants clients to look", from: everybody) { stage in
            try stage.does("mo", "settings.set", ["language": "de", "tabs": ["map"]])
        }
    ]
}
