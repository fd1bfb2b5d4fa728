import Testing
@testable import KinPicture
