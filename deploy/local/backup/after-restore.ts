import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '../folders.ts'
import { runScript } from '../processes/run-script.ts'

const FORGET_TIMEOUT_MS = 300_000

/** Exists between a restore of the databases and the next start, because only the start has the address of Redis. */
function markerOf(dir: string): string {
  return join(dir, 'restored')
}

/** Records in a TAPELINE_DIR that its databases were restored. */
export function noteRestore(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeFileSync(markerOf(dir), '')
}

export function isRestored(dir: string): boolean {
  return existsSync(markerOf(dir))
}

/**
 * Removes the accounts' versions from Redis, which may be from after the backup. Runs before a gateway starts.
 * @returns what was done, for the report
 */
export async function forgetVersions(dir: string, redisUrl: string): Promise<string> {
  const script = join(REPOSITORY, 'libs', 'service', 'src', 'process', 'forget-versions.ts')
  const env = { ...process.env, REDIS_URL: redisUrl }
  const output = await runScript('versions in Redis', script, { env, timeoutMs: FORGET_TIMEOUT_MS })
  rmSync(markerOf(dir))
  return output.trim().replace(/^redis: /, '')
}
