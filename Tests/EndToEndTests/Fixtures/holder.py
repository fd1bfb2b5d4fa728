"""Holds a port and a notification socket for a daemon, as systemd does with kinwired.socket and Type=notify.

    holder.py FOLDER COMMAND…

Says `port N`, then starts the command once for each line of its input, waits for its end, and says every notice.
"""

import os, socket, sys, threading

folder, *command = sys.argv[1:]
port = socket.create_server(("127.0.0.1", 0))
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind(folder + "/notify")


def listen():
    while True:
        for line in notices.recv(4096).decode().splitlines():
            print("notice", line, flush=True)


threading.Thread(target=listen, daemon=True).start()
print("port", port.getsockname()[1], flush=True)
for _ in sys.stdin:
    child = os.fork()
    if child == 0:
        os.dup2(port.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(
            LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), NOTIFY_SOCKET=folder + "/notify", WATCHDOG_USEC="400000")
        os.execv(command[0], command)
    print("started", child, flush=True)
    print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
