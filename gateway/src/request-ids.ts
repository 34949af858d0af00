import { randomFillSync } from 'node:crypto'

const ID_BYTES = 16
const IDS_AHEAD = 256
const SPAN_ID_AT = 16

const pool = Buffer.allocUnsafeSlow(ID_BYTES * IDS_AHEAD)
let used = pool.length

/** 32 hex digits, which are also the trace id. Random bytes are made many at a time. */
export function newRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const text = pool.toString('hex', used, used + ID_BYTES)
  used += ID_BYTES
  return text
}

/** The gateway's span is named by the end of the id: whoever knows a request, as audit does, can hang a span below it. */
export function spanIdOf(requestId: string): string {
  return requestId.slice(SPAN_ID_AT)
}
