"""Connections that follow the family and then say nothing, as many as one asks for.

    idle.py PORT TOKEN

`page N` on its input opens N WebSockets as Chromium opens the page's; `other N` opens N as a program does. Says
`open M` when all of them are signed in and follow, M in all. They stay open until its input ends.
"""

import socket, struct, sys

port, token = int(sys.argv[1]), sys.argv[2]
followers = []


def exactly(stream, count):
    data = stream.read(count)
    if len(data) < count:
        sys.exit("the daemon closed a connection")
    return data


def follow(kind):
    connection = socket.create_connection(("127.0.0.1", port))
    stream = connection.makefile("rb")
    head = [
        "GET /live HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: kinwire.v1",
    ]
    if kind == "page":
        head += [
            f"Origin: http://127.0.0.1:{port}", f"Cookie: kinwire={token}",
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits", "Accept-Language: en",
            "Accept-Encoding: gzip, deflate, br", "Cache-Control: no-cache", "Pragma: no-cache",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
        ]
    else:
        head += [f"Authorization: Bearer {token}"]
    connection.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
    status = stream.readline()
    if b" 101 " not in status:
        sys.exit(f"{kind}: {status!r}")
    while stream.readline() not in (b"\r\n", b""):
        pass
    # The page hears what is passing, too (somebody writes).
    passing = b"true" if kind == "page" else b"false"
    text = b'{"jsonrpc":"2.0","id":1,"method":"live.follow","params":{"since":null,"view":"all","passing":' + passing + b"}}"
    # A frame of text with a mask of zeros (RFC 6455, 5.2), its length in two bytes or in one.
    size = bytes([0x80 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
    connection.sendall(b"\x81" + size + bytes(4) + text)
    # Its answer, in one frame or several.
    while True:
        first, length = exactly(stream, 2)
        if length == 126:
            (length,) = struct.unpack(">H", exactly(stream, 2))
        elif length == 127:
            (length,) = struct.unpack(">Q", exactly(stream, 8))
        exactly(stream, length)
        if first & 0x80:
            break
    followers.append((connection, stream))


for line in sys.stdin:
    kind, count = line.split()
    for _ in range(int(count)):
        follow(kind)
    print("open", len(followers), flush=True)
