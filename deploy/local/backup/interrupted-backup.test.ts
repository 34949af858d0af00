import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { waitUntil } from '@tapeline/testing/wait-until'
import { withServer } from '../database-queries.ts'
import { type Backups, openBackups, readNotes, switchSegment, write } from './test/backups.fixture.ts'
import { listBackups } from './base-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

let backups: Backups
beforeAll(async () => {
  backups = await openBackups()
})
afterAll(() => backups.stop())

async function lastArchived(url: string): Promise<string> {
  return withServer(url, async (client) => {
    const { rows } = await client.query<{ segment: string | null }>(
      `select last_archived_wal as segment from pg_stat_archiver where last_archived_wal not like '%.%'`,
    )
    return rows[0]?.segment ?? ''
  })
}

test('while the bucket is unavailable, PostgreSQL keeps its log and logs the fault; an interrupted backup is not offered', async ({
  skip,
}) => {
  const { s3, folder } = backups
  const into = backups.archives['a bucket']
  if (s3 === undefined || into === undefined) return skip(WITHOUT_S3_SERVER)
  const { archive, env } = into
  const dir = join(folder, 'original')
  const server = await backups.startPostgres('original', into)
  try {
    await write(server.url, `create table kept (note text); insert into kept values ('before the outage')`)
    const options = { databaseUrl: server.url, dir, archive, partBytes: 500_000 }
    await expect(restoreBackup({ archive, dir: join(folder, 'restored'), to: undefined, env })).rejects.toThrow(
      'has no complete base backup',
    )
    await takeBackup(options)

    const stored: string[] = []
    const interrupted = takeBackup({
      ...options,
      report: (text) => {
        stored.push(text)
        if (stored.length === 1) process.kill(s3.pid() ?? 0, 'SIGKILL')
      },
    })
    await expect(interrupted).rejects.toThrow('the object store does not answer')
    await write(server.url, `insert into kept values ('during the outage')`)
    const segment = await switchSegment(server.url)
    const log = () => readFileSync(join(dir, 'logs', 'postgres.log'), 'utf8')
    const fault =
      /^backup: \w+ is not archived: the object store does not answer \(.*ECONNREFUSED.*\); PostgreSQL keeps/m
    await waitUntil('the log names the fault', () => fault.test(log()), 90_000)
    expect(log()).not.toContain(s3.config.LAKE_SECRET_ACCESS_KEY)
    expect((await lastArchived(server.url)) < segment).toBe(true)

    await s3.restart()
    await write(server.url, `insert into kept values ('after the outage')`)
    const next = await switchSegment(server.url)
    await waitUntil('both segments are archived', async () => (await lastArchived(server.url)) >= next, 90_000)
    const { complete, incomplete } = await listBackups(archive.store)
    expect(complete).toHaveLength(1)
    expect(incomplete).toMatchObject([{ folder: expect.stringMatching(/^parts\//) }])
  } finally {
    await server.stop()
  }
  await restoreBackup({ archive, dir: join(folder, 'restored'), to: undefined, env })
  const restored = await backups.startPostgres('restored')
  try {
    expect(await readNotes(restored.url)).toEqual(['after the outage', 'before the outage', 'during the outage'])
  } finally {
    await restored.stop()
  }
}, 240_000)

test('a restore to a time after the last commit fails; a missing segment is named', async () => {
  const into = backups.archives['a folder']
  if (into === undefined) throw new Error('there is no folder')
  const { archive, env } = into
  const server = await backups.startPostgres('gap', into)
  let missing: string
  try {
    await write(server.url, 'create table kept (note text)')
    await takeBackup({ databaseUrl: server.url, dir: join(backups.folder, 'gap'), archive })
    await switchSegment(server.url)
    missing = await switchSegment(server.url)
    await switchSegment(server.url)
  } finally {
    await server.stop()
  }
  const future = new Date(Date.now() + 60_000)
  const beyond = restoreBackup({ archive, dir: join(backups.folder, 'beyond'), to: future, env })
  await expect(beyond).rejects.toThrow(`no commit after ${future.toISOString()}`)
  await archive.store.delete(`wal/${missing}.zst`)
  const dir = join(backups.folder, 'with a gap')
  const restore = restoreBackup({ archive, dir, to: undefined, env })
  await expect(restore).rejects.toThrow(`wal/${missing}.zst is missing, but`)
  const toFuture = restoreBackup({ archive, dir, to: future, env })
  await expect(toFuture).rejects.toThrow(`wal/${missing}.zst is missing, but`)
}, 240_000)
