import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WITHOUT_S3_SERVER } from '@tapeline/testing/programs/s3-server'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Backups, openBackups, readNotes, write } from './test/backups.fixture.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const ARCHIVED_WITHIN_MS = 90_000
let backups: Backups
/** Before the last commit of the original platform and its last base backup. */
let moment: Date
beforeAll(async () => {
  backups = await openBackups()
  const archives = Object.values(backups.archives).filter((one) => one !== undefined)
  const dir = join(backups.folder, 'original')
  const server = await backups.startPostgres('original', ...archives)
  const backUp = () => Promise.all(archives.map(({ archive }) => takeBackup({ databaseUrl: server.url, dir, archive })))
  try {
    await write(server.url, 'create table kept (note text)')
    await backUp()
    moment = new Date((await write(server.url, `insert into kept values ('restored')`)).getTime() + 10)
    await delay(50)
    await write(server.url, `insert into kept values ('abandoned')`)
    await backUp()
  } finally {
    await server.stop()
  }
  rmSync(dir, { recursive: true })
})
afterAll(() => backups.stop())

test.for(['a folder', 'a bucket'])(
  'from %s that was continued after a restore, the commits of the restored platform are restored',
  async (place, { skip }) => {
    const into = backups.archives[place]
    if (into === undefined) return skip(WITHOUT_S3_SERVER)
    const { archive, env } = into
    const dirOf = (name: string) => join(backups.folder, `${name} ${place}`)
    await restoreBackup({ archive, dir: dirOf('restored from'), to: moment, env })
    const server = await backups.startPostgres(`restored from ${place}`, into)
    try {
      await write(server.url, `insert into kept values ('continued')`)
      // Without it, the next restore would give its own timeline the same number.
      const isArchived = () => archive.store.head('wal/00000002.history.zst')
      await waitUntil('the new timeline is archived', isArchived, ARCHIVED_WITHIN_MS)
    } finally {
      await server.stop()
    }
    // The newest base backup is of the abandoned timeline.
    await restoreBackup({ archive, dir: dirOf('continued from'), to: undefined, env })
    const continued = await backups.startPostgres(`continued from ${place}`)
    try {
      expect(await readNotes(continued.url)).toEqual(['continued', 'restored'])
    } finally {
      await continued.stop()
    }
  },
)
