# A server of feeds for tests, over HTTPS on loopback. What is there says the path:
#   /good.xml      a feed with an ETag; 304 to who has it; what it holds stands in the file FOLDER/feed.xml
#   /page          a page of HTML            /gone     404               /wrong  500
#   /huge          two gigabytes, announced  /endless  bytes without end /cut    half a feed
#   /bomb          entities that grow        /zipped   compressed, though nobody asked for that
#   /away?URL      a redirect to URL
#   /recipe        a page with a recipe of schema.org
#
# news.py CERTIFICATE KEY FOLDER
#   Prints its port first, and then a line of JSON for each request.
import gzip
import hashlib
import http.server
import json
import ssl
import sys

BOMB = b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><rss><channel><title>&c;</title></channel></rss>'
RECIPE = b'<html><script>run()</script><script type="application/ld+json">{"@type":"Recipe","name":"Leek <b>soup</b>","recipeIngredient":["2 leeks"]}</script></html>'


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

    def begin(self, **fields):
        self.close_connection = True
        self.send_response(200)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Connection", "close")
        self.end_headers()

    def do_GET(self):
        path, _, query = self.path.partition("?")
        known = self.headers["If-None-Match"]
        print(json.dumps({"path": self.path, "known": known, "accept": self.headers["Accept"]}), flush=True)
        with open(sys.argv[3] + "/feed.xml", "rb") as file:
            feed = file.read()
        tag = '"' + hashlib.sha256(feed).hexdigest()[:16] + '"'
        if path == "/good.xml":
            return self.say(304, ETag=tag) if known == tag else self.say(200, feed, ETag=tag)
        if path == "/page":
            return self.say(200, b"<!DOCTYPE html><title>Sign in</title>", Content_Type="text/html")
        if path == "/recipe":
            return self.say(200, RECIPE, Content_Type="text/html")
        if path == "/cut":
            return self.say(200, feed[: len(feed) // 2])
        if path == "/bomb":
            return self.say(200, BOMB)
        if path == "/zipped":
            return self.say(200, gzip.compress(feed), Content_Encoding="gzip")
        if path == "/away":
            return self.say(302, Location=query)
        if path == "/wrong":
            return self.say(500)
        if path not in ("/huge", "/endless"):
            return self.say(404)
        try:
            if path == "/huge":
                self.begin(Content_Length=str(2 << 30))
            else:
                self.begin()
            self.wfile.write(b"<rss><channel><title>")
            while True:
                self.wfile.write(b"x" * 65536)
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
