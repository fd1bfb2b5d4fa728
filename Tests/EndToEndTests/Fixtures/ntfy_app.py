#!/usr/bin/env python3
"""usage: ntfy_app.py BASE_URL TOPIC [--ws] [--since ID]    A stand-in for ntfy's Android app, without a phone.
Without --since the topic is just being added: auth check, a poll that only fills the app's list, then the subscription. With
--since the phone comes back: a poll that rings, then the subscription. Standard output: a JSON line for each notification shown,
replaced, cleared or deleted and each button pressed. Standard error: how the connection is, and what is wrong for the app.
Standard input: «press SEQUENCE LABEL», «poll» (pulling the app's list down), «quit». Named in [] is the source of the app
(1.25.0) that a part follows; none of its code is here. Left out: several topics, log-in by password, custom headers, redirects,
HTTP/2, compression, attachments, icons, UnifiedPush. Any certificate is trusted, as after the tap the app asks for."""
import argparse, base64, contextlib, hashlib, http.client, json, os, socket, ssl, sys, threading, time
from urllib.parse import urlsplit
AGENT = "ntfy/1.25.0 (fdroid; Android 15; SDK 35)"        # [util/HttpUtil.kt]
RETRY = [5, 10, 15, 20, 30, 45, 60, 120]                  # seconds [service/JsonConnection.kt, WsConnection.kt]
WORD = {"message_clear": "cleared", "message_delete": "deleted"}
PING = 180                                                # seconds between WebSocket pings [util/HttpUtil.kt]
lock, rows, shade, last = threading.RLock(), {}, {}, [None]   # id -> row; sequence -> the id shown; the last id, for since=

def out(do, **more):
    print(json.dumps({"do": do, **more}, ensure_ascii=False), flush=True)
def note(text):
    print(time.strftime("%H:%M:%S ") + text, file=sys.stderr, flush=True)
def request(method, url, headers=(), body=None, connect=15, read=15):
    """[util/HttpUtil.kt; OkHttp]: the app's agent, gzip taken, no Content-Type for a text, no credentials but the address."""
    u = urlsplit(url)
    c = (http.client.HTTPSConnection(u.hostname, u.port, timeout=connect, context=ssl._create_unverified_context())
         if u.scheme == "https" else http.client.HTTPConnection(u.hostname, u.port, timeout=connect))
    c.connect()
    c.sock.settimeout(read)
    c.putrequest(method, (u.path or "/") + ("?" + u.query if u.query else ""), skip_accept_encoding=True)
    length = [] if body is None else [("Content-Length", str(len(body)))]
    for k, v in [("User-Agent", AGENT), *headers, *length, ("Accept-Encoding", "gzip")]:
        c.putheader(k, v)
    c.endheaders(body)
    r = c.getresponse()
    if r.headers["Content-Encoding"] or r.headers["Sec-WebSocket-Extensions"]:
        raise OSError("packed: the app could read it, this stand-in cannot")
    r.sock = c.sock
    return r
def parse(line):
    """[msg/NotificationParser.kt, Message.kt]: three events count, all others are ignored. No JSON: the connection breaks."""
    m = json.loads(line)
    if m.get("event") not in ("message", "message_clear", "message_delete"):
        return None
    acts = m["actions"] = m.get("actions") or []
    texts = [m["id"], m["topic"], *(a.get(k) for a in acts for k in ("id", "action", "label"))]
    ids = {a.get("id") for a in acts}
    if not all(isinstance(t, str) for t in texts) or type(m["time"]) is not int or len(ids) < len(acts) or acts[3:]:
        note("WRONG FOR THE APP: a type, an action's id twice (a button is found by it), more than 3 actions: %s" % line)
    return {**m, "seq": m.get("sequence_id") or m["id"], "deleted": False}
def mark_deleted(n):
    for r in rows.values():
        r["deleted"] |= r["seq"] == n["seq"] and n["event"] != "message_clear"
def add(n):
    """[db/Repository.kt addNotification]: a known id is dropped; older ones of its sequence count as deleted; it is the last id."""
    if n["id"] in rows:
        return note("dropped, seen before: %s" % n["id"])
    mark_deleted(n)
    last[0], rows[n["id"]] = n["id"], n
    return True
