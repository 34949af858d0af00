import type { Connection } from './kafka-cluster.ts'
import { type Batch, batchBytesMax, writeRecordBatch } from './record-batch.ts'

export type PartitionBatch = { partition: number; batch: Batch }
export type Produced = { partition: number; errorCode: number }

const PRODUCE = { apiKey: 0, apiName: 'Produce', apiVersion: 7 } as const
const PRODUCE_TIMEOUT_MS = 10_000
const ALL_REPLICAS = -1
const NULL_TEXT = -1
const LENGTH_BYTES = 4
const HEAD_BYTES_MAX = 600
const PARTITION_HEAD_BYTES = 8
const GROWS_BY_BYTES = 65_536

/**
 * Produce requests to one broker, one at a time. The buffer is reused: allocating one per request caused most of the
 * garbage.
 */
export class ProduceRequests {
  private frame = Buffer.alloc(0)
  private readonly topic: string

  constructor(topic: string) {
    this.topic = topic
  }

  async send(connection: Connection, batches: readonly PartitionBatch[]): Promise<Produced[]> {
    if (!connection.isAuthenticated()) await connection.authenticate()
    connection.failIfNotConnected()
    const correlationId = connection.nextCorrelationId()
    const frame = this.write(batches, { correlationId, clientId: connection.clientId })
    try {
      const { produced, throttleMs } = readAnswer(await answerTo(connection, correlationId, frame))
      connection.requestQueue.maybeThrottle(throttleMs)
      return produced
    } catch (error) {
      // The socket may still be sending these bytes.
      this.frame = Buffer.alloc(0)
      throw error
    }
  }

  private write(batches: readonly PartitionBatch[], head: { correlationId: number; clientId: string }): Buffer {
    const out = this.frameFor(batches)
    let at = out.writeInt16BE(PRODUCE.apiKey, LENGTH_BYTES)
    at = out.writeInt16BE(PRODUCE.apiVersion, at)
    at = out.writeInt32BE(head.correlationId, at)
    at = writeText(out, at, head.clientId)
    at = out.writeInt16BE(NULL_TEXT, at)
    at = out.writeInt16BE(ALL_REPLICAS, at)
    at = out.writeInt32BE(PRODUCE_TIMEOUT_MS, at)
    at = out.writeInt32BE(1, at)
    at = writeText(out, at, this.topic)
    at = out.writeInt32BE(batches.length, at)
    for (const { partition, batch } of batches) {
      const from = out.writeInt32BE(partition, at)
      at = writeRecordBatch(out, from + LENGTH_BYTES, batch)
      out.writeInt32BE(at - from - LENGTH_BYTES, from)
    }
    out.writeInt32BE(at - LENGTH_BYTES, 0)
    return out.subarray(0, at)
  }

  private frameFor(batches: readonly PartitionBatch[]): Buffer {
    let size = HEAD_BYTES_MAX
    for (const { batch } of batches) size += PARTITION_HEAD_BYTES + batchBytesMax(batch.messages)
    if (size > this.frame.length) this.frame = Buffer.allocUnsafeSlow(size + GROWS_BY_BYTES)
    return this.frame
  }
}

async function answerTo({ requestQueue, socket }: Connection, correlationId: number, frame: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<{ payload: Buffer }>()
  requestQueue.push({
    entry: { ...PRODUCE, correlationId, resolve, reject },
    expectResponse: true,
    requestTimeout: null,
    sendRequest: () => socket.write(frame),
  })
  return (await promise).payload
}

function writeText(out: Buffer, at: number, text: string): number {
  const from = out.writeInt16BE(Buffer.byteLength(text), at)
  return from + out.write(text, from)
}

/** Topics of (name, partitions of (number, error code, offset, time, first offset)), then the throttle time. */
function readAnswer(payload: Buffer): { produced: Produced[]; throttleMs: number } {
  const produced: Produced[] = []
  let at = 4
  for (let topics = payload.readInt32BE(0); topics > 0; topics -= 1) {
    at += 2 + payload.readInt16BE(at)
    const count = payload.readInt32BE(at)
    at += 4
    for (let n = 0; n < count; n += 1) {
      produced.push({ partition: payload.readInt32BE(at), errorCode: payload.readInt16BE(at + 4) })
      at += 30
    }
  }
  return { produced, throttleMs: payload.readInt32BE(at) }
}
