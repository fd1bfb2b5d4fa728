import Glibc
import KinLoop

Signal.ignorePipe()
exit(Kin.run(Array(Machine.arguments.dropFirst())).rawValue)