def show(n, where="shade", why="stream"):
    """[msg/NotificationService.kt]: one place in the shade for each sequence; while it is there, a new one does not ring."""
    do = "replaced" if n["seq"] in shade else "shown"
    shade.update({n["seq"]: n["id"]} if where == "shade" else {})
    out(do, sequence=n["seq"], **{k: n.get(k) for k in ("id", "time", "title", "message", "priority", "tags", "click")},
        buttons=[[a["action"], a["label"]] for a in n["actions"]], where=where, why=why)
def received(n):
    """[service/SubscriberService.kt onNotificationReceived]: from the subscription; clear and delete are a last id too."""
    with lock:
        if n["event"] == "message":
            return show(n) if add(n) else None
        mark_deleted(n)
        last[0] = n["id"]
        out(WORD[n["event"]], sequence=n["seq"], id=n["id"], was_shown=shade.pop(n["seq"], None) is not None, why="stream")
def check_auth(base, topic):
    """[msg/ApiService.kt checkAuth, ui/AddFragment.kt]: GET /TOPIC/auth, only when a topic is added. 2xx is yes; 404 is yes too
    (old servers); 401 and 403 open the app's log-in form; anything else is an error that is shown."""
    s = request("GET", "%s/%s/auth" % (base, topic)).status
    if not (200 <= s < 300 or s == 404):
        sys.exit("not allowed: the app asks for a user and a password" if s in (401, 403) else "Unexpected server response %s" % s)
def poll(base, topic, ring):
    """[msg/ApiService.kt poll, Poller.kt, work/PollWorker.kt]: GET /TOPIC/json?poll=1&since=LAST or all; hourly, on pulling down
    and once when added. Of a sequence only the latest by whole seconds counts, of equals the FIRST. A clear or delete found here
    takes nothing out of the shade and does not move the last id."""
    r = request("GET", "%s/%s/json?poll=1&since=%s" % (base, topic, last[0] or "all"))
    lines = r.read().decode().strip().splitlines() if 200 <= r.status < 300 else []
    note("poll: %s, %d lines" % (r.status, len(lines)))
    with lock:
        found = list(filter(None, map(parse, lines)))
        for n in {n["seq"]: max((m for m in found if m["seq"] == n["seq"]), key=lambda m: m["time"]) for n in found}.values():
            if n["event"] != "message":
                mark_deleted(n)
                out(WORD[n["event"]] + " in the list only", sequence=n["seq"], id=n["id"], in_shade=n["seq"] in shade)
            elif add(n):
                show(n, "shade" if ring else "list", "poll")
def stream(base, topic, since):
    """[service/JsonConnection.kt, msg/ApiService.kt subscribe]: GET /TOPIC/json?since=ID; 77 s of silence break it."""
    r, rest = request("GET", "%s/%s/json?since=%s" % (base, topic, since), connect=10, read=77), b""
    if not 200 <= r.status < 300:
        raise OSError("HTTP %s%s" % (r.status, " (not authorized)" if r.status in (401, 403) else ""))
    yield
    while data := r.read1(65536):                         # cut short it raises, a good end just ends
        *lines, rest = (rest + data).split(b"\n")
        for n in filter(None, map(parse, lines)):
            received(n)
