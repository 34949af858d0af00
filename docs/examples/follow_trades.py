"""follow_trades.py [venue] [symbol]: prints trades with the package websockets (pip install websockets).

After a lost connection it continues where it stopped. Environment: TAPELINE_URL, TAPELINE_API_KEY; COUNT ends it after that
many trades.
"""

import asyncio
import json
import os
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

URL = os.environ.get("TAPELINE_URL", "http://127.0.0.1:3001").replace("http", "ws", 1) + "/api/v1/stream"
HEADERS = {"x-api-key": os.environ.get("TAPELINE_API_KEY", "")}


async def main(venue: str = "sim", symbol: str = "BTC-USDT") -> None:
    left = float(os.environ.get("COUNT", "inf"))
    cursor = None
    # Reconnects after a lost connection and after 5xx; a wrong key raises InvalidStatus at once.
    async for stream in connect(URL, additional_headers=HEADERS, subprotocols=["tapeline.v1"]):
        subscription = {"op": "subscribe", "id": "a", "channel": "trades", "venues": [venue], "symbols": [symbol]}
        await stream.send(json.dumps({**subscription, "cursor": cursor}))
        try:
            async for text in stream:
                message = json.loads(text)
                # The subscription has ended: with a status of 500 or more it may begin again on another connection.
                if message["type"] == "error":
                    print(message["problem"]["detail"], file=sys.stderr)
                    if message["problem"]["status"] < 500:
                        sys.exit(1)
                    await asyncio.sleep(0.5)
                    break
                if message["type"] == "trades":
                    for trade in message["data"]:
                        if left > 0:
                            print(trade["sequence"], trade["ts_event"], trade["price"], trade["size"], flush=True)
                        left -= 1
                # Only after the records were used: the next connection continues after this message.
                cursor = message.get("cursor", cursor)
                if left <= 0:
                    return
        except ConnectionClosed:
            continue


asyncio.run(main(*sys.argv[1:]))
