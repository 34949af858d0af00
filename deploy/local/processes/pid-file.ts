import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { commandLineOf, isAlive, parseIdentity, type ProcessIdentity, variableOf } from './process-identity.ts'
import { signalGroup } from './signal-group.ts'

const POLL_MS = 50
const STOP_TIMEOUT_MS = 6_000

/** `marker` is a part of the command line that only the process of this data folder has. */
export function writePidFile(dir: string, name: string, identity: ProcessIdentity, marker: string): void {
  mkdirSync(runDir(dir), { recursive: true, mode: 0o700 })
  writeFileSync(pidFile(dir, name), JSON.stringify({ ...identity, marker }), { mode: 0o600 })
}

export function removePidFile(dir: string, name: string): void {
  rmSync(pidFile(dir, name), { force: true })
}

/** Stops the process of an earlier launcher, never an unrelated process with the same pid. */
export async function stopLeftover(
  dir: string,
  name: string,
  signal: 'SIGINT' | 'SIGTERM',
): Promise<number | undefined> {
  const remainingProcess = readPidFile(dir, name)
  if (remainingProcess === undefined) return undefined
  const { identity, marker } = remainingProcess
  const isOurs = isAlive(identity) && commandLineOf(identity.pid).includes(marker)
  if (isOurs) await stopGroup(identity, signal)
  removePidFile(dir, name)
  return isOurs ? identity.pid : undefined
}

/** The marker of a process that runs now; Redis has `:port`. */
export function runningMarker(dir: string, name: string): string | undefined {
  const found = readPidFile(dir, name)
  return found !== undefined && isAlive(found.identity) ? found.marker : undefined
}

/** An environment variable of a process that runs now. */
export function runningVariable(dir: string, name: string, variable: string): string | undefined {
  const found = readPidFile(dir, name)
  return found !== undefined && isAlive(found.identity) ? variableOf(found.identity.pid, variable) : undefined
}

export async function stopGroup(identity: ProcessIdentity, signal: NodeJS.Signals): Promise<void> {
  signalGroup(identity.pid, signal)
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (isAlive(identity) && Date.now() < deadline) await delay(POLL_MS)
  if (isAlive(identity)) signalGroup(identity.pid, 'SIGKILL')
  while (isAlive(identity) && Date.now() < deadline + STOP_TIMEOUT_MS) await delay(POLL_MS)
}

function readPidFile(dir: string, name: string): { identity: ProcessIdentity; marker: string } | undefined {
  try {
    const text = readFileSync(pidFile(dir, name), 'utf8')
    const identity = parseIdentity(text)
    const value: unknown = JSON.parse(text)
    const marker = typeof value === 'object' && value !== null && 'marker' in value ? value.marker : undefined
    return identity === undefined || typeof marker !== 'string' || marker === '' ? undefined : { identity, marker }
  } catch {
    return undefined
  }
}

function runDir(dir: string): string {
  return join(dir, 'run')
}

function pidFile(dir: string, name: string): string {
  return join(runDir(dir), `${name}.json`)
}
