"""follow_trades.py [venue] [symbol]: prints trades over the package websockets (pip install websockets).

After a cut it goes on where it stopped. TAPELINE_URL and TAPELINE_API_KEY say where and with which key; COUNT ends it after
so many trades.
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
    # Connects again after a cut; a wrong key raises InvalidStatus at once.
    async for stream in connect(URL, additional_headers=HEADERS, subprotocols=["tapeline.v1"]):
        subscription = {"op": "subscribe", "id": "a", "channel": "trades", "venues": [venue], "symbols": [symbol]}
        await stream.send(json.dumps({**subscription, "cursor": cursor}))
        try:
            async for text in stream:
                message = json.loads(text)
                if message["type"] == "error":
                    print(message["problem"]["detail"], file=sys.stderr)
                if message["type"] == "trades":
                    for trade in message["data"]:
                        if left > 0:
                            print(trade["sequence"], trade["ts_event"], trade["price"], trade["size"], flush=True)
                        left -= 1
                # After the records were used: what comes later begins there.
                cursor = message.get("cursor", cursor)
                if left <= 0:
                    return
        except ConnectionClosed:
            continue


asyncio.run(main(*sys.argv[1:]))
