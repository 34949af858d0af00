import { expect, test } from 'vitest'
import type { BookUpdate, JoinRule } from './book-messages.ts'
import { updateRecord } from './book-records.ts'

const update: BookUpdate = { firstId: 4, lastId: 5, tsEvent: '7', tsRecv: '9', bids: [['1', '2']], asks: [] }

test('an update is identified by the ids of the venue', () => {
  const rule: JoinRule = { hasIds: true, placeOf: () => 'next' }
  const record = updateRecord(update, { previousId: 3, flags: 0, rule })
  expect(record).toMatchObject({ sourceId: '5', venueFirstId: '4', venueLastId: '5', venuePrevId: '3' })
})

test('an update of a venue without ids is identified by its receive time', () => {
  const rule: JoinRule = { hasIds: false, placeOf: () => 'next' }
  const record = updateRecord(update, { previousId: 3, flags: 0, rule })
  expect(record).toMatchObject({ sourceId: 'u9', venueFirstId: null, venueLastId: null, venuePrevId: null })
})
