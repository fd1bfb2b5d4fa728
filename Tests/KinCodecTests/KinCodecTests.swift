import Testing
@testable import KinCodec
