import Testing
@testable import KinCrypto
