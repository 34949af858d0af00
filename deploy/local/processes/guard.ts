import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { ProcessIdentity } from './process-identity.ts'
import { signalGroup } from './signal-group.ts'

let guard: ChildProcess | undefined
const guarded = new Set<number>()
let isEnding = false

/** From now on, the given process ends with this one, also when this one is killed with SIGKILL. */
export function guardProcess(identity: ProcessIdentity, stopSignal: 'SIGINT' | 'SIGTERM'): void {
  guarded.add(identity.pid)
  send(`+ ${identity.pid} ${identity.startedAt} ${stopSignal.slice('SIG'.length)}`)
}

export function unguardProcess(pid: number): void {
  if (!guarded.delete(pid)) return
  send(`- ${pid}`)
  if (guarded.size === 0) {
    guard?.stdin?.end()
    guard = undefined
  }
}

/** During shutdown no process may start: a supervisor would restart what was just stopped. */
export function rejectDuringShutdown(name: string): void {
  if (isEnding) throw new Error(`${name} is not started because the platform is stopping`)
}

/** Ends all guarded processes, each with its own signal, and waits for them. Afterwards none can be started. */
export async function endGuarded(): Promise<void> {
  isEnding = true
  const ending = guard
  if (ending === undefined) return
  await new Promise<void>((resolve) => {
    ending.ref()
    ending.once('exit', () => resolve())
    ending.stdin?.end()
  })
}

/** Sends SIGKILL to all guarded processes. */
export function killGuarded(): void {
  for (const pid of guarded) signalGroup(pid, 'SIGKILL')
}

function send(line: string): void {
  guard ??= startGuard()
  guard.stdin?.write(`${line}\n`)
}

function startGuard(): ChildProcess {
  const child = spawn('/bin/sh', [join(import.meta.dirname, 'guard.sh')], {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  // The pipe must not keep a finished test run alive.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child
}
