import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { LiveFeed } from './live-feed.ts'
import { FIRST_POSITION } from './position.ts'

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
