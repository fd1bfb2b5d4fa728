"""A source of map tiles on loopback, by the standard library alone: says `port N`, and then each request that came.

On its input, one line each: `picture` answers with a red picture that is good for a minute, `stale` with one that is to
be confirmed each time, `page` with HTML, `away URL` with a redirect there, `large` with more than any tile has.
"""

import http.server, json, struct, sys, threading, zlib


def png(side, colour):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    lines = (b"\0" + bytes(colour) * side) * side
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


manner = ["picture"]
picture = png(256, (200, 30, 30))


class Source(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(json.dumps({"path": self.path, "fields": dict(self.headers.items())}), flush=True)
        kind, *rest = manner[0].split()
        if kind == "away":
            self.send_response(302)
            self.send_header("Location", rest[0])
            self.send_header("Content-Length", "0")
            return self.end_headers()
        tag = '"one"'
        if kind == "stale" and self.headers.get("If-None-Match") == tag:
            self.send_response(304)
            self.send_header("ETag", tag)
            return self.end_headers()
        content = {"page": b"<script>alert(1)</script>", "large": bytes(1 << 20)}.get(kind, picture)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Set-Cookie", "visitor=1")
        self.send_header("Cache-Control", "max-age=60" if kind == "picture" else "no-cache")
        self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Source)
print("port", server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
for line in sys.stdin:
    manner[0] = line.strip()
    print("is", manner[0], flush=True)
