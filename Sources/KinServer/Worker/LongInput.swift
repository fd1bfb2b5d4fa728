import KinCodec
import KinModel

/// What is parsed by a worker, since the loop has others to wait on: a thousand points take milliseconds.
enum LongInput {
    static func json(_ bytes: [UInt8]) -> Result<JSON, JSONFailure> {
        Result { () throws(JSONFailure) in try JSON.parse(bytes) }
    }
}
