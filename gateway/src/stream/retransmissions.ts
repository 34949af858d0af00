import { readFile } from 'node:fs/promises'
import { type Socket, SocketAddress } from 'node:net'

const READ_EVERY_MS = 5_000
/** Linux's tables of TCP connections (proc_pid_net(5)); a socket that accepts both families is in the second. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
/** A running retransmission timer; every line of the tables has one of its states. */
const TIMER = ' 01:'
/** Both ends of the connection, the queues, the timer, and the retransmissions since the last acknowledgement. */
const LINE = /: (\w{8,32}):(\w{4}) (\w{8,32}):(\w{4}) \w\w \w{8}:\w{8} 01:\w{8} (\w{8}) /
const IPV4_DIGITS = 8

/**
 * How many times in succession the kernel has retransmitted data that the other end of a connection has not acknowledged.
 * Read from the kernel's tables, because Node cannot set TCP_USER_TIMEOUT, and keep-alive probes are not sent while data
 * is unacknowledged. Other systems than Linux have no such tables: all counts are 0.
 */
export class Retransmissions {
  private counts: ReadonlyMap<string, number> = new Map()
  private readAtMs = -Infinity

  /** Of the connection with this name, at most 5 s ago. */
  of(connection: string, nowMs: number): number {
    if (nowMs - this.readAtMs >= READ_EVERY_MS) {
      this.readAtMs = nowMs
      void this.read()
    }
    return this.counts.get(connection) ?? 0
  }

  private async read(): Promise<void> {
    const texts = await Promise.all(TABLES.map((file) => readFile(file, 'latin1').catch(() => '')))
    this.counts = new Map(texts.flatMap(readTable))
  }
}

/** The name of a connection in this network namespace: both of its ends. */
export function connectionName({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`
}

/** Searches for the timer first: few of many thousand lines have it. */
function readTable(table: string): [connection: string, count: number][] {
  const found: [string, number][] = []
  for (let at = table.indexOf(TIMER); at !== -1; at = table.indexOf(TIMER, at + 1)) {
    const line = table.slice(table.lastIndexOf('\n', at) + 1, table.indexOf('\n', at))
    const [, local = '', localPort = '', remote = '', remotePort = '', count = '0'] = LINE.exec(line) ?? []
    if (numberOf(count) === 0) continue
    const ends = `${addressOf(local)} ${numberOf(localPort)} ${addressOf(remote)} ${numberOf(remotePort)}`
    found.push([ends, numberOf(count)])
  }
  return found
}

/** The address as Node writes it. The kernel writes words of 32 bits in its own byte order: little-endian on x64 and arm64. */
function addressOf(digits: string): string {
  const bytes = Buffer.from(digits, 'hex').swap32()
  if (digits.length === IPV4_DIGITS) return bytes.join('.')
  const address = Array.from({ length: 8 }, (_group, n) => bytes.readUInt16BE(2 * n).toString(16)).join(':')
  return new SocketAddress({ address, family: 'ipv6' }).address
}

function numberOf(digits: string): number {
  return Number.parseInt(digits, 16)
}
