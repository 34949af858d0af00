export type UseCase = { title: string; text: string; request: string; answer: string }

const DAY_MS = 86_400_000

/** Requests of the contract, about the last days, and what they answer; values that only a live answer has are an ellipsis. */
export function useCasesOf(nowMs: number): readonly UseCase[] {
  const [today, yesterday, dayBefore] = [0, 1, 2].map((days) => dayOf(nowMs - days * DAY_MS))
  return [
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
  "end": "${yesterday}T21:00:00Z", "limit": 1 }`,
      answer: `{ "id": "venue:BTC-USDT:…",
  "ts_event": "${yesterday}T20:59:59.…Z",
  "price": "…", "size": "…",
  "side": "buy", … }`,
    },
    {
      title: 'Risk management',
      text: 'A hole in the data is an event you can alert on, with its cause and its range.',
      request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"], "types": ["gap"],
  "start": "${yesterday}", "end": "${today}" }`,
      answer: `{ "type": "gap",
  "gap": { "reason": "…", "from_ts": "…",
    "to_ts": "…", "recoverable": false }, … }`,
    },
    {
      title: 'Research',
      text: 'The same cursor gives the same rows tomorrow. Below complete_through, nothing changes.',
      request: `POST /api/v1/trades/list
{ "symbols": ["SPY-USD"],
  "start": "${dayBefore}", "end": "${yesterday}",
  "size": { "gte": "10" } }`,
      answer: `{ "data": [ … ], "has_more": true,
  "next_cursor": "…",
  "complete_through": "${yesterday}T…Z" }`,
    },
  ]
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
