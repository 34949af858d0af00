from tapeline import Tapeline

with Tapeline() as tapeline:
    large = tapeline.trades.list(
        venues=["sim"], symbols=["BTC-USDT"], side="buy", size={"gte": "0.01"}, order="desc", limit=1
    )
    print(large.to_list(1))
