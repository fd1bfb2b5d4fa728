import Testing
@testable import KinModel
