import { setTimeout as delay } from 'node:timers/promises'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { LiveFeed } from './live-feed.ts'
import {
  comparePositions,
  compareRows,
  FIRST_POSITION,
  type Position,
  positionOfRow,
  sequenceOfRow,
} from './position.ts'

const instrument = { instrumentId: 7 } as RegisteredInstrument

test('a failing store is queried once for pending records, and again at the next message or comparison', async () => {
  let attempts = 0
  const failures: unknown[] = []
  const feed = new LiveFeed({
    channel: 'trade',
    instrument,
    store: {
      findEnd: async () => ({ lastSequence: 0, latest: FIRST_POSITION }),
      async findLastSequence() {
        attempts += 1
        await delay(1)
        throw new Error('unavailable')
      },
      readAfter: async () => ({ rows: [], next: undefined }),
      readLate: async () => [],
    },
    onFailure: (error) => failures.push(error),
  })
  await feed.opened
  for (let first = 10; first < 20; first += 1) feed.accept({ channel: 'trade', instrumentId: 7, first, last: first })
  await delay(50)
  expect([attempts, failures.length]).toEqual([1, 1])
  feed.expect(20)
  await delay(20)
  expect(attempts).toBe(2)
})

test('a failure between two pages of missing records repeats none of them', async () => {
  const row = (number: number) => ['7', String(number), String(1_000 + number)]
  const stored = Array.from({ length: 1_000 }, (_value, index) => row(index + 1))
  const after = (position: Position) => stored.filter((one) => comparePositions(positionOfRow(one), position) > 0)
  let last = 1_000
  let reads = 0
  const failures: unknown[] = []
  const feed = new LiveFeed({
    channel: 'trade',
    instrument,
    store: {
      findEnd: async () => ({ lastSequence: 0, latest: FIRST_POSITION }),
      findLastSequence: async () => last,
      async readAfter(position, limit) {
        reads += 1
        if (reads === 2) throw new Error('unavailable')
        const rows = after(position).slice(0, limit)
        return { rows, next: rows.length < limit ? undefined : positionOfRow(rows.at(-1) ?? []) }
      },
      readLate: async ({ after: from, through, until }) =>
        stored.filter((one) => {
          const isUntil = comparePositions(positionOfRow(one), until) <= 0
          return sequenceOfRow(one) > from && sequenceOfRow(one) <= through && isUntil
        }),
    },
    onFailure: (error) => failures.push(error),
  })
  await feed.opened
  const delivered: number[] = []
  const late: number[] = []
  feed.listeners.add({
    onBlock: (_feed, block) => delivered.push(...block.rows.map(sequenceOfRow)),
    onLate: (_feed, rows) => late.push(...rows.map(sequenceOfRow)),
  })
  feed.expect(last)
  await waitUntil('the failure', () => failures.length === 1)
  // One is stored late, at a place before those that were delivered.
  stored.push(['7', '1001', '1001'])
  stored.sort(compareRows)
  last = 1_001
  feed.accept({ channel: 'trade', instrumentId: 7, first: 1_001, last, rows: [['7', '1001', '1001']] })
  await waitUntil('all', () => feed.lastSequence === last)
  expect(delivered).toEqual(Array.from({ length: 1_000 }, (_value, index) => index + 1))
  expect(late).toEqual([1_001])
})
