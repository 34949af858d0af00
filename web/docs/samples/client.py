import json, os, time, urllib.error, urllib.request


class TapelineError(Exception):
    def __init__(self, problem):
        super().__init__(f"{problem['code']}: {problem['detail']} (request {problem.get('request_id')})")
        self.problem = problem


def post(path, body, tries=4):
    """Sends one request. Retries a 429 or 503 after Retry-After seconds, at most three times."""
    request = urllib.request.Request(
        os.environ["TAPELINE_URL"] + path,
        headers={
            "authorization": "Bearer " + os.environ["TAPELINE_KEY"],
            "content-type": "application/json",
        },
        data=json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as failure:
        seconds = int(failure.headers.get("retry-after") or 0)
        if seconds == 0 or tries == 1:
            raise TapelineError(json.load(failure)) from None
    time.sleep(seconds)
    return post(path, body, tries - 1)


def trades(filter):
    """Yields every matching trade, page by page. With order "asc" and no end it waits for new ones."""
    page = post("/api/v1/trades/list", filter)
    while True:
        yield from page["data"]
        if page["next_cursor"] is None:
            return
        if not page["has_more"]:
            time.sleep(1)
        page = post("/api/v1/trades/list", {"cursor": page["next_cursor"]})


for seen, trade in enumerate(trades({"symbols": ["BTC-USDT"], "limit": 5}), start=1):
    print(trade["sequence"], trade["ts_event"], trade["side"], trade["size"], trade["price"])
    if seen == 10:
        break
