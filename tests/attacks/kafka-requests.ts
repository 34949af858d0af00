const METADATA = 3
const HANDSHAKE = 17
const AUTHENTICATE = 36

/** Requests the list of topics, the usual first step of an attacker. */
export function metadataRequest(): Buffer {
  return request(METADATA, 0, int32(0))
}

export function handshakeRequest(): Buffer {
  return request(HANDSHAKE, 1, text('PLAIN'))
}

export function authenticateRequest(user: string, password: string): Buffer {
  const bytes = Buffer.from(`\0${user}\0${password}`)
  return request(AUTHENTICATE, 0, Buffer.concat([int32(bytes.length), bytes]))
}

function request(key: number, version: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeInt16BE(key, 0)
  head.writeInt16BE(version, 2)
  head.writeInt32BE(1, 4)
  const whole = Buffer.concat([head, text('anonymous'), body])
  return Buffer.concat([int32(whole.length), whole])
}

function text(value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeInt16BE(value.length)
  return Buffer.concat([length, Buffer.from(value)])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
