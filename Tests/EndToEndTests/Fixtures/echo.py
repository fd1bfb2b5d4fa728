# Talks to kinwire-echo with the library `websockets`: whatever is sent comes back. The URL is the argument.
import asyncio, os, ssl, sys, websockets

url = sys.argv[1]
trust = ssl.create_default_context() if url.startswith("wss:") else None
if trust:
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE


async def talk(compression):
    async with websockets.connect(url, ssl=trust, compression=compression, max_size=None) as socket:
        for size in 0, 1, 125, 126, 127, 128, 1000, 65535, 65536, 1 << 20:
            for message in "ü" * (size // 2), "a" * size, bytes(size), os.urandom(size):
                await socket.send(message)
                assert await socket.recv() == message, size
        await socket.send(["in ", "three ", "pieces"])
        assert await socket.recv() == "in three pieces"
        await (await socket.ping(b"alive"))
        await socket.close(4321, "enough")
        code = getattr(socket, "close_code", None)
        assert code == 4321, code
    print("echoed", compression)


async def refuse():
    async with websockets.connect(url, ssl=trust, compression="deflate", max_size=None) as socket:
        try:
            # A thousand to one: 65 MiB of zeros are 64 kB on the wire.
            await socket.send(bytes((64 << 20) + 1))
            await socket.recv()
        except websockets.ConnectionClosed as closed:
            print("closed", closed.code if not getattr(closed, "rcvd", None) else closed.rcvd.code)


asyncio.run(talk(None))
asyncio.run(talk("deflate"))
asyncio.run(refuse())
