import Testing

@testable import KinLoop
