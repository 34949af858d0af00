import { brotliCompress, constants, gzip, zstdCompress, zstdCompressSync } from 'node:zlib'
import type { Server } from './create-server.ts'

/** Smaller bodies: compression costs more than it saves. */
const PACKED_FROM_BYTES = 2_048
const JSON_TYPE = /^application\/(problem\+)?json\b/

type Done = (error: Error | null, packed: Buffer) => void
type Pack = (body: string | Buffer, done: Done) => void

/** A window of 128 KB instead of 512: the result is as small, and less memory is allocated and cleared for each body. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: 17 } }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const GZIP = { level: constants.Z_BEST_SPEED }
/** Smaller bodies are compressed on the main thread: handing them to another one and back takes longer. */
const AT_ONCE_BYTES_MAX = 512 * 1024
const CHUNK_BYTES = { least: 4 * 1024, most: 64 * 1024 }

/** By encoding, cheapest first: of a page of 1,000 trades zstd takes 0.3 ms, brotli 0.5, gzip 0.8; all give about 10 %. */
const PACKERS = new Map<string, Pack>([
  ['zstd', packZstd],
  ['br', (body, done) => brotliCompress(body, { ...BROTLI, ...chunkOf(body) }, done)],
  ['gzip', (body, done) => gzip(body, { ...GZIP, ...chunkOf(body) }, done)],
])

function packZstd(body: string | Buffer, done: Done): void {
  const options = { ...ZSTD, ...chunkOf(body) }
  if (Buffer.byteLength(body) <= AT_ONCE_BYTES_MAX) done(null, zstdCompressSync(body, options))
  else zstdCompress(body, options, done)
}

/** Room for the result, which is usually a tenth of the body: each further chunk is another call of zlib. */
function chunkOf(body: string | Buffer): { chunkSize: number } {
  const { least, most } = CHUNK_BYTES
  return { chunkSize: Math.max(least, Math.min(most, Math.ceil(Buffer.byteLength(body) / 4))) }
}

/**
 * Compresses long JSON responses with the encoding that the client prefers; the gateway forwards them as they are. Streams
 * are not compressed: buffering would delay their events.
 */
export function packAnswers(app: Server): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (!isWhole || reply.hasHeader('content-encoding') || !JSON_TYPE.test(String(reply.getHeader('content-type')))) {
      done(null, payload)
      return
    }
    reply.header('vary', 'accept-encoding')
    const encoding = encodingFor(request.headers['accept-encoding'])
    const pack = encoding === undefined ? undefined : PACKERS.get(encoding)
    if (pack === undefined || Buffer.byteLength(payload) < PACKED_FROM_BYTES) {
      done(null, payload)
      return
    }
    pack(payload, (error, packed) => {
      if (error === null) reply.header('content-encoding', encoding)
      done(null, error === null ? packed : payload)
    })
  })
}

/** RFC 9110, 12.5.3: the listed encoding with the highest weight, the cheapest of equals; `*` alone means gzip. */
function encodingFor(accepted: string | string[] | undefined): string | undefined {
  if (accepted === undefined) return undefined
  const weights = new Map(
    String(accepted)
      .split(',')
      .map((entry) => {
        const [name = '', weight = '1'] = entry.toLowerCase().split(/;\s*q=/, 2)
        return [name.trim(), Number(weight)]
      }),
  )
  const weightOf = (name: string) => weights.get(name) ?? (name === 'gzip' ? weights.get('*') : undefined) ?? 0
  const [best] = [...PACKERS.keys()].toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}
