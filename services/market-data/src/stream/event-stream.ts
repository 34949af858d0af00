import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { L2_TYPES, STREAM_TYPE, type StreamQuery, type Subscribe } from '@tapeline/contracts/market-data/stream'
import { invalid } from '../records/filter.ts'
import { connectionEnded } from './subscription-problems.ts'
import type { Transport } from './stream-connection.ts'
import type { StreamCaller, StreamServer } from './stream-server.ts'

/** A client that does not read the end of the stream is disconnected after this time. */
const END_TIMEOUT_MS = 5_000
/**
 * If a subscription waits longer for its turn or the store, it fails with an event, because the gateway times out after
 * 5 s.
 */
const ANSWER_WITHIN_MS = 3_000
/** The one subscription of a connection. */
const ID = 'stream'

/** The subscription of a query; `lastEventId` is the cursor of the last event that the client has. */
export function subscribeOf(query: StreamQuery, lastEventId: string | undefined): Subscribe {
  const { channel = 'trades', venues, symbols, types, cursor, ...rest } = query
  const place = lastEventId ?? cursor
  return {
    op: 'subscribe',
    id: ID,
    channel,
    ...rest,
    ...(venues === undefined ? {} : { venues: venues.split(',') }),
    ...(symbols === undefined ? {} : { symbols: symbols.split(',') }),
    ...(types === undefined ? {} : { types: typesOf(types) }),
    ...(place === undefined ? {} : { cursor: place }),
  }
}

function typesOf(text: string): NonNullable<Subscribe['types']> {
  return text.split(',').map((name) => {
    const type = L2_TYPES.find((one) => one === name)
    if (type === undefined) throw invalid('/types', 'enum', L2_TYPES.join(', '))
    return type
  })
}

/**
 * Sends one subscription as server-sent events until the client disconnects or the subscription fails. `onBegin` is
 * called before the response is written.
 * @throws AppError if the subscription cannot begin; nothing has been written then
 */
export async function serveEventStream(
  response: ServerResponse,
  streams: StreamServer,
  { message, onBegin, ...caller }: StreamCaller & { message: Subscribe; onBegin: () => void },
): Promise<void> {
  const connection = streams.open(caller, transportOf(response))
  response.on('close', () => connection.close())
  response.on('error', () => connection.close())
  const starting = connection.start(message)
  try {
    await settledOrLate(starting)
    if (connection.isEnded) throw connectionEnded()
  } catch (error) {
    connection.close()
    throw error
  }
  onBegin()
  response.writeHead(200, { 'content-type': STREAM_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  void connection.follow(message, starting).then((isGoing) => {
    if (!isGoing) connection.end(0, 'failed')
  })
}

/** @throws the error of a subscription that fails within this time */
async function settledOrLate(starting: Promise<unknown>): Promise<void> {
  const settled = new AbortController()
  try {
    await Promise.race([starting, delay(ANSWER_WITHIN_MS, undefined, { signal: settled.signal })])
  } finally {
    settled.abort()
  }
}

/** Nothing is sent before the response has begun, because until then it may still be replaced by a problem. */
function transportOf(response: ServerResponse): Transport {
  return {
    send({ type, json, cursor }) {
      if (!response.headersSent) return
      const id = cursor === undefined ? '' : `id: ${cursor}\n`
      response.write(`${id}event: ${type}\ndata: ${json}\n\n`)
    },
    bufferedBytes: () => response.writableLength,
    end() {
      if (!response.headersSent) return
      response.end()
      setTimeout(() => response.destroy(), END_TIMEOUT_MS).unref()
    },
    stop() {},
  }
}