def websocket(base, topic, since):
    """[service/WsConnection.kt; OkHttp's RealWebSocket]: GET /TOPIC/ws?since=ID, upgraded; a ping every 3 minutes, broken without
    a pong by the next. After a CLOSE FRAME the app does not connect again by itself: only when its pings fail."""
    key, pong, text = base64.b64encode(os.urandom(16)).decode(), threading.Event(), b""
    r = request("GET", "%s/%s/ws?since=%s" % (base, topic, since), [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", key), ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Extensions", "permessage-deflate")], connect=10, read=None)
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    if (r.status, r.headers["Sec-WebSocket-Accept"]) != (101, accept) or r.headers["Connection"].lower() != "upgrade" \
            or r.headers["Upgrade"].lower() != "websocket":
        raise OSError("no upgrade: HTTP %s" % r.status)
    yield
    def send(op, data=b""):                               # a client's frames are masked
        mask = os.urandom(4)
        r.sock.sendall(bytes([0x80 | op, 0x80 | len(data)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))
    def pings():
        with contextlib.suppress(OSError):
            pong.set()
            while not time.sleep(PING) and pong.is_set():
                pong.clear()
                send(9)
            r.sock.shutdown(socket.SHUT_RDWR)
    def take(n):
        if len(data := r.fp.read(n)) < n:
            raise EOFError("the connection ended")
        return data
    (pinger := threading.Thread(target=pings, daemon=True)).start()
    while True:
        first, size = take(2)
        op = first & 15
        if size > 127 or first & 0x70 or op not in (0, 1, 2, 8, 9, 10):
            raise OSError("a frame that OkHttp refuses: %02x %02x" % (first, size))
        data = take(int.from_bytes(take({126: 2, 127: 8}[size]), "big") if size > 125 else size)
        if op == 8:
            note("CLOSE FRAME %s: the app waits till its pings fail" % [int.from_bytes(data[:2], "big"), data[2:].decode()])
            pinger.join()                                 # which ends the connection, so that the next take fails
        elif op > 8:
            pong.set() if op == 10 else send(10, data)
        else:
            text = data if op else text + data
            if first & 0x80 and (n := parse(text)):
                received(n)

def subscribe(base, topic, once):
    """[service/JsonConnection.kt, WsConnection.kt]: for ever; each failure in turn waits longer, a connection made resets that.
    A JSON stream that ENDS WELL is opened again at once; a 403 is a failure like others."""
    errors = 0
    while True:
        since = last[0] or "none"
        try:
            for _ in once(base, topic, since):            # one turn, when it is connected
                errors = 0
                note("connected, since=%s" % since)
            note("the stream ended well: again at once")
        except Exception as e:
            wait, errors = RETRY[min(errors, len(RETRY) - 1)], errors + 1
            note("broken: %s: %s; again in %d s" % (type(e).__name__, e, wait))
            time.sleep(wait)

def press(seq, label):
    """[msg/UserActionWorker.kt performHttpAction]: METHOD (POST if none) to the button's url with its headers and body (empty if
    none). Any 2xx is done, whatever the body says, and takes the notification away if the button has clear; otherwise the app
    draws AGAIN the message as it was when pressed, with a tick or the error, even over a newer one, if any is in the shade."""
    n = next((r for r in reversed(list(rows.values())) if r["seq"] == seq and not r["deleted"]), {"actions": []})
    a = next((a for a in n["actions"] if a["label"] == label and a["action"] == "http"), None)
    if not a:
        return note("no such notification or http button: %s %s" % (seq, label))
    method = a.get("method") or "POST"
    body = a.get("body", None if method in ("GET", "HEAD") else "")
    try:
        r = request(method, a["url"], (a.get("headers") or {}).items(), None if body is None else body.encode())
        status, said = r.status, r.read().decode(errors="replace")[:300]
    except Exception as e:
        status, said = 0, "%s: %s" % (type(e).__name__, e)
    with lock:
        out("pressed", sequence=seq, label=label, method=method, url=a["url"], clear=a.get("clear"), status=status, said=said)
        if status // 100 == 2 and a.get("clear"):
            out("cleared", sequence=seq, id=n["id"], was_shown=shade.pop(seq, None) is not None, why="pressed")
        elif seq in shade:
            show(n, why=("tick" if status // 100 == 2 else "error") + (", DRAWN OVER A NEWER ONE" if shade[seq] != n["id"] else ""))

p = argparse.ArgumentParser(usage=__doc__.split("    ")[0][7:])
p.add_argument("base"), p.add_argument("topic"), p.add_argument("--ws", action="store_true"), p.add_argument("--since")
args = p.parse_args()
where, last[0] = (args.base.rstrip("/"), args.topic), args.since
args.since or check_auth(*where)
with contextlib.suppress(OSError, http.client.HTTPException):   # unreachable: the app goes on to subscribe
    poll(*where, ring=bool(args.since))
threading.Thread(target=subscribe, args=(*where, websocket if args.ws else stream), daemon=True).start()
for word in (line.split(None, 2) for line in sys.stdin):
    if len(word) == 3 and word[0] == "press":
        press(word[1], word[2].strip())
    elif word == ["poll"]:
        with contextlib.suppress(OSError, http.client.HTTPException):
            poll(*where, ring=True)
    elif word == ["quit"]:
        break
