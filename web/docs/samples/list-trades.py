import json, os, urllib.request

request = urllib.request.Request(
    os.environ["TAPELINE_URL"] + "/api/v1/trades/list",
    method="POST",
    headers={
        "authorization": "Bearer " + os.environ["TAPELINE_KEY"],
        "content-type": "application/json",
    },
    data=json.dumps({"venues": ["sim"], "symbols": ["BTC-USDT"], "order": "desc", "limit": 2}).encode(),
)
with urllib.request.urlopen(request, timeout=10) as answer:
    page = json.load(answer)
for trade in page["data"]:
    print(trade["ts_event"], trade["side"], trade["size"], trade["price"])
