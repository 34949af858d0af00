import type { ChannelName } from '../../tables.ts'
import type { WrittenFile } from '../files/write-file.ts'
import type { DayToEncode, EncodedDay } from './encode-day.ts'
import { createEncoderThread } from './encoder-thread.ts'
import { buffersOf } from './trade-chunk.ts'

/** Encodes and verifies files in a separate thread, so that requests are answered in the meantime. */
export type Encoder = {
  /**
   * Encodes a day. Transfers the memory of `records` to the thread and restores it afterwards.
   * @throws DamagedFile if the encoded file does not decode to the same rows
   */
  encodeDay: (day: DayToEncode) => Promise<EncodedDay>
  /** Encodes rows in COPY format that are sorted in file order; `rows` is read twice. */
  encodeRows: (channel: ChannelName, rows: () => AsyncIterable<Uint8Array>) => Promise<WrittenFile>
}

/** Maximum number of parts (about 64 KB each) queued in the thread. */
const PARTS_WAITING_MAX = 32

export function createEncoder(): Encoder {
  const { request } = createEncoderThread()
  return {
    async encodeDay(day) {
      const { id, answer, send } = request()
      const { records } = day
      send({ id, kind: 'day', day }, records.channel === 'trade' ? records.chunks.flatMap(buffersOf) : [])
      const result = await answer
      if (result.kind !== 'day') throw new Error('the encoder answered another request')
      Object.assign(records, result.records)
      return result.day
    },
    async encodeRows(channel, rows) {
      const room = createRoom(PARTS_WAITING_MAX)
      const { id, answer, send } = request(() => room.release())
      answer.catch(() => room.close())
      send({ id, kind: 'rows', channel })
      try {
        for (let pass = 0; pass < 2; pass += 1) {
          for await (const bytes of rows()) {
            if (!(await room.enter())) break
            send({ id, kind: 'part', bytes })
          }
          send({ id, kind: 'part', bytes: undefined })
        }
      } catch (error) {
        send({ id, kind: 'abandon' })
        throw error
      }
      const result = await answer
      if (result.kind !== 'file') throw new Error('the encoder answered another request')
      return result.file
    },
  }
}

/** A semaphore; `enter` waits for a free place, and resolves to false once closed. */
function createRoom(size: number) {
  const waiting: ((isOpen: boolean) => void)[] = []
  let inside = 0
  let isOpen = true
  return {
    async enter(): Promise<boolean> {
      inside += 1
      if (!isOpen || inside <= size) return isOpen
      return new Promise((resolve) => waiting.push(resolve))
    },
    release(): void {
      inside -= 1
      waiting.shift()?.(true)
    },
    close(): void {
      isOpen = false
      for (const resolve of waiting.splice(0)) resolve(false)
    },
  }
}
