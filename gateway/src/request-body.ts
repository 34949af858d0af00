import type { Exchange, GatewayRequest } from './exchange.ts'
import { type Body, BodyTooLarge, bodyTooLarge } from './forward.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Bodies up to this size are sent in one piece, which costs less than a stream. */
const COLLECTED_BYTES_MAX = 65_536

/** Nothing here unpacks: what is small on the way in could be without end inside. */
const packed: Refusal = {
  ...refusal('request.media_type_unsupported', 'Send the body as it is, without Content-Encoding.'),
  headers: ['accept-encoding', 'identity', 'connection', 'close'],
}

/** Why a body is not even read: it is announced as longer than allowed, or as packed. */
export function bodyRefusal({ headers }: GatewayRequest, bytesMax: number): Refusal | undefined {
  const { 'content-encoding': encoding, 'content-length': length } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && length !== '0') return packed
  return length !== undefined && Number(length) > bytesMax ? bodyTooLarge : undefined
}

/** Hands over the request's body: nothing, all of it when it is small, or a stream that ends at the limit. */
export function readBody(exchange: Exchange, bytesMax: number, onBody: (exchange: Exchange, body: Body) => void): void {
  const { request } = exchange
  const { headers, method } = request
  const length = headers['content-length']
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || length === '0')
  if (isEmpty || method === 'GET' || method === 'HEAD') {
    onBody(exchange, null)
    return
  }
  if (length === undefined || Number(length) > COLLECTED_BYTES_MAX) {
    onBody(exchange, limited(exchange, bytesMax))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    exchange.bytesIn = body.length
    onBody(exchange, body)
  })
}

async function* limited(exchange: Exchange, bytesMax: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = exchange.request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks) {
      exchange.bytesIn += chunk.length
      if (exchange.bytesIn > bytesMax) throw new BodyTooLarge('the request body is longer than allowed')
      yield chunk
    }
  } finally {
    // An answer that came first leaves the rest unread: it is discarded, or the client's next request would wait behind it.
    exchange.request.resume()
  }
}
