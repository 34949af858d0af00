import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { commandLineOf } from '../processes/process-identity.ts'

export type PortOwner = { pid: number; command: string }

const LISTENING = '0A'
const CONNECT_TIMEOUT_MS = 1_000

/** The process that listens on a port, if /proc shows it to this user. */
export function findPortOwner(port: number): PortOwner | undefined {
  const sockets = socketsListeningOn(port)
  if (sockets.size === 0) return undefined
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (Number.isInteger(pid) && ownsAny(pid, sockets)) return { pid, command: commandLineOf(pid) }
  }
  return undefined
}

/** Whether this process listens on a port of this machine. */
export async function isListening(pid: number, port: number): Promise<boolean> {
  // A refused connection costs 0.1 ms, a search of the sockets of a busy machine 10 ms.
  return (await isOpen(port)) && ownsAny(pid, socketsListeningOn(port))
}

async function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_TIMEOUT_MS })
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => finish(true))
    socket.once('timeout', () => finish(false))
    socket.once('error', () => finish(false))
  })
}

function socketsListeningOn(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTENING && local?.endsWith(`:${hex}`) === true) sockets.add(`socket:[${inode}]`)
    }
  }
  return sockets
}

function ownsAny(pid: number, sockets: Set<string>): boolean {
  if (sockets.size === 0) return false
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
