from tapeline import Tapeline

with Tapeline() as tapeline:
    bars = tapeline.bars.list(venues=["sim"], symbols=["BTC-USDT"], interval="1h", order="desc", limit=2)
    for bar in bars.to_list(2):
        print(bar["ts_start"], bar["open"], bar["high"], bar["low"], bar["close"], bar["volume"])
