import Testing
@testable import KinClient
