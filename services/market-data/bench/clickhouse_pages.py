"""Pages at random places from Parquet files by ClickHouse's engine in this process (chdb).

Reads {"folder", "pages": [{"days": ["2019-08-12", ...], "start": "<ns>"}], "rows"} from standard input and prints the
milliseconds of each page and the CPU milliseconds of all.
"""

import json
import resource
import sys
import time

import chdb

SETTINGS = "input_format_parquet_use_native_reader_v3 = 1, input_format_parquet_filter_push_down = 1"


def cpu_ms() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1_000


def page_ms(folder: str, rows: int, days: list[str], start: str) -> float:
    dates = "{" + ",".join(days) + "}"
    files = f"{folder}/v1/channel=trade/venue=sim/symbol=BTC-USDT/date={dates}/*.parquet"
    started = time.perf_counter()
    found = chdb.query(
        f"select * from file('{files}', Parquet) where ts_event >= {start} "
        f"order by ts_event, sequence limit {rows} settings {SETTINGS}",
        "JSONEachRow",
    )
    count = found.bytes().count(b"\n")
    if count != rows:
        raise SystemExit(f"ClickHouse found {count} rows")
    return (time.perf_counter() - started) * 1_000


request = json.load(sys.stdin)
page_ms(request["folder"], request["rows"], **request["pages"][0])
before = cpu_ms()
times = [page_ms(request["folder"], request["rows"], **page) for page in request["pages"]]
print(json.dumps({"times": times, "cpuMs": cpu_ms() - before, "version": chdb.query("select version()").data().strip()}))
