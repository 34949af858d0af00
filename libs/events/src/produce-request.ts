import type { ProtocolCall } from './kafka-cluster.ts'
import { type Batch, batchBytesMax, writeRecordBatch } from './record-batch.ts'

export type PartitionBatch = { partition: number; batch: Batch }
type Produced = { partition: number; errorCode: number }
type ProduceAnswer = { partitions: Produced[] }

const PRODUCE_KEY = 0
/** Understood by brokers from 2.1 on, up to the newest. */
const PRODUCE_VERSION = 7
const ALL_REPLICAS = -1
const NULL_TEXT = -1
const HEAD_BYTES_MAX = 300
const PARTITION_HEAD_BYTES = 8

/** A produce request whose batches are written in one pass; answers with an error code for each partition. */
export function produceCall(
  topic: string,
  batches: readonly PartitionBatch[],
  timeoutMs: number,
): ProtocolCall<ProduceAnswer> {
  return {
    request: {
      apiKey: PRODUCE_KEY,
      apiVersion: PRODUCE_VERSION,
      apiName: 'Produce',
      encode: async () => {
        const buffer = encodeRequest(topic, batches, timeoutMs)
        return { buf: buffer, buffer }
      },
    },
    response: { decode: async (payload) => decodeAnswer(payload), parse: async (answer) => answer },
  }
}

function encodeRequest(topic: string, batches: readonly PartitionBatch[], timeoutMs: number): Buffer {
  let size = HEAD_BYTES_MAX
  for (const { batch } of batches) size += PARTITION_HEAD_BYTES + batchBytesMax(batch.messages)
  const out = Buffer.allocUnsafe(size)
  let at = out.writeInt16BE(NULL_TEXT, 0)
  at = out.writeInt16BE(ALL_REPLICAS, at)
  at = out.writeInt32BE(timeoutMs, at)
  at = out.writeInt32BE(1, at)
  at = out.writeInt16BE(Buffer.byteLength(topic), at)
  at += out.write(topic, at)
  at = out.writeInt32BE(batches.length, at)
  for (const { partition, batch } of batches) {
    const from = out.writeInt32BE(partition, at)
    at = writeRecordBatch(out, from + 4, batch)
    out.writeInt32BE(at - from - 4, from)
  }
  return out.subarray(0, at)
}

/** Topics of (name, partitions of (number, error code, offset, time, first offset)), then the throttle time. */
function decodeAnswer(payload: Buffer): ProduceAnswer & { clientSideThrottleTime: number } {
  const partitions: Produced[] = []
  let at = 4
  for (let topics = payload.readInt32BE(0); topics > 0; topics -= 1) {
    at += 2 + payload.readInt16BE(at)
    const count = payload.readInt32BE(at)
    at += 4
    for (let n = 0; n < count; n += 1) {
      partitions.push({ partition: payload.readInt32BE(at), errorCode: payload.readInt16BE(at + 4) })
      at += 30
    }
  }
  return { partitions, clientSideThrottleTime: payload.readInt32BE(at) }
}
