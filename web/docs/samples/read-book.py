from datetime import datetime, timedelta, timezone
from tapeline import Tapeline

at = (datetime.now(timezone.utc) - timedelta(minutes=5)).isoformat()
with Tapeline() as tapeline:
    book = tapeline.l2events.book("sim", "BTC-USDT", at, depth=2)
    print(at, book["state"], book["bids"], book["asks"])
