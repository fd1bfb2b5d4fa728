"""A wire between a browser and the daemon that can be cut, as a train in a tunnel cuts it: nothing is said, nothing comes.

    wire.py DAEMON-PORT

Says `port N`. `cut` on its input: what is open stays open and carries nothing. `mend`: what was cut is gone, and
whoever connects anew gets through. `count`: how many bytes it carried so far, both ways.
"""

import asyncio, sys

daemon = int(sys.argv[1])
whole = asyncio.Event()
writers = set()
carried = 0


async def carry(reader, writer):
    global carried
    try:
        while data := await reader.read(65536):
            await whole.wait()
            carried += len(data)
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        if whole.is_set():
            writer.close()


async def connected(reader, writer):
    writers.add(writer)
    await whole.wait()
    try:
        inner, outer = await asyncio.open_connection("127.0.0.1", daemon)
    except OSError:
        return writer.close()
    writers.add(outer)
    await asyncio.gather(carry(reader, outer), carry(inner, writer), return_exceptions=True)
    writers.difference_update({writer, outer})


async def main():
    whole.set()
    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        if line.strip() == b"count":
            print("bytes", carried, flush=True)
            continue
        if line.strip() == b"cut":
            whole.clear()
        else:
            # Whatever the wire held is lost with it.
            for writer in list(writers):
                writer.transport.abort()
            writers.clear()
            await asyncio.sleep(0)
            whole.set()
        print(line.decode().strip(), flush=True)


asyncio.run(main())
