import { t } from '@lingui/core/macro'

export type UseCase = { title: string; text: string; request: string; answer: string }

/** Example requests and answers; an ellipsis replaces values that differ in each installation. */
export function useCases(): readonly UseCase[] {
  return [
    {
      title: t`Algorithmic trading`,
      text: t`Read the book as the venue sent it: one event per message, never partially applied.`,
      request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"],
  "types": ["update"], "depth": 1, "limit": 1 }`,
      answer: `{ "type": "update",
  "sequence": "…", "prev_sequence": "…",
  "bids": [["price", "size"]],
  "asks": [["price", "size"]], … }`,
    },
    {
      title: t`Portfolio management`,
      text: t`Value positions at the last trade before your cut-off, at the price that the venue reported.`,
      request: `POST /api/v1/trades/list
{ "symbols": ["BTC-USDT"], "order": "desc",
  "end": "…T21:00:00Z", "limit": 1 }`,
      answer: `{ "id": "venue:BTC-USDT:…",
  "ts_event": "…T20:59:59.…Z",
  "price": "…", "size": "…",
  "side": "buy", … }`,
    },
    {
      title: t`Risk management`,
      text: t`A gap in the data is an event that you can alert on, with its cause and time range.`,
      request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"], "types": ["gap"],
  "start": "…" }`,
      answer: `{ "type": "gap",
  "gap": { "reason": "…", "from_ts": "…",
    "to_ts": "…", "recoverable": false }, … }`,
    },
    {
      title: t`Research`,
      text: t`Data before complete_through does not change, so the same query returns the same rows tomorrow.`,
      request: `POST /api/v1/trades/list
{ "symbols": ["SPY-USD"],
  "start": "…", "end": "…",
  "size": { "gte": "10" } }`,
      answer: `{ "data": [ … ], "has_more": true,
  "next_cursor": "…",
  "complete_through": "…T…Z" }`,
    },
  ]
}
