import { randomFillSync } from 'node:crypto'

const ID_BYTES = 24
const IDS_AHEAD = 256
const REQUEST_ID_CHARACTERS = 32

const pool = Buffer.allocUnsafeSlow(ID_BYTES * IDS_AHEAD)
let used = pool.length

/** 48 hex digits: request id, which is also the trace id (32), and span id (16). Random bytes are made many at a time. */
export function newRequestIds(): { requestId: string; spanId: string } {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const text = pool.toString('hex', used, used + ID_BYTES)
  used += ID_BYTES
  return { requestId: text.slice(0, REQUEST_ID_CHARACTERS), spanId: text.slice(REQUEST_ID_CHARACTERS) }
}
