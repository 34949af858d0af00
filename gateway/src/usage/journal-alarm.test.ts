import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, expect, test, vi } from 'vitest'
import { CHECKSUM_BYTES, COMMIT_BYTES } from './journal-lines.ts'
import { UsageJournal } from './usage-journal.ts'

const BYTES_MAX = 10_000
const dir = mkdtempSync(join(tmpdir(), 'journal-alarm-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('a journal logs once that it is nearly full, again after it was emptied, and is full at its bound', async () => {
  // Its own logger: the other files of this worker share the silent one.
  const error = vi.fn<typeof silentLogger.error>()
  const logger = { ...silentLogger, error } as typeof silentLogger
  const journal = new UsageJournal({ dir, bytesMax: BYTES_MAX, segmentBytes: BYTES_MAX * 10, logger })
  const fillTo = (bytes: number) =>
    new Promise((resolve) =>
      journal.append(`${'x'.repeat(bytes - journal.bytes() - CHECKSUM_BYTES - COMMIT_BYTES)}\n`, {
        onJournaled: resolve,
      }),
    )
  const alarms = () => error.mock.calls.length
  await fillTo(7_900)
  expect([alarms(), journal.isFull()]).toEqual([0, false])
  await fillTo(8_000)
  await fillTo(9_900)
  expect([alarms(), journal.isFull()]).toEqual([1, false])
  await fillTo(10_000)
  expect([alarms(), journal.isFull()]).toEqual([1, true])
  journal.freed[0] = 9_000
  await fillTo(2_000)
  await fillTo(8_500)
  expect([alarms(), journal.isFull()]).toEqual([2, false])
  journal.close()
})
