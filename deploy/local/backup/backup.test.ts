import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { withServer } from '../database-queries.ts'
import { takeFreePort } from '../ports/free-port.ts'
import { readSecrets } from '../secrets.ts'
import { startPostgres } from '../servers/postgres.ts'
import { archiveSettings } from './archive.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapeline-backup-'))
const archiveDir = join(folder, "archive's 100%")
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

const start = async (name: string, settings: Record<string, string> = {}) => {
  const dir = join(folder, name)
  return startPostgres({ dir, port: await takeFreePort(), password: readSecrets(dir).postgresPassword, settings })
}
const notes = async (url: string): Promise<string[]> =>
  withServer(url, async (client) => {
    const { rows } = await client.query<{ note: string }>('select note from kept order by note')
    return rows.map(({ note }) => note)
  })
const write = async (url: string, sql: string): Promise<Date> =>
  withServer(url, async (client) => {
    await client.query(sql)
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]?.now ?? new Date()
  })

test('a backup is restored to a point in time: earlier commits are present, later ones are not', async () => {
  const server = await start('original', archiveSettings(archiveDir))
  let moment: Date
  try {
    await write(server.url, `create table kept (note text); insert into kept values ('before the backup')`)
    await takeBackup({ databaseUrl: server.url, dir: join(folder, 'original'), archiveDir })
    moment = await write(server.url, `insert into kept values ('after the backup')`)
    // The point in time has milliseconds, commit times have microseconds.
    moment = new Date(moment.getTime() + 10)
    await delay(50)
    await write(server.url, `insert into kept values ('after the moment')`)
    await write(server.url, 'select pg_switch_wal()')
  } finally {
    await server.stop()
  }
  await restoreBackup({ archiveDir, dir: join(folder, 'restored'), to: moment })
  const restored = await start('restored')
  try {
    expect(await notes(restored.url)).toEqual(['after the backup', 'before the backup'])
    await write(restored.url, `insert into kept values ('writable')`)
  } finally {
    await restored.stop()
  }
}, 120_000)

test('a restore rejects a folder with data, and names the earliest backup if there is none before the given time', async () => {
  await expect(restoreBackup({ archiveDir, dir: join(folder, 'restored'), to: new Date() })).rejects.toThrow('exists')
  const dir = join(folder, 'too-early')
  await expect(restoreBackup({ archiveDir, dir, to: new Date(0) })).rejects.toThrow('no base backup from before 1970')
  expect(existsSync(dir)).toBe(false)
})

test('a PostgreSQL that does not archive is not backed up', async () => {
  const server = await start('plain')
  try {
    const backup = takeBackup({ databaseUrl: server.url, dir: join(folder, 'plain'), archiveDir })
    await expect(backup).rejects.toThrow('BACKUP_DIR')
  } finally {
    await server.stop()
  }
}, 60_000)
