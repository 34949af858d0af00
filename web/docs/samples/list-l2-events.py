from tapeline import Tapeline

with Tapeline() as tapeline:
    snapshots = tapeline.l2events.list(
        venues=["sim"], symbols=["BTC-USDT"], types=["snapshot"], depth=2, order="desc", limit=1
    )
    for event in snapshots.to_list(1):
        print(event["ts_event"], event["bids"], event["asks"])
