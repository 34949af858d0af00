from tapeline import Tapeline

with Tapeline() as tapeline:
    newest = tapeline.trades.list(venues=["sim"], symbols=["BTC-USDT"], order="desc", limit=2)
    for trade in newest.to_list(2):
        print(trade["ts_event"], trade["side"], trade["size"], trade["price"])
