import { spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Backups, openBackups, readNotes, switchSegment, type TestArchive, write } from './test/backups.fixture.ts'
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
/** The time to which the backup in each place is restored. */
const moments = new Map<string, Date>()

const dirOf = (name: string, place: string) => join(backups.folder, `${name} ${place}`)

function archiveIn(place: string, skip: (note: string) => void): TestArchive | undefined {
  const found = backups.archives[place]
  if (found === undefined) skip(WITHOUT_S3_SERVER)
  return found
}

/** Takes base backups and commits before and after a moment, then deletes the whole platform. */
async function fillArchive(place: string, into: TestArchive): Promise<Date> {
  const dir = dirOf('original', place)
  const server = await backups.startPostgres(`original ${place}`, into)
  let moment: Date
  try {
    await write(server.url, `create table kept (note text); insert into kept values ('before the backup')`)
    const options = { databaseUrl: server.url, dir, archive: into.archive, partBytes: PART_BYTES }
    const { parts } = await takeBackup(options)
    expect(parts.length).toBeGreaterThan(2)
    await write(server.url, `insert into kept values ('after the backup')`)
    await switchSegment(server.url)
    // The point in time has milliseconds, commit times have microseconds.
    moment = new Date((await write(server.url, `insert into kept values ('in a later segment')`)).getTime() + 10)
    await delay(50)
    await write(server.url, `insert into kept values ('after the moment')`)
    await takeBackup(options)
  } finally {
    await server.stop()
  }
  rmSync(dir, { recursive: true })
  return moment
}

test.for(places)(
  'from %s alone, one command restores a point in time: earlier commits are present, later ones are not',
  { timeout: 180_000 },
  async (place, { skip }) => {
    const into = archiveIn(place, skip)
    if (into === undefined) return
    const moment = await fillArchive(place, into)
    moments.set(place, moment)
    const env = { ...into.env, TAPELINE_DIR: dirOf('restored', place) }
    const { code, output } = await run(['restore', '--to', moment.toISOString()], env)
    expect(output).toContain(`restored to ${moment.toISOString()}`)
    expect(code).toBe(0)
    expect(output).not.toContain(into.env.BACKUP_SECRET_ACCESS_KEY ?? 'nothing to hide')
    const listed = await run(['backup', '--list'], into.env)
    expect(listed.output).toMatch(/^(\d{4}-\d\d-\d\dT[\d:.]+Z {2}\d+\.\d MB in \d+ parts, log from [0-9A-F]{24}\n){2}$/)
    const server = await backups.startPostgres(`restored ${place}`, into)
    try {
      expect(await readNotes(server.url)).toEqual(['after the backup', 'before the backup', 'in a later segment'])
      await write(server.url, `insert into kept values ('writable')`)
      // Without it, the next restore would give its own timeline the same number.
      await waitUntil('the new timeline is archived', () => into.archive.store.head('wal/00000002.history.zst'))
    } finally {
      await server.stop()
    }
  },
)

test.for(places)(
  'from %s that was continued after a restore, the commits of the restored platform are restored',
  async (place, { skip }) => {
    const into = archiveIn(place, skip)
    if (into === undefined) return
    const dir = dirOf('continued', place)
    // The newest base backup is of the abandoned timeline.
    await restoreBackup({ archive: into.archive, dir, to: undefined, env: into.env })
    const server = await backups.startPostgres(`continued ${place}`)
    try {
      const notes = await readNotes(server.url)
      expect(notes).toContain('writable')
      expect(notes).not.toContain('after the moment')
    } finally {
      await server.stop()
    }
  },
)

test.for(places)(
  'from %s, nothing is restored over data, nor to a time before the earliest backup',
  async (place, { skip }) => {
    const into = archiveIn(place, skip)
    if (into === undefined) return
    const { archive, env } = into
    const occupied = restoreBackup({ archive, dir: dirOf('restored', place), to: moments.get(place), env })
    await expect(occupied).rejects.toThrow('exists')
    const dir = dirOf('too early', place)
    const early = restoreBackup({ archive, dir, to: new Date(0), env })
    await expect(early).rejects.toThrow('no base backup from before 1970')
    expect(existsSync(dir)).toBe(false)
  },
)

test.for(places)('from %s, a damaged, truncated or missing part is refused by its name', async (place, { skip }) => {
  const into = archiveIn(place, skip)
  if (into === undefined) return
  const { archive, env } = into
  const dir = dirOf('refused', place)
  const restore = () => restoreBackup({ archive, dir, to: moments.get(place), env })
  const [backup] = (await listBackups(archive.store)).complete
  const key = backup?.parts[1]?.key ?? ''
  await changeObject(archive, key, (bytes) => bytes.with(100, (bytes[100] ?? 0) ^ 1))
  await expect(restore()).rejects.toThrow(`${key} of the base backup is damaged`)
  await changeObject(archive, key, (bytes) => bytes.slice(0, 1_000))
  await expect(restore()).rejects.toThrow(`${key} of the base backup is truncated`)
  await archive.store.delete(key)
  await expect(restore()).rejects.toThrow(`${key} of the base backup is missing`)
  const { code, output } = await run(['restore', '--from', archive.url], { ...env, TAPELINE_DIR: dir })
  expect(output).toContain(`${key} of the base backup is missing`)
  expect(code).toBe(1)
  expect(existsSync(join(dir, 'postgres'))).toBe(false)
})

/** Objects are immutable, so a changed one is deleted and stored anew. */
async function changeObject(
  { store }: Archive,
  key: string,
  change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<void> {
  const bytes = new Uint8Array(await store.getRange(key, 0, (await store.head(key))?.size ?? 0))
  await store.delete(key)
  await store.putIfAbsent(key, change(bytes))
}

test('a PostgreSQL that archives nothing, or elsewhere, is not backed up', async () => {
  const into = backups.archives['a folder']
  if (into === undefined) throw new Error('there is no folder')
  const plain = await backups.startPostgres('plain')
  try {
    const options = { databaseUrl: plain.url, dir: join(backups.folder, 'plain'), archive: into.archive }
    await expect(takeBackup(options)).rejects.toThrow('does not archive its log')
  } finally {
    await plain.stop()
  }
  const archiving = await backups.startPostgres('plain', into)
  try {
    const archive = { ...into.archive, url: 'file:/elsewhere' }
    const options = { databaseUrl: archiving.url, dir: join(backups.folder, 'plain'), archive }
    await expect(takeBackup(options)).rejects.toThrow('archives its log elsewhere')
  } finally {
    await archiving.stop()
  }
}, 60_000)
