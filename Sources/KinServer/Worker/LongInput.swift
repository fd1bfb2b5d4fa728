import KinCodec
import KinModel

/// Input that a worker parses, since others would wait for the loop: a thousand points take milliseconds.
enum LongInput {
    static func json(_ bytes: [UInt8]) -> Result<JSON, JSONFailure> {
        Result { () throws(JSONFailure) in try JSON.parse(bytes) }
    }
}
