const FINAL = 0x80
const LENGTH_16 = 126
const TEXT = 1
const CLOSE = 8
const PING = 9
const LENGTH_7_MAX = 125
const REASON_BYTES_MAX = 123

export const PING_FRAME: Buffer = frame(PING, Buffer.alloc(0))

export function textFrame(text: string): Buffer {
  return frame(TEXT, Buffer.from(text))
}

/** `reason`: ASCII, cut to the maximum length of a close frame. */
export function closeFrame(code: number, reason: string): Buffer {
  const payload = Buffer.from(`  ${reason.slice(0, REASON_BYTES_MAX)}`, 'latin1')
  payload.writeUInt16BE(code)
  return frame(CLOSE, payload)
}

/** A final frame without a mask, as servers send it; payloads up to 65,535 bytes. */
function frame(opcode: number, payload: Buffer): Buffer {
  const isShort = payload.length <= LENGTH_7_MAX
  const header = Buffer.alloc(isShort ? 2 : 4)
  header[0] = FINAL | opcode
  header[1] = isShort ? payload.length : LENGTH_16
  if (!isShort) header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}
