import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import type { Client } from 'pg'
import { withServer } from '../database-queries.ts'
import { type Report, silent } from '../report.ts'
import { StartProblem } from '../start-problem.ts'
import { type Archive, isArchivedBy } from './archive.ts'
import { type Manifest, newFolder, putManifest } from './base-backups.ts'
import { putParts } from './base-parts.ts'
import { packFolder, packText, tarOf } from './tar.ts'

export type BackupOptions = {
  /** Password of the superuser. */
  databaseUrl: string
  /** TAPELINE_DIR of the running platform. */
  dir: string
  archive: Archive
  report?: Report
  /** Size of the objects, which are held in memory one at a time: 32 MiB by default. */
  partBytes?: number
}

const PART_BYTES = 32 * 1024 * 1024
const ID_CHARACTERS = 8

/**
 * Not part of a base backup
 * (https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA).
 */
const EXCLUDED = {
  entries: new Set([
    'postmaster.pid',
    'postmaster.opts',
    'pg_internal.init',
    'pgsql_tmp',
    // Left behind by an earlier base backup; pg_basebackup leaves them out as well.
    'backup_label',
    'tablespace_map',
  ]),
  contents: new Set([
    'pg_wal',
    'pg_replslot',
    'pg_dynshmem',
    'pg_notify',
    'pg_serial',
    'pg_snapshots',
    'pg_stat_tmp',
    'pg_subtrans',
  ]),
}

/** Copies the data folder of a running PostgreSQL into the archive, with the platform's passwords. */
export async function takeBackup(options: BackupOptions): Promise<Omit<Manifest, 'format'>> {
  const { databaseUrl, dir, archive, report = silent, partBytes = PART_BYTES } = options
  const startedAt = new Date()
  const folder = newFolder(startedAt, randomUUID().slice(0, ID_CHARACTERS))
  return withServer(databaseUrl, async (client) => {
    await checkArchiving(client, archive)
    // While segments that the backup needs are not archived, PostgreSQL repeats a warning.
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') report(`${message}; see logs/postgres.log`)
    })
    await client.query('set statement_timeout = 0')
    const firstSegment = await startBackup(client)
    let end = { label: '', position: '', endedAt: startedAt }
    const files = tarOf(async (tar) => {
      await packFolder(tar, join(dir, 'postgres'), 'postgres', EXCLUDED)
      end = await stopBackup(client)
      await packText(tar, 'postgres/backup_label', end.label)
      await packText(tar, 'secrets.json', readFileSync(join(dir, 'secrets.json'), 'utf8'))
    })
    const parts = await pipeline(
      files,
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      async (compressed: AsyncIterable<Uint8Array>) =>
        putParts(archive.store, compressed, { folder, partBytes, report }),
    )
    const manifest = {
      folder,
      started_at: startedAt.toISOString(),
      restorable_from: end.endedAt.toISOString(),
      first_segment: firstSegment,
      end_position: end.position,
      parts,
    }
    await putManifest(archive.store, manifest)
    return manifest
  })
}

async function checkArchiving(client: Client, archive: Archive): Promise<void> {
  const { rows } = await client.query<{ mode: string; command: string }>(
    `select current_setting('archive_mode') as mode, current_setting('archive_command') as command`,
  )
  const [settings] = rows
  if (settings?.mode === 'on' && isArchivedBy(settings.command, archive)) return
  throw new StartProblem(
    settings?.mode === 'on' ? 'PostgreSQL archives its log elsewhere.' : 'PostgreSQL does not archive its log.',
    `Start the platform with the same BACKUP_DIR or BACKUP_URL (${archive.url}).`,
  )
}

async function startBackup(client: Client): Promise<string> {
  const { rows } = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('tapeline', true)) as segment`,
  )
  return rows[0]?.segment ?? ''
}

type BackupEnd = { label: string; position: string; endedAt: Date }

/** Returns when the archive has all segments that the backup needs. */
async function stopBackup(client: Client): Promise<BackupEnd> {
  const { rows } = await client.query<{ label: string; position: string; ended_at: Date }>(
    'select labelfile as label, lsn::text as position, clock_timestamp() as ended_at from pg_backup_stop(true)',
  )
  const [end] = rows
  if (end === undefined) throw new Error('pg_backup_stop returned nothing')
  return { label: end.label, position: end.position, endedAt: end.ended_at }
}
