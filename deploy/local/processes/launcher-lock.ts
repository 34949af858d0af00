import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, parseIdentity, type ProcessIdentity } from './process-identity.ts'

export function launcherLock(dir: string): string {
  return join(dir, 'launcher.lock')
}

/** The living launcher of a data folder, and the processes that a dead one left behind. */
export function readLauncherLock(dir: string): { holder: ProcessIdentity | undefined; leftovers: number[] } {
  const runDir = join(dir, 'run')
  const pidFiles = existsSync(runDir) ? readdirSync(runDir).map((file) => join(runDir, file)) : []
  return { holder: readIfAlive(launcherLock(dir)), leftovers: pidFiles.flatMap((file) => readIfAlive(file)?.pid ?? []) }
}

function readIfAlive(file: string): ProcessIdentity | undefined {
  try {
    const identity = parseIdentity(readFileSync(file, 'utf8'))
    return identity !== undefined && isAlive(identity) ? identity : undefined
  } catch {
    return undefined
  }
}
