import type { Exchange, GatewayRequest } from './exchange.ts'
import { type Body, BodyTooLarge } from './forward.ts'

/** Bodies up to this size are sent in one piece, which costs less than a stream. */
const COLLECTED_BYTES_MAX = 65_536

/** True when a body is announced that is longer than allowed: it is not read at all. */
export function isBodyTooLong({ headers }: GatewayRequest, bytesMax: number): boolean {
  return Number(headers['content-length'] ?? 0) > bytesMax
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
  for await (const chunk of chunks) {
    exchange.bytesIn += chunk.length
    if (exchange.bytesIn > bytesMax) throw new BodyTooLarge('the request body is longer than allowed')
    yield chunk
  }
}
