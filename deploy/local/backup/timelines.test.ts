import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openArchive } from './archive.ts'
import { isContinued, readTimelines } from './timelines.ts'
import { archiveSegment } from './wal-segments.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapeline-timelines-'))
const { store } = openArchive(folder, {})
afterAll(() => rmSync(folder, { recursive: true }))

const backupOn = (timeline: number, position: string) => ({
  first_segment: `0000000${timeline}0000000000000005`,
  end_position: position,
})

test('a base backup is usable if it ended before its timeline was left, or if it is on the newest timeline', async () => {
  const first = await readTimelines(store)
  expect(isContinued(first, backupOn(1, '16/B374D848'))).toBe(true)

  await archiveSegment(store, '00000002.history', Buffer.from('1\t0/5000080\tbefore 2026-11-26 12:00:00+00\n'))
  const second = await readTimelines(store)
  expect(isContinued(second, backupOn(1, '0/5000080'))).toBe(true)
  expect(isContinued(second, backupOn(1, '0/5000081'))).toBe(false)
  expect(isContinued(second, backupOn(1, '1/0'))).toBe(false)
  expect(isContinued(second, backupOn(2, '1/0'))).toBe(true)

  // A second restore to a time before the first one.
  const third = '# by hand\n\n1\t0/4000000\tbefore 2026-11-26 11:00:00+00\n'
  await archiveSegment(store, '00000003.history', Buffer.from(third))
  const timelines = await readTimelines(store)
  expect(timelines.newest).toBe(3)
  expect(isContinued(timelines, backupOn(1, '0/5000080'))).toBe(false)
  expect(isContinued(timelines, backupOn(1, '0/3000000'))).toBe(true)
  expect(isContinued(timelines, backupOn(2, '0/5000100'))).toBe(false)
  expect(isContinued(timelines, backupOn(3, '0/6000000'))).toBe(true)
})
