// The daemon: flags, their environment twins, exit codes. Everything else is KinServer's.

import Glibc
import KinLoop
import KinModel
import KinServer

let flags: Flags
do throws(Flags.Wrong) {
    flags = try Flags(Array(Machine.arguments.dropFirst()))
} catch {
    Output.wrong(error.sentence)
    exit(2)
}
if flags.wantsHelp {
    print(Flags.help)
    exit(0)
}
if flags.wantsVersion {
    print("kinwired \(KinwireVersion.text)")
    exit(0)
}
let output = Output(log: flags.log)
do throws(Daemon.StartFailure) {
    if let archive = flags.restore {
        print(try Restore.run(archive, into: flags.options.directory, verifiesOnly: flags.verifiesOnly))
        if !flags.verifiesOnly { output.note(.info, "restored: \(archive) was put into \(flags.options.directory).") }
        exit(0)
    }
    if let map = flags.map {
        let directory = flags.options.directory
        switch map {
        case .add(let file, let name): print(try MapInstall.add(file, as: name, to: directory))
        case .remove(let name): print(try MapInstall.remove(name, from: directory))
        case .list: print(MapInstall.list(directory))
        }
        exit(0)
    }
    if let sentence = try Daemon.run(flags.options, note: output.note, started: output.started) {
        output.note(.error, "failed: \(sentence)")
        exit(1)
    }
    exit(0)
} catch {
    output.note(.error, error.sentence)
    exit(1)
}
