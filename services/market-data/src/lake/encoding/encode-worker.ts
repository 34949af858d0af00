import { parentPort } from 'node:worker_threads'
import { buildFile } from './build-file.ts'
import { copyLines } from './copy-lines.ts'
import { encodeDay } from './encode-day.ts'
import type { FromEncoder, ToEncoder } from './encoder-messages.ts'
import { createPasses, type Passes } from './passes.ts'
import { buffersOf } from './trade-chunk.ts'

/** The worker thread of encoder.ts: keeps CPU-bound encoding off the main thread, which serves requests. */
const port = parentPort
if (port === null) throw new Error('encode-worker runs as a worker thread')
const open = new Map<number, Passes>()

port.on('message', (message: ToEncoder) => {
  if (message.kind === 'part') open.get(message.id)?.push(message.bytes)
  else if (message.kind === 'abandon') open.get(message.id)?.abandon()
  else void answer(message)
})

async function answer(message: Extract<ToEncoder, { kind: 'day' | 'rows' }>): Promise<void> {
  const { id } = message
  try {
    if (message.kind === 'day') {
      const day = await encodeDay(message.day)
      const { records } = message.day
      const returned = records.channel === 'trade' ? records.chunks.flatMap(buffersOf) : []
      send({ id, kind: 'day', day, records }, [...(day.file === undefined ? [] : [day.file.bytes.buffer]), ...returned])
    } else {
      const passes = createPasses(() => send({ id, kind: 'taken' }))
      open.set(id, passes)
      const file = await buildFile(message.channel, () => copyLines(passes.next()))
      send({ id, kind: 'file', file }, [file.bytes.buffer])
    }
  } catch (error) {
    send({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    open.delete(id)
  }
}

function send(message: FromEncoder, moved: ArrayBuffer[] = []): void {
  port?.postMessage(message, moved)
}
