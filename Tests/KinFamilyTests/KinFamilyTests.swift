import Testing
@testable import KinFamily
