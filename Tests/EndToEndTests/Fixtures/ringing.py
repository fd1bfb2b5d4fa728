# A phone with ntfy's app, as far as the daemon sees one: its four requests and nothing else. It cuts its own connections
# as a phone does that goes from one network into another, comes again when the daemon was gone, and prints each message
# that it would show: "NUMBER EVENT TEXT", where NUMBER counts how often it was given that message.
#
# ringing.py HOST:PORT TOPIC json|ws|poll CUT
#   CUT: after so many messages it drops the connection; 0: never.
import base64
import http.client
import json
import os
import socket
import sys
import time

server, topic, way, cut = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
last = None  # The id of the newest message that was shown.
given = {}


def take(line):
    """Shows one message; false for what is none."""
    global last
    message = json.loads(line)
    if message["event"] not in ("message", "message_clear", "message_delete"):
        return False
    if message["topic"] != topic or "sequence_id" not in message:
        sys.exit("a message that no phone understands: " + line)
    last = message["id"]
    given[last] = given.get(last, 0) + 1
    print(given[last], message["event"], message.get("message", ""), flush=True)
    return True


def get(path):
    connection = http.client.HTTPConnection(server, timeout=77)
    connection.request("GET", path)
    return connection, connection.getresponse()


def since(first):
    return last if last is not None else first


def poll():
    """Asks once; what the app does when it was woken, and before it listens for the first time."""
    connection, answer = get(f"/{topic}/json?poll=1&since={since('all')}")
    if answer.status != 200:
        sys.exit(f"refused: {answer.status}")
    for line in answer.read().decode().splitlines():
        take(line)
    connection.close()


def stream():
    connection, answer = get(f"/{topic}/json?since={since('none')}")
    shown = 0
    while line := answer.readline():
        shown += take(line.decode())
        if cut and shown >= cut:
            break
    connection.close()


def exactly(connection, count):
    found = b""
    while len(found) < count:
        more = connection.recv(count - len(found))
        if not more:
            raise ConnectionError("ended")
        found += more
    return found


def frames():
    """A WebSocket (RFC 6455), by hand."""
    host, port = server.split(":")
    with socket.create_connection((host, int(port)), timeout=77) as connection:
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(
            (
                f"GET /{topic}/ws?since={since('none')} HTTP/1.1\r\nHost: {server}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += exactly(connection, 1)
        if not head.startswith(b"HTTP/1.1 101 "):
            sys.exit("refused: " + head.decode())
        shown = 0
        while not (cut and shown >= cut):
            first, length = exactly(connection, 2)
            if length == 126:
                length = int.from_bytes(exactly(connection, 2), "big")
            elif length == 127:
                length = int.from_bytes(exactly(connection, 8), "big")
            content = exactly(connection, length)
            if first == 0x81:
                shown += take(content.decode())
            elif first == 0x89:
                connection.sendall(bytes([0x8A, 0x80 | length, 0, 0, 0, 0]) + content)
            elif first == 0x88:
                return


connection, answer = get(f"/{topic}/auth")
if answer.status != 200:
    sys.exit(f"refused: {answer.status}")
connection.close()
isNew = True
while True:
    try:
        if isNew or way == "poll":
            poll()
        if isNew:
            print("subscribed", flush=True)
            isNew = False
        if way == "poll":
            time.sleep(0.02)
        elif way == "ws":
            frames()
        else:
            stream()
    except (OSError, http.client.HTTPException, json.JSONDecodeError):
        time.sleep(0.02)  # The daemon is not there; it comes again.
