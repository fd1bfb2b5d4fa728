"""Runs one of Debian's web servers with a site from the documentation, on a port of the kernel's choice.

    proxy.py nginx|apache|caddy FOLDER SITE DAEMON-PORT NAME

SITE is the file with the sample. Its port, the daemon's port and the certificate's place are put in; all else is as it
stands. A certificate for NAME lies in FOLDER as cert.pem and key.pem. Says `port N` when it serves; ends with the server.
"""

import os, re, select, signal, socket, sys

kind, folder, site, daemon, name = sys.argv[1:]
text = open(site).read()
# nginx is handed a listener, the way it hands its sockets to its successor. The others bind the port themselves: until
# they listen, one that is bound here and does not listen keeps it from everybody who asks for any port.
holder = socket.socket()
holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
holder.bind(("127.0.0.1", 0))
if kind == "nginx":
    holder.listen()
port = holder.getsockname()[1]
os.set_inheritable(holder.fileno(), True)


def put(pattern, replacement, times=1):
    global text
    text, count = re.subn(pattern, lambda _: replacement, text)
    assert count == times, f"the sample has {count} times {pattern}"


def write(path, *parts):
    with open(path, "w") as file:
        file.write("\n".join(parts) + "\n")


def certificate():
    for file, ours in ("fullchain", "cert"), ("privkey", "key"):
        put(rf"/etc/letsencrypt/live/{re.escape(name)}/{file}\.pem", f"{folder}/{ours}.pem")


put(r"127\.0\.0\.1:5469", f"127.0.0.1:{daemon}")
if kind == "nginx":
    certificate()
    put(r"listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
    places = "client_body proxy fastcgi uwsgi scgi".split()
    write(
        f"{folder}/nginx.conf", "user root;" if os.geteuid() == 0 else "",
        f"daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr;", "events {}", "http {",
        "access_log off;", *(f"{place}_temp_path {folder}/{place};" for place in places), text, "}")
    os.environ["NGINX"] = f"{holder.fileno()};"
    command = ["/usr/sbin/nginx", "-p", folder, "-c", f"{folder}/nginx.conf"]
elif kind == "apache":
    certificate()
    put(r"<VirtualHost \*:443>", f"<VirtualHost 127.0.0.1:{port}>")
    modules = "mpm_event authz_core ssl headers proxy proxy_http proxy_wstunnel".split()
    write(
        f"{folder}/apache.conf", f"ServerRoot {folder}", f"DefaultRuntimeDir {folder}", f"PidFile {folder}/apache.pid",
        "ErrorLog /dev/stderr", f"Listen 127.0.0.1:{port} https", f"ServerName {name}",
        *(f"LoadModule {module}_module /usr/lib/apache2/modules/mod_{module}.so" for module in modules),
        "User www-data\nGroup www-data" if os.geteuid() == 0 else "", text)
    # One process: nothing stays behind when it is killed.
    command = ["/usr/sbin/apache2", "-X", "-f", f"{folder}/apache.conf"]
else:
    put(rf"(?m)^{re.escape(name)} {{$",
        f"https://{name}:{port} {{\n    bind 127.0.0.1\n    tls {folder}/cert.pem {folder}/key.pem")
    write(
        f"{folder}/Caddyfile", "{", "    admin off", "    auto_https disable_redirects",
        f"    storage file_system {folder}/caddy", "    servers {", "        protocols h1 h2", "    }", "}", text)
    command = ["/usr/bin/caddy", "run", "--config", f"{folder}/Caddyfile", "--adapter", "caddyfile"]

def workers(server):
    with open(f"/proc/{server}/task/{server}/children") as children:
        return {int(child) for child in children.read().split()} - {os.getpid()}


server = os.getpid()
if os.fork() == 0:
    # Says when somebody listens; the server itself takes this process's place.
    holder.close()
    listens = False
    started = set()
    while os.getppid() == server:
        if not listens:
            with socket.socket() as client:
                listens = client.connect_ex(("127.0.0.1", port)) == 0
            if listens:
                print("port", port, flush=True)
                for stream in 0, 1, 2:
                    os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        try:
            started = workers(server) or started
        except OSError:
            pass
        select.select([], [], [], 0.05)
    # A worker outlives a master that is killed.
    for worker in started:
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            pass
    os._exit(0)
os.execv(command[0], command)
