import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type RawStream = {
  socket: Socket
  /** Status of the answer to the handshake. */
  status: number
  /** Code of the platform's close frame; undefined if there was none. */
  closeCode: () => number | undefined
  /** Texts of the messages received so far. */
  texts: () => string[]
  isClosed: () => boolean
}
export type FrameParts = { opcode: number; payload?: Buffer; isFinal?: boolean; isMasked?: boolean; reserved?: number }

const TEXT = 1
const CLOSE = 8
const HEAD_END = Buffer.from('\r\n\r\n')

/** A raw WebSocket client that may violate the protocol. */
export async function openRawStream(url: string, headers: Record<string, string>, query = ''): Promise<RawStream> {
  const { hostname: host, port } = new URL(url)
  const socket = connect({ host, port: Number(port) })
  const received: Buffer[] = []
  let isClosed = false
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => {})
  socket.on('close', () => (isClosed = true))
  await once(socket, 'connect')
  const lines = Object.entries({
    host,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'sec-websocket-protocol': 'tapeline.v1',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`GET /api/v1/stream${query} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const all = () => Buffer.concat(received)
  while (!isClosed && !all().includes(HEAD_END)) await Promise.race([once(socket, 'data'), once(socket, 'close')])
  const status = Number(all().toString('latin1', 9, 12))
  const frames = () => framesIn(all().subarray(all().indexOf(HEAD_END) + HEAD_END.length))
  return {
    socket,
    status,
    closeCode: () =>
      frames()
        .find(({ opcode }) => opcode === CLOSE)
        ?.payload.readUInt16BE(0),
    texts: () => frames().flatMap(({ opcode, payload }) => (opcode === TEXT ? [payload.toString()] : [])),
    isClosed: () => isClosed,
  }
}

/** One frame as a client sends it. */
export function frame({ opcode, payload = Buffer.alloc(0), ...parts }: FrameParts): Buffer {
  const { isFinal = true, isMasked = true, reserved = 0 } = parts
  const mask = randomBytes(4)
  const header = lengthHeader(payload.length, isMasked)
  header[0] = (isFinal ? 0x80 : 0) | reserved | opcode
  if (!isMasked) return Buffer.concat([header, payload])
  return Buffer.concat([header, mask, payload.map((byte, n) => byte ^ (mask[n % 4] ?? 0))])
}

export function textFrame(message: object): Buffer {
  return frame({ opcode: TEXT, payload: Buffer.from(JSON.stringify(message)) })
}

/** The beginning of a frame that announces a length, without its payload. */
export function announced(length: number): Buffer {
  const header = lengthHeader(length, true)
  header[0] = 0x80 | TEXT
  return Buffer.concat([header, randomBytes(4)])
}

function lengthHeader(length: number, isMasked: boolean): Buffer {
  const flag = isMasked ? 0x80 : 0
  if (length < 126) return Buffer.from([0, flag | length])
  const header = Buffer.alloc(length < 65_536 ? 4 : 10)
  header[1] = flag | (length < 65_536 ? 126 : 127)
  if (length < 65_536) header.writeUInt16BE(length, 2)
  else header.writeBigUInt64BE(BigInt(length), 2)
  return header
}

/** Whole frames without a mask. */
function framesIn(bytes: Buffer): { opcode: number; payload: Buffer }[] {
  const frames: { opcode: number; payload: Buffer }[] = []
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = (bytes[at + 1] ?? 0) & 0x7f
    if (short >= 126 && at + 4 > bytes.length) break
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Infinity
    const from = at + (short < 126 ? 2 : 4)
    if (from + length > bytes.length) break
    frames.push({ opcode: (bytes[at] ?? 0) & 0x0f, payload: bytes.subarray(from, from + length) })
    at = from + length
  }
  return frames
}
