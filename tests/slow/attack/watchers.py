"""Readers of streams, in a module that loads quickly: what the attacker does is not to be what is measured."""

import asyncio


def watch(port: int, paths: list[str]) -> None:
    """Read all of them for ever, and look at nothing; whoever is refused comes again in a second."""

    async def follow(path: str) -> None:
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            while await reader.read(1 << 20):
                pass
            writer.close()
            await asyncio.sleep(1)

    async def follow_all() -> None:
        await asyncio.gather(*map(follow, paths))

    asyncio.run(follow_all())
