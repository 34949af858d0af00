import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'

export type Program = { pid: number; port: number; stop: () => Promise<void> }

const READY_TIMEOUT_MS = 60_000
const RETRY_MS = 50
const STOP_TIMEOUT_MS = 5_000

/** Starts one of the small servers in this folder on one core and waits until its port answers. */
export async function startProgram(file: string, core: number, env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const port = await takeFreePort()
  const child = startOnCore(file, core, { ...env, PORT: String(port) })
  const stop = async (): Promise<void> => stopChild(child)
  try {
    await untilOpen(port, child)
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: pidOf(child), port, stop }
}

export function startOnCore(file: string, core: number, env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn('taskset', ['-c', String(core), process.execPath, join(import.meta.dirname, file)], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process could not be started; is taskset (util-linux) installed?')
  return pid
}

export async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it listened on ${port}`)
    if (Date.now() > until) throw new Error(`nothing listens on ${port} after ${READY_TIMEOUT_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

async function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
