import json, os, urllib.request

body = {"symbols": ["SPY-USD"], "order": "desc", "limit": 1000}
while body is not None:
    request = urllib.request.Request(
        os.environ["TAPELINE_URL"] + "/api/v1/trades/list",
        headers={"x-api-key": os.environ["TAPELINE_KEY"], "content-type": "application/json"},
        data=json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        page = json.load(answer)
    last = page["data"][-1]["ts_event"] if page["data"] else None
    print(len(page["data"]), "trades, down to", last)
    body = {"cursor": page["next_cursor"]} if page["next_cursor"] else None
    break  # Leave this out to go on to the very end.
