import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { type Backups, openBackups, readNotes, switchSegment, type TestArchive, write } from './test/backups.fixture.ts'
import { isRestored } from './after-restore.ts'
import type { Archive } from './archive.ts'
import { listBackups } from './base-backups.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const PART_BYTES = 500_000

let backups: Backups
beforeAll(async () => {
  backups = await openBackups()
})
afterAll(() => backups.stop())

/** `npm run restore` or `npm run backup` in a process of its own. */
async function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'backup.ts'), ...args], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, output }
}

const places = ['a folder', 'a bucket']
const dirOf = (name: string) => join(backups.folder, name)
/** The time to which the backups are restored. */
let moment: Date

function archiveIn(place: string): TestArchive | undefined {
  return backups.archives[place]
}

// The tests of this file run in order and share the archives; `moment` is a time after the first backups.
test('base backups are taken into each place, and only where the log is archived; an interrupted one is not offered', async () => {
  const archives = Object.values(backups.archives).filter((one) => one !== undefined)
  const server = await backups.startPostgres('original', ...archives)
  const options = { databaseUrl: server.url, dir: dirOf('original'), partBytes: PART_BYTES }
  const [first] = archives
  if (first === undefined) throw new Error('there is no archive')
  try {
    await write(server.url, `create table kept (note text); insert into kept values ('before the backup')`)
    const elsewhere = { ...first.archive, url: 'file:/elsewhere' }
    await expect(takeBackup({ ...options, archive: elsewhere })).rejects.toThrow('archives its log elsewhere')
    const report = () => {
      throw new Error('interrupted')
    }
    await expect(takeBackup({ ...options, archive: first.archive, report })).rejects.toThrow('interrupted')
    const listed = await listBackups(first.archive.store)
    expect(listed).toMatchObject({ complete: [], incomplete: [{ folder: expect.stringMatching(/^parts\//) }] })
    const early = restoreBackup({ archive: first.archive, dir: dirOf('early'), to: undefined, env: first.env })
    await expect(early).rejects.toThrow('has no complete base backup')

    // Restored, it would replace the label of the base backup.
    writeFileSync(join(dirOf('original'), 'postgres', 'backup_label'), 'left behind')
    const taken = await Promise.all(archives.map(({ archive }) => takeBackup({ ...options, archive })))
    for (const { parts } of taken) expect(parts.length).toBeGreaterThan(2)
    await write(server.url, `insert into kept values ('after the backup')`)
    await switchSegment(server.url)
    // The point in time has milliseconds, commit times have microseconds.
    moment = new Date((await write(server.url, `insert into kept values ('in a later segment')`)).getTime() + 10)
    await delay(50)
    await write(server.url, `insert into kept values ('after the moment')`)
    await takeBackup({ ...options, archive: first.archive })
  } finally {
    await server.stop()
  }
  rmSync(dirOf('original'), { recursive: true })
})

test.for(places)(
  'from %s alone, one command restores a point in time: earlier commits are present, later ones are not',
  async (place, { skip }) => {
    const into = archiveIn(place)
    if (into === undefined) return skip(WITHOUT_S3_SERVER)
    const dir = dirOf(`restored from ${place}`)
    const { code, output } = await run(['restore', '--to', moment.toISOString()], { ...into.env, TAPELINE_DIR: dir })
    expect(output).toContain(`restored to ${moment.toISOString()}`)
    expect(code).toBe(0)
    expect(isRestored(dir)).toBe(true)
    expect(output).not.toContain(into.env.BACKUP_SECRET_ACCESS_KEY ?? 'nothing to hide')
    const listed = await run(['backup', '--list'], into.env)
    expect(listed.output).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}\d+\.\d MB in \d+ parts, WAL from [0-9A-F]{24}$/m)
    const server = await backups.startPostgres(`restored from ${place}`)
    try {
      expect(await readNotes(server.url)).toEqual(['after the backup', 'before the backup', 'in a later segment'])
      const unarchived = takeBackup({ databaseUrl: server.url, dir, archive: into.archive })
      await expect(unarchived).rejects.toThrow('does not archive its log')
    } finally {
      await server.stop()
    }
  },
)

test.for(places)(
  'from %s, nothing is restored over data, nor to a time before the earliest backup',
  async (place, { skip }) => {
    const into = archiveIn(place)
    if (into === undefined) return skip(WITHOUT_S3_SERVER)
    const { archive, env } = into
    const occupied = restoreBackup({ archive, dir: dirOf(`restored from ${place}`), to: moment, env })
    await expect(occupied).rejects.toThrow('exists')
    const dir = dirOf('too early')
    const early = restoreBackup({ archive, dir, to: new Date(0), env })
    await expect(early).rejects.toThrow('no base backup from before 1970')
    expect(existsSync(dir)).toBe(false)
  },
)

test.for(places)('from %s, a damaged, truncated or missing part is rejected by name', async (place, { skip }) => {
  const into = archiveIn(place)
  if (into === undefined) return skip(WITHOUT_S3_SERVER)
  const { archive, env } = into
  const dir = dirOf(`refused from ${place}`)
  const restore = () => restoreBackup({ archive, dir, to: moment, env })
  const [backup] = (await listBackups(archive.store)).complete
  const key = backup?.parts[1]?.key ?? ''
  await changeObject(archive, key, (bytes) => bytes.with(100, (bytes[100] ?? 0) ^ 1))
  await expect(restore()).rejects.toThrow(`${key} of the base backup is damaged`)
  await changeObject(archive, key, (bytes) => bytes.slice(0, 1_000))
  await expect(restore()).rejects.toThrow(`${key} of the base backup is truncated`)
  await archive.store.delete(key)
  await expect(restore()).rejects.toThrow(`${key} of the base backup is missing`)
  const { code, output } = await run(['restore', '--from', archive.url, '--to', moment.toISOString()], {
    ...env,
    TAPELINE_DIR: dir,
  })
  expect(output).toContain(`${key} of the base backup is missing`)
  expect(code).toBe(1)
  expect(existsSync(join(dir, 'postgres'))).toBe(false)
})

/** Objects are immutable, so a changed one is deleted and stored again. */
async function changeObject(
  { store }: Archive,
  key: string,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<void> {
  const bytes = new Uint8Array(await store.getRange(key, 0, (await store.head(key))?.size ?? 0))
  await store.delete(key)
  await store.putIfAbsent(key, change(bytes))
}

test('wrong use and a platform that does not run are reported without a stack', async () => {
  const env = { ...process.env, BACKUP_DIR: dirOf('unused'), TAPELINE_DIR: dirOf('stopped'), POSTGRES_PORT: '1025' }
  const wrong = await run(['backup', '--lst'], env)
  expect(wrong).toEqual({
    code: 2,
    output: expect.stringMatching(/^Unknown option '--lst'\n[^]*Usage: npm run backup/),
  })
  expect((await run(['restore', '/elsewhere'], env)).code).toBe(2)
  expect(await run(['restore', '--help'], env)).toMatchObject({ code: 0 })
  mkdirSync(join(dirOf('stopped'), 'postgres'), { recursive: true })
  const stopped = await run(['backup'], env)
  expect(stopped.code).toBe(1)
  expect(stopped.output).toBe(`PostgreSQL in ${dirOf('stopped')} is not running. Start the platform with npm start.\n`)
})
