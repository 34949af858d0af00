import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withServer } from '../database-queries.ts'

export type BackupOptions = {
  /** Password of the superuser. */
  databaseUrl: string
  /** TAPELINE_DIR of the running platform. */
  dir: string
  archiveDir: string
}

/**
 * Not part of a base backup
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA).
 */
const EXCLUDED = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init'])
const EMPTY_FOLDERS = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

/**
 * Copies the data folder of a running PostgreSQL into the archive, with the platform's passwords.
 * @returns the folder, named after the earliest time to which it can be restored
 */
export async function takeBackup({ databaseUrl, dir, archiveDir }: BackupOptions): Promise<string> {
  const part = join(archiveDir, 'base.part')
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part, { recursive: true, mode: 0o700 })
  const endedAt = await withServer(databaseUrl, async (client) => {
    const { rows: settings } = await client.query<{ mode: string }>(`select current_setting('archive_mode') as mode`)
    if (settings[0]?.mode !== 'on')
      throw new Error('PostgreSQL does not archive its log: start the platform with BACKUP_DIR')
    await client.query('set statement_timeout = 0')
    await client.query(`select pg_backup_start('tapeline', true)`)
    copyFolder(join(dir, 'postgres'), join(part, 'postgres'))
    const { rows } = await client.query<{ label: string; ended_at: Date }>(
      'select labelfile as label, clock_timestamp() as ended_at from pg_backup_stop(true)',
    )
    writeFileSync(join(part, 'postgres', 'backup_label'), rows[0]?.label ?? '', { mode: 0o600 })
    return rows[0]?.ended_at ?? new Date()
  })
  copyFileSync(join(dir, 'secrets.json'), join(part, 'secrets.json'))
  const folder = join(archiveDir, `base-${endedAt.toISOString().replaceAll(':', '')}`)
  renameSync(part, folder)
  return folder
}

/** Files may grow, change or be removed during the copy: replaying the log from the start of the backup repairs them. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (EXCLUDED.has(entry.name)) continue
    if (entry.isDirectory() && EMPTY_FOLDERS.has(entry.name)) mkdirSync(target, { mode: 0o700 })
    else if (entry.isDirectory()) copyFolder(source, target)
    else copyIfExists(source, target)
  }
}

function copyIfExists(source: string, target: string): void {
  try {
    copyFileSync(source, target)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
