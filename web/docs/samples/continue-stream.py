from datetime import datetime, timedelta, timezone
from tapeline import Tapeline

minute_ago = (datetime.now(timezone.utc) - timedelta(minutes=1)).isoformat()
with Tapeline() as tapeline:
    history = tapeline.trades.list(symbols=["BTC-USDT"], start=minute_ago)
    for trade in history:
        print(trade["ts_event"], trade["price"])

    with tapeline.stream(channel="trades", symbols=["BTC-USDT"], cursor=history.cursor) as live:
        for trade in live:
            print(trade["ts_event"], trade["price"], "live")
            break  # Remove this line to continue.
