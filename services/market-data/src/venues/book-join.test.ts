import { expect, test } from 'vitest'
import type { L2Record } from '../store/record.ts'
import { createBookJoin } from './book-join.ts'
import type { BookSnapshot, BookUpdate } from './book-messages.ts'

function update(firstId: number, lastId: number): BookUpdate {
  return { firstId, lastId, tsEvent: String(lastId), tsRecv: String(lastId), bids: [['1', '2']], asks: [] }
}

function snapshot(lastUpdateId: number): BookSnapshot {
  return { lastUpdateId, tsEvent: '7', tsRecv: '7', bids: [['1', '1']], asks: [], depthLimit: 1000 }
}

function ids(records: L2Record[]): string[] {
  return records.map(({ type, venueLastId, venueFirstId }) => `${type} ${venueLastId ?? venueFirstId}`)
}

test('updates up to the snapshot are dropped, the first one covers the next id, then each follows the last', () => {
  const join = createBookJoin()
  expect([update(1, 10), update(11, 18), update(19, 24)].flatMap(join.update)).toEqual([])
  expect(ids(join.snapshot(snapshot(20)))).toEqual(['snapshot 20', 'update 24'])
  expect(ids(join.update(update(25, 30)))).toEqual(['update 30'])
  expect(join.counts()).toMatchObject({ snapshots: 1, updates: 2, dropped: 2, gaps: 0, waiting: 0 })
})

test('a missing update results in one gap, and nothing else until the next snapshot', () => {
  const join = createBookJoin()
  join.snapshot(snapshot(20))
  join.update(update(21, 25))
  const [gap] = join.update(update(27, 30))
  expect(gap).toMatchObject({
    type: 'gap',
    gap: { reason: 'update_ids_missing', fromTs: '25' },
    tsEvent: '30',
    bids: [],
  })
  expect(join.update(update(31, 33))).toEqual([])
  expect(ids(join.snapshot(snapshot(29)))).toEqual(['snapshot 29', 'update 30', 'update 33'])
  expect(join.counts()).toMatchObject({ snapshots: 2, updates: 3, gaps: 1 })
})

test('the first update after a snapshot must connect to it', () => {
  const join = createBookJoin()
  join.snapshot(snapshot(20))
  expect(ids(join.update(update(22, 25)))).toEqual(['gap 22'])
})

test('a snapshot older than the waiting updates is not used', () => {
  const join = createBookJoin()
  join.update(update(30, 35))
  expect(join.snapshot(snapshot(20))).toEqual([])
  expect(join.counts()).toMatchObject({ snapshots: 0, unusable: 1, waiting: 1 })
})

test('a snapshot newer than the waiting updates discards all of them', () => {
  const join = createBookJoin()
  join.update(update(1, 5))
  expect(ids(join.snapshot(snapshot(20)))).toEqual(['snapshot 20'])
  expect(ids(join.update(update(18, 22)))).toEqual(['update 22'])
  expect(join.counts()).toMatchObject({ dropped: 1, updates: 1 })
})

test('a repeated or late update changes nothing', () => {
  const join = createBookJoin()
  join.snapshot(snapshot(20))
  join.update(update(21, 25))
  expect(join.update(update(21, 25))).toEqual([])
  expect(join.snapshot(snapshot(22))).toEqual([])
  expect(ids(join.update(update(26, 27)))).toEqual(['update 27'])
})

test.each([2, 3, 7, 50])('with 1 of %i updates dropped, the next update is a gap', (every) => {
  const join = createBookJoin()
  join.snapshot(snapshot(0))
  let gaps = 0
  for (let id = 1; id <= 300; id += 1) {
    if (id % every === 0) continue
    const isAfterGap = id % every === 1 && id > 1
    const records = join.update(update(id, id))
    expect(ids(records)).toEqual([isAfterGap ? `gap ${id}` : `update ${id}`])
    if (!isAfterGap) continue
    gaps += 1
    // The venue answers with the book just before this update.
    expect(ids(join.snapshot(snapshot(id - 1)))).toEqual([`snapshot ${id - 1}`, `update ${id}`])
  }
  expect(join.counts().gaps).toBe(gaps)
})

test('a book stored up to an id continues without a snapshot', () => {
  const join = createBookJoin()
  join.continueAfter(20)
  expect(ids(join.update(update(21, 25)))).toEqual(['update 25'])
})

test('futures are matched by the id of the previous update, because their ids are not consecutive', () => {
  const join = createBookJoin()
  const futures = (firstId: number, lastId: number, previousId: number): BookUpdate => ({
    ...update(firstId, lastId),
    previousId,
  })
  join.update(futures(11, 18, 9))
  expect(ids(join.snapshot(snapshot(20)))).toEqual(['snapshot 20'])
  expect(ids(join.update(futures(19, 24, 18)))).toEqual(['update 24'])
  expect(ids(join.update(futures(31, 40, 24)))).toEqual(['update 40'])
  expect(ids(join.update(futures(41, 50, 39)))).toEqual(['gap 41'])
})
