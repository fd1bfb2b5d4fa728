import Testing
@testable import KinServer
