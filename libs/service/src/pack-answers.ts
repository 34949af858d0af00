import { constants, gzip } from 'node:zlib'
import type { Server } from './create-server.ts'

/** Smaller bodies: compression costs more than it saves. */
const PACKED_FROM_BYTES = 2_048
const JSON_TYPE = /^application\/(problem\+)?json\b/

/**
 * Compresses long JSON responses off the main thread for clients that accept gzip; the gateway forwards them as they
 * are. Streams are not compressed: buffering would delay their events.
 */
export function packAnswers(app: Server): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || reply.hasHeader('content-encoding') || !JSON_TYPE.test(String(reply.getHeader('content-type')))) {
      done(null, payload)
      return
    }
    reply.header('vary', 'accept-encoding')
    if (Buffer.byteLength(payload) < PACKED_FROM_BYTES || !acceptsGzip(request.headers['accept-encoding'])) {
      done(null, payload)
      return
    }
    gzip(payload, { level: constants.Z_BEST_SPEED }, (error, packed) => {
      if (error === null) reply.header('content-encoding', 'gzip')
      done(null, error === null ? packed : payload)
    })
  })
}

/** RFC 9110, 12.5.3: `gzip` or `*` is listed, with a weight other than zero. */
function acceptsGzip(accepted: string | string[] | undefined): boolean {
  if (accepted === undefined) return false
  const weights = new Map(
    String(accepted)
      .split(',')
      .map((entry) => {
        const [name = '', weight = '1'] = entry.toLowerCase().split(/;\s*q=/, 2)
        return [name.trim(), Number(weight)]
      }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
