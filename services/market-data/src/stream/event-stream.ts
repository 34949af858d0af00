import type { ServerResponse } from 'node:http'
import { L2_TYPES, STREAM_TYPE, type StreamQuery, type Subscribe } from '@tapeline/contracts/market-data/stream'
import { invalid } from '../records/filter.ts'
import type { Transport } from './stream-connection.ts'
import type { StreamCaller, StreamServer } from './stream-server.ts'

/** A client that does not read the end is cut after this time. */
const END_TIMEOUT_MS = 5_000
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

/** Sends one subscription as server-sent events until the client goes or the subscription fails. */
export function serveEventStream(
  response: ServerResponse,
  streams: StreamServer,
  { message, ...caller }: StreamCaller & { message: Subscribe },
): void {
  const connection = streams.open(caller, transportOf(response))
  response.on('close', () => connection.close())
  response.on('error', () => connection.close())
  response.writeHead(200, { 'content-type': STREAM_TYPE, 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  void connection.subscribe(message).then((isGoing) => {
    if (!isGoing) connection.end(0, 'failed')
  })
}

function transportOf(response: ServerResponse): Transport {
  return {
    send({ type, json, cursor }) {
      const id = cursor === undefined ? '' : `id: ${cursor}\n`
      response.write(`${id}event: ${type}\ndata: ${json}\n\n`)
    },
    bufferedBytes: () => response.writableLength,
    end() {
      response.end()
      setTimeout(() => response.destroy(), END_TIMEOUT_MS).unref()
    },
    stop() {},
  }
}
