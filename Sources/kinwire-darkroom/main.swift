// Opens one picture, for kinwired: nothing that comes from outside is decoded in the daemon itself.

import Glibc
import KinDarkroom

exit(Walls.run())
