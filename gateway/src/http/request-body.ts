import { BodyTooLarge, type ForwardBody } from '../proxy/forwarded-request.ts'
import { bodyTooLarge, newProblem, type Problem } from '../problems/problem.ts'
import type { GatewayRequest, RequestContext } from './request-context.ts'

/** Bodies up to this size are sent in one piece, which costs less than a stream. */
const COLLECTED_BYTES_MAX = 65_536

/** Bodies are never decompressed: a small one could expand without bound. */
const packed: Problem = {
  ...newProblem('request.media_type_unsupported', 'Send the body as it is, without Content-Encoding.'),
  headers: ['accept-encoding', 'identity', 'connection', 'close'],
}

/** Problem of a body that is rejected unread: its length exceeds the limit, or it is compressed. */
export function bodyProblem({ headers }: GatewayRequest, bytesMax: number): Problem | undefined {
  const { 'content-encoding': encoding, 'content-length': length } = headers
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity' && length !== '0') return packed
  return length !== undefined && Number(length) > bytesMax ? bodyTooLarge : undefined
}

/** Invokes `onBody` with the request's body: null, the whole body when it is small, or a stream that fails at the limit. */
export function readBody(
  context: RequestContext,
  bytesMax: number,
  onBody: (context: RequestContext, body: ForwardBody) => void,
): void {
  const { request } = context
  const { headers, method } = request
  const length = headers['content-length']
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || length === '0')
  if (isEmpty || method === 'GET' || method === 'HEAD') {
    onBody(context, null)
    return
  }
  if (length === undefined || Number(length) > COLLECTED_BYTES_MAX) {
    onBody(context, limited(context, bytesMax))
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const [first] = chunks
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
    context.bytesIn = body.length
    onBody(context, body)
  })
}

async function* limited(context: RequestContext, bytesMax: number): AsyncGenerator<Buffer> {
  const chunks: AsyncIterable<Buffer> = context.request.iterator({ destroyOnReturn: false })
  try {
    for await (const chunk of chunks) {
      context.bytesIn += chunk.length
      if (context.bytesIn > bytesMax) throw new BodyTooLarge('the request body is longer than allowed')
      yield chunk
    }
  } finally {
    // An answer that came first leaves the rest unread: it is discarded, or the client's next request would wait behind it.
    context.request.resume()
  }
}
