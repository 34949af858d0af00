import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { SAMPLED_EVERY } from './processes.ts'

/**
 * Clients in a separate process: raw sockets whose frames are counted, not parsed. One in SAMPLED_EVERY parses its messages and
 * counts its records, the delay of the first record of each batch since its `ts_recv`, and missing sequences.
 */
type Open = { count: number; port: number; headers: string; texts: string[]; kind: 'websocket' | 'redis' }

const OPENED_AT_ONCE = 100
/** Where the type of a message begins, and the first letters of `subscribed`, `heartbeat` and `catch_up`. */
const KIND_AT = '{"type":"'.length
const OTHER_KINDS: ReadonlySet<number> = new Set(Buffer.from('shc'))
const counts = { frames: 0, bytes: 0, sampledClients: 0, sampledRecords: 0, missing: 0 }
let delaysMs: number[] = []
const sockets: Socket[] = []

process.on('disconnect', () => process.exit())
process.on('message', async (message: { open?: Open; send?: string; report?: true; close?: true }) => {
  if (message.open !== undefined) await openAll(message.open)
  if (message.send !== undefined) for (const socket of sockets) socket.write(maskedFrame(message.send))
  if (message.close !== undefined) {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0
    delaysMs = []
  }
  process.send?.({ ...counts, delaysMs })
})

async function openAll({ count, texts, ...options }: Open): Promise<void> {
  for (let from = 0; from < count; from += OPENED_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(OPENED_AT_ONCE, count - from) }, (_value, index) => from + index)
    await Promise.all(numbers.map((number) => open(number, texts[number % texts.length] ?? '', options)))
  }
}

function open(number: number, text: string, { port, headers, kind }: Omit<Open, 'count' | 'texts'>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', reject)
  socket.once('close', () => reject(new Error('a connection was closed')))
  if (kind === 'redis') {
    socket.write(text)
    socket.on('data', (chunk) => {
      counts.bytes += chunk.length
      resolve()
    })
    return promise
  }
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nhost: bench\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
      `sec-websocket-key: ${key}\r\n${headers}\r\n`,
  )
  const take = number % SAMPLED_EVERY === 0 ? createSampler() : undefined
  if (take !== undefined) counts.sampledClients += 1
  const frames = createFrameReader(take)
  let head = ''
  socket.on('data', function receive(chunk: Buffer) {
    head += chunk.toString('latin1')
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    if (!head.startsWith('HTTP/1.1 101')) return reject(new Error(head))
    socket.off('data', receive)
    if (text !== '') socket.write(maskedFrame(text))
    const onFrames = (bytes: Buffer): void => {
      const isFirst = frames(bytes)
      if (isFirst) resolve()
    }
    socket.on('data', onFrames)
    const remaining = Buffer.from(head.slice(end + 4), 'latin1')
    if (remaining.length > 0) onFrames(remaining)
    if (text === '') resolve()
  })
  return promise
}

/** Counts the frames of a server except control messages of the stream; returns true when a frame is complete. */
function createFrameReader(take: ((text: string) => void) | undefined): (chunk: Buffer) => boolean {
  let waiting = Buffer.alloc(0)
  let skip = 0
  /** Takes one frame, or the part that is needed to count it; undefined if more bytes are needed. */
  const takeFrame = (bytes: Buffer): Buffer | undefined => {
    const [head, length] = [headLength(bytes), frameLength(bytes)]
    if (length === undefined || bytes.length < (take === undefined ? Math.min(length, head + KIND_AT + 1) : length))
      return
    if (!OTHER_KINDS.has(bytes[head + KIND_AT] ?? 0)) counts.frames += 1
    take?.(bytes.toString('utf8', head, length))
    skip = Math.max(0, length - bytes.length)
    return bytes.subarray(Math.min(length, bytes.length))
  }
  return (chunk) => {
    counts.bytes += chunk.length
    const skipped = Math.min(skip, chunk.length)
    skip -= skipped
    let hasEnded = skipped > 0 && skip === 0
    let bytes = waiting.length === 0 ? chunk.subarray(skipped) : Buffer.concat([waiting, chunk])
    for (let remaining = takeFrame(bytes); remaining !== undefined; remaining = takeFrame(bytes)) {
      bytes = remaining
      hasEnded = skip === 0
    }
    waiting = Buffer.from(bytes)
    return hasEnded
  }
}

function headLength(bytes: Buffer): number {
  const length = (bytes[1] ?? 0) & 0x7f
  return length === 127 ? 10 : length === 126 ? 4 : 2
}

/** Length of header and payload; undefined until the header is complete. */
function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2 || bytes.length < headLength(bytes)) return undefined
  const length = (bytes[1] ?? 0) & 0x7f
  if (length === 127) return 10 + Number(bytes.readBigUInt64BE(2))
  return length === 126 ? 4 + bytes.readUInt16BE(2) : 2 + length
}

function createSampler(): (text: string) => void {
  let last: number | undefined
  return (text) => {
    if (!text.startsWith('{"type":"trades"')) return
    const { data } = JSON.parse(text) as { data: { sequence: string; ts_recv: string }[] }
    counts.sampledRecords += data.length
    for (const { sequence } of data) {
      if (last !== undefined && Number(sequence) !== last + 1) counts.missing += 1
      last = Number(sequence)
    }
    const [first] = data
    if (first !== undefined) delaysMs.push(Date.now() - Date.parse(first.ts_recv))
  }
}

/** A masked frame, as clients must send; the mask is zero, so the payload is unchanged. */
function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const head = payload.length < 126 ? Buffer.alloc(6) : payload.length < 65_536 ? Buffer.alloc(8) : Buffer.alloc(14)
  head[0] = 0x81
  if (head.length === 6) head[1] = 0x80 | payload.length
  else if (head.length === 8) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(payload.length, 2)
  } else {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(payload.length), 2)
  }
  return Buffer.concat([head, payload])
}
