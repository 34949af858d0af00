import { crc32c } from './crc32c.ts'

/** One message as offsets into a block of bytes, so that it is copied once: from the source into the request. */
export type Message = { key: number; keyEnd: number; value: number; end: number }
export type Batch = {
  producerId: bigint
  producerEpoch: number
  firstSequence: number
  atMs: number
  block: Buffer
  messages: readonly Message[]
}

const CRC_AT = 17
const ATTRIBUTES_AT = 21
const RECORDS_AT = 61
const LENGTH_COUNTS_FROM = 12
const MAGIC = 2
const NO_LEADER_EPOCH = -1
/** Maximum bytes of varints, attributes and header count around the key and value of one record. */
const RECORD_OVERHEAD_MAX = 24

/** Upper bound, in bytes, of the encoded batch of these messages. */
export function batchBytesMax(messages: readonly Message[]): number {
  let bytes = RECORDS_AT
  for (const { key, end } of messages) bytes += end - key + RECORD_OVERHEAD_MAX
  return bytes
}

/**
 * Writes an uncompressed record batch (https://kafka.apache.org/documentation/#recordbatch).
 * @param at offset in `out`
 * @returns the offset after the batch
 */
export function writeRecordBatch(out: Buffer, at: number, batch: Batch): number {
  const { messages, block } = batch
  const atMs = BigInt(batch.atMs)
  let end = at + RECORDS_AT
  for (let n = 0; n < messages.length; n += 1) end = writeRecord(out, end, { block, message: messages[n], offset: n })
  out.writeBigInt64BE(0n, at)
  out.writeInt32BE(end - at - LENGTH_COUNTS_FROM, at + 8)
  out.writeInt32BE(NO_LEADER_EPOCH, at + 12)
  out.writeInt8(MAGIC, at + 16)
  out.writeInt16BE(0, at + ATTRIBUTES_AT)
  out.writeInt32BE(messages.length - 1, at + 23)
  out.writeBigInt64BE(atMs, at + 27)
  out.writeBigInt64BE(atMs, at + 35)
  out.writeBigInt64BE(batch.producerId, at + 43)
  out.writeInt16BE(batch.producerEpoch, at + 51)
  out.writeInt32BE(batch.firstSequence, at + 53)
  out.writeInt32BE(messages.length, at + 57)
  out.writeUInt32BE(crc32c(out, at + ATTRIBUTES_AT, end), at + CRC_AT)
  return end
}

type Record = { block: Buffer; message: Message | undefined; offset: number }

/** No attributes, no headers, the time of the batch. */
function writeRecord(out: Buffer, at: number, { block, message, offset }: Record): number {
  if (message === undefined) return at
  const { key, keyEnd, value, end } = message
  const keyBytes = keyEnd - key
  const valueBytes = end - value
  const body = 3 + varintBytes(offset) + varintBytes(keyBytes) + keyBytes + varintBytes(valueBytes) + valueBytes
  let to = writeVarint(out, at, body)
  out[to] = 0
  out[to + 1] = 0
  to = writeVarint(out, to + 2, offset)
  to = writeVarint(out, to, keyBytes)
  to += block.copy(out, to, key, keyEnd)
  to = writeVarint(out, to, valueBytes)
  to += block.copy(out, to, value, end)
  out[to] = 0
  return to + 1
}

/** Zigzag varint of a non-negative number. */
function writeVarint(out: Buffer, at: number, value: number): number {
  let remaining = value * 2
  let to = at
  for (; remaining > 0x7f; to += 1) {
    out[to] = (remaining & 0x7f) | 0x80
    remaining >>>= 7
  }
  out[to] = remaining
  return to + 1
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let remaining = value * 2; remaining > 0x7f; remaining >>>= 7) bytes += 1
  return bytes
}
