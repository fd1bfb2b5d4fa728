import Testing
@testable import KinTLS
