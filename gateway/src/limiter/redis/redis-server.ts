import { connect, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectEncrypted } from 'node:tls'
import { type SentinelAddress, sentinelsOf } from '@tapeline/service/redis-nodes'
import { MalformedReply, type RespReader } from './resp.ts'

export type ServerAddress = { host: string; port: number }

export type RedisAddress = {
  username: string
  password: string
  /** Empty: the first. */
  database: string
  isEncrypted: boolean
} & ({ server: ServerAddress; sentinels?: undefined } | { server?: undefined; sentinels: SentinelAddress })

const PORT = 6_379
const SCHEMES = new Set(['redis:', 'rediss:'])
const READ_BYTES = 65_536

/** All connections read into the same block: it is parsed, or copied, before the next read. */
const block = Buffer.allocUnsafeSlow(READ_BYTES)

/** Parses REDIS_URL: one server, or the Sentinels that name it. */
export function readRedisAddress(text: string): RedisAddress {
  const sentinels = sentinelsOf(text)
  if (sentinels !== undefined) {
    const { username, password, isEncrypted } = sentinels
    return { username, password, database: '', isEncrypted, sentinels }
  }
  const { protocol, hostname, port, username, password, pathname } = new URL(text)
  if (!SCHEMES.has(protocol))
    throw new Error('REDIS_URL must begin with redis://, rediss://, redis+sentinel:// or rediss+sentinel://')
  return {
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    isEncrypted: protocol === 'rediss:',
    server: { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? PORT : Number(port) },
  }
}

/** A connection to a Redis or Sentinel whose bytes go to the reader; bytes that are not RESP2 end it. */
export function openSocket({ host, port }: ServerAddress, isEncrypted: boolean, reader: RespReader): Socket {
  const read = (chunk: Buffer, bytes: number): boolean => {
    try {
      reader.read(chunk, bytes)
    } catch (error) {
      if (!(error instanceof MalformedReply)) throw error
      socket.destroy(error)
    }
    return true
  }
  const to = { host, port, noDelay: true }
  const onread: OnReadOpts = { buffer: block, callback: (bytes) => read(block, bytes) }
  const socket: Socket = isEncrypted ? connectEncrypted({ ...to, servername: host }) : connect({ ...to, onread })
  if (isEncrypted) socket.on('data', (chunk: Buffer) => void read(chunk, chunk.length))
  return socket
}
