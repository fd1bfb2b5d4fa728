import Testing
@testable import KinStore
