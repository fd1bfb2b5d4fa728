# A push service for tests, with the browsers behind it: takes what RFC 8030 has for it over HTTPS, checks who it is from
# (RFC 8292), deciphers it with PyPI's http-ece as a browser does (RFC 8291), and prints it, a line of JSON each.
#
# push.py CERTIFICATE KEY
#   Prints its port and a browser's subscription first. PUT /next has a list of what the next pushes are answered with: a
#   status, "garbage", or "slow", which says nothing for a minute.
import base64
import http.server
import json
import ssl
import sys
import time
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature


def plain(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


browser = ec.generate_private_key(ec.SECP256R1())
point = browser.public_key().public_bytes(
    serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
)
secret = b"0123456789abcdef"
coming = []


def claims(field, origin):
    """Who a push is from: what the token says, once its signature was found to be right."""
    scheme, rest = field.split(" ", 1)
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, body, signature = parts["t"].split(".")
    numbers = plain(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), plain(parts["k"]))
    key.verify(
        encode_dss_signature(int.from_bytes(numbers[:32], "big"), int.from_bytes(numbers[32:], "big")),
        f"{head}.{body}".encode(),
        ec.ECDSA(hashes.SHA256()),
    )
    said = json.loads(plain(body))
    if scheme != "vapid" or said["aud"] != origin or not time.time() < said["exp"] <= time.time() + 86400:
        raise ValueError(f"not for this push service: {said}")
    return {**said, "key": parts["k"]}


class Service(http.server.BaseHTTPRequestHandler):
    def content(self):
        return self.rfile.read(int(self.headers["Content-Length"]))

    def do_PUT(self):
        coming.extend(json.loads(self.content()))
        self.say(204)

    def do_POST(self):
        answer = coming.pop(0) if coming else 201
        sealed = self.content()
        said = http_ece.decrypt(sealed, private_key=browser, auth_secret=secret, version="aes128gcm")
        origin = f"https://{self.headers['Host']}"
        print(
            json.dumps(
                {
                    "answer": answer,
                    "path": self.path,
                    "bytes": len(sealed),
                    "fields": {name: self.headers[name] for name in ("TTL", "Urgency", "Topic", "Content-Encoding")},
                    "claims": claims(self.headers["Authorization"], origin),
                    "text": json.loads(said),
                }
            ),
            flush=True,
        )
        if answer == "garbage":
            self.wfile.write(b"\x00\xff this is no HTTP\r\n\r\n")
            self.close_connection = True
        elif answer == "slow":
            time.sleep(60)
        else:
            self.say(answer)

    def say(self, status):
        self.send_response(status)
        if status == 301:
            self.send_header("Location", f"https://{self.headers['Host']}/elsewhere")
        if status == 429:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
server.socket = context.wrap_socket(server.socket, server_side=True)
port = server.server_address[1]
print(
    json.dumps(
        {
            "port": port,
            "subscription": {
                "endpoint": f"https://127.0.0.1:{port}/send/browser",
                "p256dh": text(point),
                "auth": text(secret),
            },
        }
    ),
    flush=True,
)
server.serve_forever()
