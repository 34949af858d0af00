"""Prints the first messages of a stream: stream-client.py URL KEY COUNT SUBSCRIPTION."""

import asyncio
import sys

from websockets.asyncio.client import connect


async def main(url: str, key: str, count: str, subscription: str) -> None:
    headers = {"x-api-key": key}
    async with connect(url, additional_headers=headers, subprotocols=["tapeline.v1"]) as stream:
        await stream.send(subscription)
        for _ in range(int(count)):
            print(await stream.recv())


asyncio.run(main(*sys.argv[1:]))
