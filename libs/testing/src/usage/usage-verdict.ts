import { execFile } from 'node:child_process'
import { join } from 'node:path'

const VERIFY = join(import.meta.dirname, '..', '..', '..', '..', 'services', 'audit', 'src', 'verify.ts')

/** Result of audit's check of an account: are all roll-ups the sums of its rows, and is each event stored once? */
export type UsageVerdict = {
  isRight: boolean
  rows: number
  repeatedIds: number
  levels: Record<string, { requests: number; mismatches: unknown[] }>
}

/** Runs the usage verification of an account in its own process and returns its result. */
export function usageVerdictOf(auditDatabaseUrl: string, accountId: string): Promise<UsageVerdict> {
  const { promise, resolve, reject } = Promise.withResolvers<UsageVerdict>()
  const env = { ...process.env, DATABASE_URL: auditDatabaseUrl }
  execFile(process.execPath, [VERIFY, accountId], { env }, (error, stdout, stderr) => {
    // It exits with 1 when the check fails, but still prints the result.
    if (stdout === '') reject(new Error(`the usage cannot be verified: ${stderr}`, { cause: error }))
    else resolve(JSON.parse(stdout))
  })
  return promise
}
