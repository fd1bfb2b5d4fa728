import Glibc
import KinLoop

Signal.ignorePipe()
exit(Kin.run(Array(CommandLine.arguments.dropFirst())).rawValue)
