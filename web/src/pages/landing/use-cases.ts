export type UseCase = { title: string; text: string; request: string; answer: string }

/**
 * Requests of the contract with answers from recorded trading days: Binance spot on 8 August 2024 and SPY on 7 October 2013.
 * Fields that do not matter to the question are left out and marked by an ellipsis.
 */
export const USE_CASES: readonly UseCase[] = [
  {
    title: 'Algorithmic trading',
    text: 'Read the book as the venue sent it: one event per message, never half applied.',
    request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"],
  "types": ["update"], "depth": 1, "limit": 1 }`,
    answer: `{ "type": "update",
  "venue_first_id": "50093239208",
  "venue_last_id": "50093239224",
  "bids": [["61837.63", "3.78826"]],
  "asks": [["61837.64", "1.6052"]], … }`,
  },
  {
    title: 'Portfolio management',
    text: 'Mark positions to the print at your cut-off, with the price as the venue wrote it.',
    request: `POST /api/v1/trades/list
{ "symbols": ["BTC-USDT"], "order": "desc",
  "end": "2024-08-08T23:54:15.5Z", "limit": 1 }`,
    answer: `{ "id": "binance:BTC-USDT:3735683259",
  "ts_event": "2024-08-08T23:54:15.342000000Z",
  "price": "61837.63", "size": "0.02",
  "side": "sell", … }`,
  },
  {
    title: 'Risk management',
    text: 'A hole in the data is an event you can alert on, with its cause and its range. These 6,493 updates had none.',
    request: `POST /api/v1/l2events/list
{ "symbols": ["BTC-USDT"], "types": ["gap"],
  "start": "2024-08-08", "end": "2024-08-10" }`,
    answer: `{ "data": [],
  "has_more": false,
  "next_cursor": null, … }`,
  },
  {
    title: 'Research',
    text: 'The same cursor gives the same rows tomorrow. Below complete_through, nothing changes.',
    request: `POST /api/v1/trades/list
{ "symbols": ["SPY"],
  "start": "2013-10-07", "end": "2013-10-08",
  "size": { "gte": "3000000" } }`,
    answer: `{ "data": [ {
    "ts_event": "2013-10-07T20:00:00.735000000Z",
    "price": "167.42", "size": "3166418", … } ],
  "has_more": false, "complete_through": … }`,
  },
]
