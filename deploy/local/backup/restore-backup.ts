import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { withServer } from '../database-queries.ts'
import { takeFreePort } from '../ports/free-port.ts'
import { readSecrets } from '../secrets.ts'
import { startPostgres } from '../servers/postgres.ts'
import { StartProblem } from '../start-problem.ts'
import { quoted, walFolder } from './archive.ts'

export type RestoreOptions = {
  archiveDir: string
  /** TAPELINE_DIR of the restored platform; it must not contain a PostgreSQL yet. */
  dir: string
  /** Later commits are not restored; by default, everything in the archive is restored. */
  to: Date | undefined
}

const PROMOTED_WITHIN_MS = 3_600_000
const POLL_MS = 100

/** Restores the newest base backup from before that time and replays the log up to it. */
export async function restoreBackup({ archiveDir, dir, to }: RestoreOptions): Promise<void> {
  const base = newestBefore(archiveDir, to ?? new Date())
  const data = join(dir, 'postgres')
  if (existsSync(data)) throw new StartProblem(`${data} exists.`, 'Restore into an empty TAPELINE_DIR.')
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  copyFileSync(join(base, 'secrets.json'), join(dir, 'secrets.json'))
  chmodSync(join(dir, 'secrets.json'), 0o600)
  cpSync(join(base, 'postgres'), data, { recursive: true })
  mkdirSync(join(data, 'pg_wal', 'archive_status'), { recursive: true })
  writeFileSync(join(data, 'recovery.signal'), '')
  const password = readSecrets(dir).postgresPassword
  const server = await startPostgres({
    dir,
    port: await takeFreePort(),
    password,
    settings: recoverySettings(archiveDir, to),
  })
  try {
    const deadlineMs = Date.now() + PROMOTED_WITHIN_MS
    while (await isRecovering(server.url)) {
      if (Date.now() > deadlineMs)
        throw new StartProblem('PostgreSQL still replays its log.', `See ${dir}/logs/postgres.log.`)
      await delay(POLL_MS)
    }
  } finally {
    await server.stop()
  }
}

function recoverySettings(archiveDir: string, to: Date | undefined): Record<string, string> {
  const target = to?.toISOString().replace('T', ' ').replace('Z', '+00')
  return {
    restore_command: `cp ${quoted(walFolder(archiveDir))}/%f %p`,
    ...(target === undefined ? {} : { recovery_target_time: target, recovery_target_action: 'promote' }),
  }
}

async function isRecovering(url: string): Promise<boolean> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
    return rows[0]?.recovering ?? true
  })
}

function newestBefore(archiveDir: string, to: Date): string {
  const wanted = `base-${to.toISOString().replaceAll(':', '')}`
  const bases = existsSync(archiveDir) ? readdirSync(archiveDir).filter((name) => /^base-\d/.test(name)) : []
  const found = bases
    .filter((name) => name <= wanted)
    .toSorted()
    .at(-1)
  if (found === undefined) {
    const earliest = bases.toSorted()[0]?.replace('base-', '') ?? 'none'
    throw new StartProblem(
      `${archiveDir} has no base backup from before ${to.toISOString()}.`,
      `The earliest is ${earliest}.`,
    )
  }
  return join(archiveDir, found)
}
