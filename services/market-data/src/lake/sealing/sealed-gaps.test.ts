import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestLake } from '../../../test/lake/lake.fixture.ts'
import { BTC, DAY, NOW, openSettledLake } from '../../../test/lake/settled-lake.fixture.ts'
import { someL2Event } from '../../../test/records.fixture.ts'
import { findNextGap } from '../../book/book-queries.ts'
import { createBookMachine } from '../../connect/book/book-machine.ts'
import { STREAMED_WITHOUT_IDS } from '../../connect/feeds/book-rules.ts'
import { findStoredEnd } from '../../connect/start-venue.ts'
import { dayStart, nanosecondsOf } from '../../nanoseconds.ts'
import { listGaps } from '../../records/gap-queries.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { dropSealedDays } from './drop-sealed-days.ts'
import { storeWithLake } from './store-late-data.ts'

let lake: TestLake
beforeEach(async () => {
  lake = await openSettledLake()
})
afterEach(() => lake.close())

test('a gap of a book reaches to the next snapshot, also after its rows have been deleted from PostgreSQL', async () => {
  const at = (offset: number) => String(dayStart(DAY) + BigInt(offset))
  const lost = { reason: 'connection_lost', fromTs: at(3) }
  const l2Events = [
    someL2Event('1', at(0)),
    someL2Event('3', at(3)),
    someL2Event('g3', at(3), { type: 'gap', gap: lost }),
    someL2Event('s9', at(9), { type: 'snapshot', gap: lost }),
    someL2Event('g12', at(12), { type: 'gap', gap: { reason: 'book_crossed', fromTs: at(11) } }),
  ]
  await storeAtOnce(lake.database.pool, [{ instrumentId: BTC, trades: [], l2Events }])
  const [ended, last] = [
    { instrumentId: BTC, ...lost, toTs: at(9) },
    { instrumentId: BTC, fromTs: at(11), toTs: at(12), reason: 'book_crossed' },
  ]
  const expectGaps = async () => {
    const gapsIn = (start: number, end: number, through?: string) =>
      listGaps(lake.database.pool, [BTC], {
        start: at(start),
        end: at(end),
        order: 'asc',
        through: through === undefined ? undefined : new Map([[BTC, through]]),
      })
    expect(await gapsIn(0, 20)).toEqual([ended, last])
    // Wholly in the outage, and across one of its ends.
    for (const [start, end] of [
      [5, 7],
      [0, 7],
      [5, 10],
    ] as const)
      expect(await gapsIn(start, end)).toEqual([ended])
    expect(await gapsIn(0, 3)).toEqual([])
    // As of a time before the snapshot was stored, the end was unknown.
    expect(await gapsIn(0, 20, '3')).toEqual([{ ...ended, toTs: at(3) }])
  }
  await expectGaps()
  await lake.seal({ instrumentId: BTC, day: DAY, channel: 'l2_event' })
  await expectGaps()
  await dropSealedDays(lake.deps, 0)
  expect((await lake.database.pool.query('select from l2_event')).rowCount).toBe(0)
  await expectGaps()
  expect(await findNextGap(lake.database.pool, BTC, dayStart(DAY) + 5n)).toMatchObject({ toTs: at(12) })
  expect(await findStoredEnd(lake.deps, BTC)).toEqual({
    lastTrade: undefined,
    book: { openGap: { reason: 'book_crossed', fromTs: at(11) } },
  })
})

test('the gap of a connector that continues after a long outage does not restore the sealed day', async () => {
  const at = (offset: number) => String(dayStart(DAY) + BigInt(offset))
  await storeAtOnce(lake.database.pool, [{ instrumentId: BTC, trades: [], l2Events: [someL2Event('1', at(0))] }])
  await lake.seal({ instrumentId: BTC, day: DAY, channel: 'l2_event', isDropped: true })
  const { book } = await findStoredEnd(lake.deps, BTC)
  if (book === undefined) throw new Error('no book')
  const { records } = createBookMachine({ rule: STREAMED_WITHOUT_IDS }).resume(book, String(nanosecondsOf(NOW)))
  await storeWithLake(lake.deps, [{ instrumentId: BTC, trades: [], l2Events: records }])
  const toTs = String(dayStart(DAY + 2))
  const { rows } = await lake.database.pool.query('select ts_event, gap_from_ts from l2_event')
  expect(rows).toEqual([{ ts_event: toTs, gap_from_ts: at(0) }])
  const range = { start: at(5), end: at(7), order: 'asc', through: undefined } as const
  expect(await listGaps(lake.database.pool, [BTC], range)).toEqual([
    { instrumentId: BTC, fromTs: at(0), toTs, reason: 'connector_restarted' },
  ])
})
