export type UseCase = { title: string; text: string; request: string; answer: string }

/** Requests of the contract and the shape of what they answer; values that only a live answer has are an ellipsis. */
export const USE_CASES: readonly UseCase[] = [
  {
    title: 'Algorithmic trading',
    text: 'Read the book as the venue sent it: one event per message, never half applied.',
    request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"],
  "types": ["update"], "depth": 1, "limit": 1 }`,
    answer: `{ "type": "update",
  "sequence": "…", "prev_sequence": "…",
  "bids": [["price", "size"]],
  "asks": [["price", "size"]], … }`,
  },
  {
    title: 'Portfolio management',
    text: 'Mark positions to the print at your cut-off, with the price as the venue wrote it.',
    request: `POST /api/v1/trades/list
{ "symbols": ["BTC-USDT"], "order": "desc",
  "end": "2026-11-20T21:00:00Z", "limit": 1 }`,
    answer: `{ "id": "venue:BTC-USDT:…",
  "ts_event": "2026-11-20T20:59:59.…Z",
  "price": "…", "size": "…",
  "side": "buy", … }`,
  },
  {
    title: 'Risk management',
    text: 'A hole in the data is an event you can alert on, with its cause and its range.',
    request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"], "types": ["gap"],
  "start": "2026-11-20", "end": "2026-11-21" }`,
    answer: `{ "type": "gap",
  "gap": { "reason": "…", "from_ts": "…",
    "to_ts": "…", "recoverable": true }, … }`,
  },
  {
    title: 'Research',
    text: 'The same cursor gives the same rows tomorrow. Below complete_through, nothing changes.',
    request: `POST /api/v1/trades/list
{ "symbols": ["SPY-USD"],
  "start": "2026-11-19", "end": "2026-11-20",
  "size": { "gte": "1000" } }`,
    answer: `{ "data": [ … ], "has_more": true,
  "next_cursor": "…",
  "complete_through": "2026-11-20T…Z" }`,
  },
]
