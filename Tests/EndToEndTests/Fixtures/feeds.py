# A server of calendars for tests, over HTTPS on loopback. What is there says the path:
#   /good.ics      a calendar with an ETag; 304 to who has it; what it holds stands in the file FOLDER/feed.ics
#   /page          a page of HTML            /gone  404              /huge  two gigabytes, announced
#   /endless       bytes without end         /cut   half a calendar  /away?URL  a redirect to URL
#
# feeds.py CERTIFICATE KEY FOLDER
#   Prints its port first, and then a line of JSON for each request.
import hashlib
import http.server
import json
import ssl
import sys


class Feeds(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def say(self, status, content=b"", **fields):
        self.close_connection = True
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        if status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        known = self.headers["If-None-Match"]
        print(json.dumps({"path": self.path, "known": known, "accept": self.headers["Accept"]}), flush=True)
        with open(sys.argv[3] + "/feed.ics", "rb") as file:
            feed = file.read()
        tag = '"' + hashlib.sha256(feed).hexdigest()[:16] + '"'
        if path == "/good.ics":
            return self.say(304, ETag=tag) if known == tag else self.say(200, feed, ETag=tag, Content_Type="text/calendar")
        if path == "/page":
            return self.say(200, b"<!DOCTYPE html><title>Sign in</title>", Content_Type="text/html")
        if path == "/cut":
            return self.say(200, feed[: len(feed) // 2])
        if path == "/away":
            return self.say(302, Location=query)
        if path == "/huge":
            self.send_response(200)
            self.send_header("Content-Length", str(2 << 30))
            self.end_headers()
        elif path == "/endless":
            self.send_response(200)
            self.send_header("Connection", "close")
            self.end_headers()
        else:
            return self.say(404)
        self.close_connection = True
        try:
            self.wfile.write(b"BEGIN:VCALENDAR\r\n")
            while True:
                self.wfile.write(b"X-FILL:" + b"x" * 65536 + b"\r\n")
        except OSError:
            pass

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Feeds)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True)
print(json.dumps({"port": server.server_port}), flush=True)
server.serve_forever()
