from tapeline import Tapeline

with Tapeline() as tapeline:
    for page in tapeline.trades.list(symbols=["SPY-USD"], order="desc", limit=1000).pages():
        last = page["data"][-1]["ts_event"] if page["data"] else None
        print(len(page["data"]), "trades, down to", last)
        break  # Remove this line to read all pages.
