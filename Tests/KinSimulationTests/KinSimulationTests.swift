import Testing
@testable import KinSimulation
