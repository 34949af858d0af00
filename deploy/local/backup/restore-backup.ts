import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { withServer } from '../database-queries.ts'
import { takeFreePort } from '../ports/free-port.ts'
import { stopLeftover } from '../processes/pid-file.ts'
import { type Report, silent } from '../report.ts'
import { readSecrets } from '../secrets.ts'
import { startPostgres } from '../servers/postgres.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { StartProblem } from '../start-problem.ts'
import { noteRestore } from './after-restore.ts'
import { type Archive, recoverySettings } from './archive.ts'
import { findBackup } from './base-backups.ts'
import { readParts } from './base-parts.ts'
import { extractTar } from './tar.ts'

export type RestoreOptions = {
  archive: Archive
  /** TAPELINE_DIR of the restored platform; it must not contain a PostgreSQL or secrets yet. */
  dir: string
  /** Later commits are not restored; by default, everything in the archive is restored. */
  to: Date | undefined
  /** Environment of PostgreSQL, whose commands read the archive; by default, that of this process. */
  env?: NodeJS.ProcessEnv
  report?: Report
}

/** Until it is consistent, PostgreSQL accepts no connection, which can take as long as the base backup took. */
const CONSISTENT_WITHIN_MS = 6 * 3_600_000
const STALLED_AFTER_MS = 600_000
const POLL_MS = 100
const REPORT_MS = 5_000

/**
 * Restores the newest base backup from before that time and replays the log up to it. A failed restore leaves the
 * folder without a database, so that it can be repeated.
 * @throws StartProblem that names what is missing or damaged
 */
export async function restoreBackup(options: RestoreOptions): Promise<void> {
  const { archive, dir, to, report = silent } = options
  for (const name of ['postgres', 'secrets.json']) {
    if (!existsSync(join(dir, name))) continue
    throw new StartProblem(`${join(dir, name)} exists.`, 'Restore into an empty TAPELINE_DIR.')
  }
  const backup = await findBackup(archive, to ?? new Date())
  report(`restoring the base backup of ${backup.restorable_from}`)
  const part = join(dir, 'restore.part')
  await stopLeftover(part, 'postgres', 'SIGINT')
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  await pipeline(readParts(archive.store, backup, report), createZstdDecompress(), extractTar(part))
  writeFileSync(join(part, 'postgres', 'recovery.signal'), '')
  await replayLog({ ...options, dir: part })
  noteRestore(dir)
  for (const name of ['secrets.json', 'postgres']) renameSync(join(part, name), join(dir, name))
  rmSync(part, { recursive: true, force: true })
}

async function replayLog({ archive, dir, to, env, report = silent }: RestoreOptions): Promise<void> {
  const log = join(dir, 'logs', 'postgres.log')
  const startedMs = Date.now()
  const progress = setInterval(() => {
    report(`PostgreSQL replays its log, ${Math.round((Date.now() - startedMs) / 1_000)} s`)
  }, REPORT_MS)
  try {
    const server = await startPostgres({
      dir,
      port: await takeFreePort(),
      password: readSecrets(dir).postgresPassword,
      settings: recoverySettings(archive, to),
      readyTimeoutMs: CONSISTENT_WITHIN_MS,
      ...(env === undefined ? {} : { env }),
    })
    try {
      await waitForPromotion(server)
    } finally {
      await server.stop()
    }
  } catch (error) {
    throw explain(error, log, to)
  } finally {
    clearInterval(progress)
  }
}

async function waitForPromotion(server: ServerProcess): Promise<void> {
  let position = ''
  let movedMs = Date.now()
  for (;;) {
    const replayed = await findReplayed(server.url)
    if (replayed === undefined) return
    if (replayed !== position) {
      position = replayed
      movedMs = Date.now()
    }
    if (Date.now() - movedMs > STALLED_AFTER_MS) throw new Error(`PostgreSQL stopped at ${position}`)
    await delay(POLL_MS)
  }
}

/** Position up to which the log is replayed; undefined after the recovery. */
async function findReplayed(url: string): Promise<string | undefined> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ recovering: boolean; position: string | null }>(
      'select pg_is_in_recovery() as recovering, pg_last_wal_replay_lsn()::text as position',
    )
    return rows[0]?.recovering === false ? undefined : (rows[0]?.position ?? '')
  })
}

/** The line of the command that failed (segment-command.ts), or PostgreSQL's own. */
function explain(error: unknown, log: string, to: Date | undefined): StartProblem {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []
  const ofCommand = lines.findLast((line) => line.startsWith('backup: '))
  const fatal = lines.findLast((line) => line.includes(' FATAL: '))?.replace(/^.* FATAL: +/, '')
  if (ofCommand === undefined && to !== undefined && fatal?.includes('before configured recovery target') === true)
    return new StartProblem(
      `The archive has no commit after ${to.toISOString()}.`,
      'Omit --to to restore everything, or choose an earlier time.',
      { cause: error },
    )
  const fault = ofCommand ?? fatal ?? (error instanceof Error ? error.message : String(error))
  return new StartProblem(`PostgreSQL could not replay its log: ${fault}.`, `Its own log is ${log}.`, { cause: error })
}
