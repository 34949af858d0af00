import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findS3Server, type S3Server, startS3Server } from '@tapeline/testing/programs/s3-server'
import { withServer } from '../../database-queries.ts'
import { takeFreePort } from '../../ports/free-port.ts'
import { readSecrets } from '../../secrets.ts'
import { startPostgres } from '../../servers/postgres.ts'
import type { ServerProcess } from '../../servers/server-process.ts'
import { type Archive, archiveSettings, findArchive } from '../archive.ts'

export type TestArchive = { archive: Archive; env: NodeJS.ProcessEnv }
export type Backups = {
  folder: string
  s3: S3Server | undefined
  /** An archive in a folder, and one in a bucket if there is an S3 server. */
  archives: Partial<Record<string, TestArchive>>
  /** A PostgreSQL in `folder/<name>` that archives into each of these archives. */
  startPostgres: (name: string, ...into: TestArchive[]) => Promise<ServerProcess>
  stop: () => Promise<void>
}

/** A folder for data, and archives of both kinds. */
export async function openBackups(): Promise<Backups> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-backup-'))
  const program = findS3Server()
  const s3 = program === undefined ? undefined : await startS3Server(program)
  const inFolder = { BACKUP_DIR: join(folder, "archive's 100%") }
  const inBucket = s3 && {
    BACKUP_URL: s3.config.LAKE_URL,
    BACKUP_ACCESS_KEY_ID: s3.config.LAKE_ACCESS_KEY_ID,
    BACKUP_SECRET_ACCESS_KEY: s3.config.LAKE_SECRET_ACCESS_KEY,
  }
  return {
    folder,
    s3,
    archives: { 'a folder': openIn(inFolder), ...(inBucket && { 'a bucket': openIn(inBucket) }) },
    startPostgres: async (name, ...into) => {
      const dir = join(folder, name)
      return startPostgres({
        dir,
        port: await takeFreePort(),
        password: readSecrets(dir).postgresPassword,
        settings: { fsync: 'off', ...settingsOf(into) },
        env: Object.assign({}, process.env, ...into.map(({ env }) => env)),
      })
    },
    async stop() {
      await s3?.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function settingsOf(into: TestArchive[]): Record<string, string> {
  const settings = into.map(({ archive }) => archiveSettings(archive))
  const commands = settings.map(({ archive_command }) => archive_command)
  return Object.assign({}, ...settings, into.length > 0 && { archive_command: commands.join(' && ') })
}

function openIn(settings: NodeJS.ProcessEnv): TestArchive {
  const env = { ...process.env, ...settings }
  const archive = findArchive(env)
  if (archive === undefined) throw new Error('no archive is set')
  return { archive, env }
}

/** Runs statements. @returns the server's time after them */
export async function write(url: string, sql: string): Promise<Date> {
  return withServer(url, async (client) => {
    await client.query(sql)
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]?.now ?? new Date()
  })
}

/** Ends the current segment, so that PostgreSQL archives it. @returns its name */
export async function switchSegment(url: string): Promise<string> {
  return withServer(url, async (client) => {
    // An empty segment is not switched.
    await client.query('select txid_current()')
    const { rows } = await client.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment')
    return rows[0]?.segment ?? ''
  })
}

export async function readNotes(url: string): Promise<string[]> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ note: string }>('select note from kept order by note')
    return rows.map(({ note }) => note)
  })
}
