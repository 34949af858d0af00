import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { listSealedFiles } from '../manifest-queries.ts'
import { verifyFile } from '../verify-file.ts'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { sealDay } from './seal-day.ts'
import { sweepLake } from './sweep-lake.ts'

const DAY = 19_943
const CHANNEL_DAY = { instrumentId: 1, channel: 'trade', day: DAY } as const
type Step = 'delete' | 'after head'
let lake: TestLake
let before: { step: Step; run: () => Promise<void> } | undefined

afterEach(() => lake.close())

/** Runs the test's interruption once, at the next call of a step. */
function interrupted(store: ObjectStore): ObjectStore {
  const interrupt = async (step: Step) => {
    const now = before?.step === step ? before : undefined
    if (now === undefined) return
    before = undefined
    await now.run()
  }
  return {
    ...store,
    delete: (key) => interrupt('delete').then(() => store.delete(key)),
    async head(key) {
      const found = await store.head(key)
      await interrupt('after head')
      return found
    },
  }
}

/** The object of a day whose manifest row is gone, while PostgreSQL has its rows: sealed again, it has the same key. */
async function openDroppedDay(): Promise<void> {
  lake = await openTestLake(undefined, interrupted)
  const trades = Array.from({ length: 50 }, (_value, at) => someTrade(String(at + 1), dayStart(DAY) + BigInt(at)))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  await lake.seal(CHANNEL_DAY)
  await lake.database.pool.query('delete from sealed_file')
}

async function expectWholeFile(): Promise<void> {
  const range = { channel: 'trade', instrumentIds: [1], fromDay: DAY, limit: 2 } as const
  const files = await listSealedFiles(lake.database.pool, range, 'asc')
  expect(files).toMatchObject([{ rows: 50 }])
  for (const file of files) expect(await verifyFile(lake.deps.lake.store, file)).toBeUndefined()
}

async function isWaitingForObject(): Promise<boolean> {
  const { rows } = await lake.database.pool.query(
    `select from pg_locks where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length > 0
}

test('a seal that begins while a sweep deletes an object of the same key stores it again', async () => {
  await openDroppedDay()
  let sealing: Promise<unknown> = Promise.resolve()
  let isSealed = false
  before = {
    step: 'delete',
    run: async () => {
      sealing = sealDay(lake.deps, CHANNEL_DAY).then(() => (isSealed = true))
      await waitUntil('the seal waits or ends', async () => isSealed || (await isWaitingForObject()), 30_000)
    },
  }
  expect(await sweepLake(lake.deps, 0, 0)).toEqual({ dropped: 0, deleted: 1 })
  await sealing
  await expectWholeFile()
})

test('a sweep between the object of a seal and its manifest row does not delete the object', async () => {
  await openDroppedDay()
  before = { step: 'after head', run: async () => void (await sweepLake(lake.deps, 0, 0)) }
  expect(await sealDay(lake.deps, CHANNEL_DAY)).toBe('sealed')
  expect(before).toBeUndefined()
  await expectWholeFile()
})
