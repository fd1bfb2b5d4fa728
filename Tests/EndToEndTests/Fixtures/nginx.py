"""Runs Debian's nginx with a site from the documentation, on a port of the kernel's choice.

    nginx.py FOLDER SITE DAEMON-PORT NAME

SITE is the file with the sample. Its port, the daemon's port and the certificate's place are put in; all else is as it
stands. A certificate for NAME lies in FOLDER as cert.pem and key.pem. Says `port N`; ends with nginx.
"""

import os, re, socket, sys

folder, site, daemon, name = sys.argv[1:]
# Held from now on and handed to nginx, the way nginx hands its sockets to its successor: nobody else can take it.
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]


def put(pattern, replacement, text):
    text, count = re.subn(pattern, replacement, text)
    assert count == 1, f"the sample has {count} times {pattern}"
    return text


text = open(site).read()
text = put(r"listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;", text)
text = put(r"http://127\.0\.0\.1:5469;", f"http://127.0.0.1:{daemon};", text)
text = put(rf"/etc/letsencrypt/live/{re.escape(name)}/fullchain\.pem", f"{folder}/cert.pem", text)
text = put(rf"/etc/letsencrypt/live/{re.escape(name)}/privkey\.pem", f"{folder}/key.pem", text)
places = "client_body proxy fastcgi uwsgi scgi".split()
with open(f"{folder}/nginx.conf", "w") as conf:
    conf.write(
        ("user root;\n" if os.geteuid() == 0 else "")
        + f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr;\n"
        + "events {}\nhttp {\naccess_log off;\n"
        + "".join(f"{place}_temp_path {folder}/{place};\n" for place in places) + text + "}\n")
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ["NGINX"] = "3;"
print("port", port, flush=True)
os.execv("/usr/sbin/nginx", ["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"])
