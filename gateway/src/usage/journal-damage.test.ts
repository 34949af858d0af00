import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { journalBatch } from '../../test/journal-batch.fixture.ts'
import { formatPlace, PLACE_FILE, segmentName } from './journal-files.ts'
import { JournalReader } from './journal-reader.ts'
import { UsageJournal } from './usage-journal.ts'

const ACCOUNT = '0d9f3c58-7f0e-4a57-9d0b-2f6f3a0c9b11'
const BITS = 8
let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'journal-damage-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const line = (n: number) => `${ACCOUNT} {"id":"event-${n}","route":"/api/v1/internal/user/*","kid":"JZJZ"}`
const lines = (...numbers: number[]) => numbers.map(line)

/** Everything a shipper would send of a dead process's folder, each chunk acknowledged as Kafka would. */
function shipAll(): { sent: string[]; damaged: number; dropped: number } {
  const reader = new JournalReader(dir, true)
  const all = { sent: [] as string[], damaged: 0, dropped: 0 }
  for (let chunk = reader.next(); chunk !== undefined; chunk = reader.next()) {
    const { block, messages, damaged, dropped } = chunk
    for (const { key, keyEnd, value, end } of messages) {
      all.sent.push(`${block.toString('utf8', key, keyEnd)} ${block.toString('utf8', value, end)}`)
    }
    all.damaged += damaged
    all.dropped += dropped
    reader.acknowledge(chunk)
  }
  reader.finish()
  return all
}

/** The bytes with one bit flipped, for every bit. */
function* flips(bytes: Buffer): Generator<{ bytes: Buffer; bit: number }> {
  for (let bit = 0; bit < bytes.length * BITS; bit += 1) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield { bytes: flipped, bit }
  }
}

test('no single flipped bit in the saved position loses an event', () => {
  const first = journalBatch(...lines(1, 2))
  const saved = Buffer.from(formatPlace({ segment: 2, offset: first.length }))
  for (const { bytes, bit } of flips(saved)) {
    writeFileSync(join(dir, segmentName(2)), first + journalBatch(...lines(3)))
    writeFileSync(join(dir, segmentName(3)), journalBatch(...lines(4)))
    writeFileSync(join(dir, PLACE_FILE), bytes)
    expect(shipAll().sent, `bit ${bit}`).toEqual(lines(1, 2, 3, 4))
  }
})

test(
  'no single flipped bit in a segment loses an event silently: damaged lines are sent unchanged, all others arrive',
  { timeout: 300_000 },
  () => {
    const segment = Buffer.from(journalBatch(...lines(1, 2)) + journalBatch(...lines(3)))
    for (const { bytes, bit } of flips(segment)) {
      writeFileSync(join(dir, segmentName(1)), bytes)
      rmSync(join(dir, PLACE_FILE), { force: true })
      const { sent, damaged, dropped } = shipAll()
      const missing = lines(1, 2, 3).filter((one) => !sent.includes(one))
      expect(dropped, `bit ${bit}`).toBe(0)
      // A newline that is damaged joins two lines.
      expect(missing.length, `bit ${bit}`).toBeLessThanOrEqual(2)
      if (missing.length > 0) expect(damaged, `bit ${bit}`).toBeGreaterThan(0)
      const wrong = sent.filter((one) => !lines(1, 2, 3).includes(one))
      expect(wrong.length > 0, `bit ${bit}`).toBe(missing.length > 0)
      for (const one of wrong) expect(() => JSON.parse(one.slice(one.indexOf('{'))), `bit ${bit}`).toThrow(SyntaxError)
    }
  },
)

test('an append interrupted by a crash is not shipped, wherever it was interrupted', () => {
  const [whole, next] = [journalBatch(...lines(1)), journalBatch(...lines(2, 3))]
  for (let cut = 0; cut < next.length; cut += 1) {
    writeFileSync(join(dir, segmentName(1)), whole + next.slice(0, cut))
    writeFileSync(join(dir, segmentName(2)), journalBatch(...lines(4)))
    rmSync(join(dir, PLACE_FILE), { force: true })
    expect(shipAll(), `cut at ${cut}`).toEqual({ sent: lines(1, 4), damaged: 0, dropped: cut })
  }
})

test('lines without a commit line are not shipped while they are being written', async () => {
  const journal = new UsageJournal({ dir, bytesMax: 1e6, segmentBytes: 1e6, logger: silentLogger })
  const reader = new JournalReader(dir, false)
  const batch = journalBatch(...lines(1, 2))
  appendFileSync(join(dir, segmentName(1)), batch.slice(0, -1))
  expect(reader.next()).toBeUndefined()
  appendFileSync(join(dir, segmentName(1)), batch.slice(-1))
  expect(reader.next()?.messages).toHaveLength(2)
  journal.close()
})

test('a segment of an older version, without checksums, is shipped', () => {
  writeFileSync(join(dir, segmentName(1)), `${lines(1, 2).join('\n')}\n${ACCOUNT} {"cut`)
  writeFileSync(join(dir, segmentName(2)), journalBatch(...lines(3)))
  expect(shipAll().sent).toEqual(lines(1, 2, 3))
})

test('batches of more than one chunk are shipped whole, also behind a damaged commit line', async () => {
  const journal = new UsageJournal({ dir, bytesMax: 1e9, segmentBytes: 1e9, logger: silentLogger })
  const numbers = Array.from({ length: 9_000 }, (_value, n) => n)
  await Promise.all(
    numbers.map((n) => new Promise((resolve) => journal.append(`${line(n)}\n`, { onJournaled: resolve }))),
  )
  journal.close()
  const file = join(dir, segmentName(1))
  const bytes = readFileSync(file)
  const commit = bytes.indexOf('\n=') + 1
  bytes[commit + 3] = 0
  writeFileSync(file, bytes)
  expect(shipAll().sent).toEqual(lines(...numbers))
})
