import { listenForWork } from '@tapeline/database/work-signals'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { announceReaders, followReaders } from './readers.ts'

const PRESENT_FOR_MS = 15_000
const database = await openTestDatabase<object>({})
const signals = listenForWork({ connectionString: database.url })
const demand = followReaders(signals)
await waitUntil('it listens', () => signals.isListening())

afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  await signals.stop()
  await database.drop()
})

function after(ms: number): void {
  const nowMs = performance.now() + ms
  vi.spyOn(performance, 'now').mockReturnValue(nowMs)
}

test('a reader of any process is present at once, and for 15 s after the last call', async () => {
  after(PRESENT_FOR_MS)
  expect(demand.isPresent()).toBe(false)
  const waiting = demand.pause(PRESENT_FOR_MS, AbortSignal.timeout(PRESENT_FOR_MS))
  announceReaders(database.pool).note()
  await waiting
  expect(demand.isPresent()).toBe(true)
  after(PRESENT_FOR_MS)
  expect(demand.isPresent()).toBe(false)
})

test('readers are announced at most every five seconds', async () => {
  const query = vi.fn<() => Promise<void>>(async () => {})
  const readers = announceReaders({ query })
  readers.note()
  readers.note()
  expect(query).toHaveBeenCalledTimes(1)
  after(5_000)
  readers.note()
  expect(query).toHaveBeenCalledTimes(2)
})

test('while announcements can be lost, readers are assumed to be present', () => {
  after(3 * PRESENT_FOR_MS)
  const isListening = vi.spyOn(signals, 'isListening').mockReturnValue(false)
  expect(demand.isPresent()).toBe(true)
  isListening.mockReturnValue(true)
  expect(demand.isPresent()).toBe(false)
})
