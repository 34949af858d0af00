from tapeline import Tapeline

with Tapeline() as tapeline, tapeline.stream(channel="trades", venues=["sim"], symbols=["BTC-USDT"]) as trades:
    for trade in trades:
        print(trade["ts_event"], trade["side"], trade["size"], trade["price"])
        break  # Remove this line to continue.
