import Glibc
import KinFuzz

/// What the environment says: `KINWIRE_FUZZ_TARGET` names the target, `KINWIRE_FUZZ_PLANTED` plants a bug in it.
private let target: FuzzTarget = {
    let name = getenv("KINWIRE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(named: name) else {
        print("KINWIRE_FUZZ_TARGET names none of \(FuzzTarget.all.map(\.name).joined(separator: ", ")).")
        exit(2)
    }
    return target
}()
private let isPlanted = getenv("KINWIRE_FUZZ_PLANTED") != nil

#if FUZZING
    private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    @_silgen_name("LLVMFuzzerRunDriver") private func fuzz(
        _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
        _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    /// libFuzzer calls this with each input.
    @_cdecl("LLVMFuzzerTestOneInput") public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        target.run(Array(UnsafeBufferPointer(start: start, count: count)), planted: isPlanted)
        return 0
    }

    /// Under this name the package manager looks for a program's main function.
    @_cdecl("kinwire_fuzz_main") public func main(
        _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> CInt {
        var (count, arguments) = (count, arguments)
        return fuzz(&count, &arguments, test)
    }
#else
    /// Without libFuzzer: the files that are named, again.
    @main enum Again {
        static func main() {
            for path in CommandLine.arguments.dropFirst() {
                guard let file = fopen(path, "rb") else { continue }
                var bytes: [UInt8] = []
                while case let byte = getc(file), byte >= 0 { bytes.append(UInt8(byte)) }
                fclose(file)
                target.run(bytes, planted: isPlanted)
            }
            print("Nothing is found.")
        }
    }
#endif
