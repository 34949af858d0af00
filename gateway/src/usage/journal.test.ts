import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTopics } from '@tapeline/events/topics/create-topics'
import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Consumer } from 'kafkajs'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { JournalReader } from './journal-reader.ts'
import { journalBatch } from '../../test/journal-batch.fixture.ts'
import { formatPlace, LOCK_FILE, PLACE_FILE, segmentName } from './journal-files.ts'
import { claimJournalSlots } from './journal-slot.ts'
import { createKafkaWorker, type KafkaWorker } from './create-kafka-worker.ts'
import type { JournalToShip } from './ship-usage.ts'
import { UsageJournal } from './usage-journal.ts'

/** Includes the start of a thread and the loading of its modules. */
const ARRIVE_WITHIN_MS = 90_000
vi.setConfig({ testTimeout: 300_000 })
const PREFIX = `journal-test-${crypto.randomUUID().slice(0, 8)}.`
const othersLines: string[] = []
const received: { key: string; value: string }[] = []
const nextOffsets = new Map<number, number>()
let consumer: Consumer
let dir: string

beforeAll(async () => {
  const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'journal-test', log: silentLogger })
  const admin = kafka.admin()
  await admin.connect()
  await createTopics(admin, [{ topic: `${PREFIX}usage`, numPartitions: 3 }])
  await admin.disconnect()
  consumer = kafka.consumer({ groupId: `${PREFIX}test` })
  await consumer.connect()
  await consumer.subscribe({ topics: [`${PREFIX}usage`], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      // This consumer reads some again when it joins its group again.
      if (Number(message.offset) < (nextOffsets.get(partition) ?? 0)) return
      nextOffsets.set(partition, Number(message.offset) + 1)
      received.push({ key: String(message.key), value: String(message.value) })
    },
  })
})
afterAll(() => consumer.disconnect())
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'journal-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function openJournal(options: Partial<{ bytesMax: number; segmentBytes: number }> = {}): UsageJournal {
  return new UsageJournal({ dir, bytesMax: 1_000_000, segmentBytes: 1_000_000, logger: silentLogger, ...options })
}

/** Consumes the same topic, so that the thread has lines to report. */
function startShipper(journal: Pick<JournalToShip, 'dir' | 'adopted' | 'freed'>): KafkaWorker {
  const topic = `${PREFIX}usage`
  const subscription = { topics: [topic], group: `${PREFIX}thread` }
  const { kafkaBrokers: brokers } = testServers()
  const thread = createKafkaWorker({ ...journal, topic, brokers, clientId: 't', subscription }, silentLogger, {
    onMessage: (value) => othersLines.push(value),
    onReceiving: () => {},
  })
  thread.start()
  return thread
}

async function append(journal: UsageJournal, line: string): Promise<boolean> {
  return new Promise((resolve) => journal.append(line, { onJournaled: resolve }))
}

function readAll(reader: JournalReader): string[] {
  const found: string[] = []
  for (let chunk = reader.next(); chunk !== undefined; chunk = reader.next()) {
    const { block, messages } = chunk
    const text = (from: number, to: number) => block.toString('utf8', from, to)
    found.push(...messages.map(({ key, keyEnd, value, end }) => `${text(key, keyEnd)} ${text(value, end)}`))
    reader.acknowledge(chunk)
  }
  return found
}

test('lines of one turn are written before their requests are answered, and read back in order', async () => {
  const journal = openJournal()
  const results = await Promise.all(['a 1\n', 'b 2\n', 'a 3 €\n'].map((line) => append(journal, line)))
  expect(results).toEqual([true, true, true])
  const reader = new JournalReader(dir, false)
  expect(readAll(reader)).toEqual(['a 1', 'b 2', 'a 3 €'])
  await append(journal, 'c 4\n')
  expect(readAll(reader)).toEqual(['c 4'])
  journal.close()
  reader.finish()
})

test('a killed process begins where Kafka had acknowledged, and a torn last line is ignored', async () => {
  const journal = openJournal()
  await append(journal, 'a 1\n')
  await append(journal, 'a 2\n')
  const before = new JournalReader(dir, false)
  const first = before.next()
  if (first === undefined) throw new Error('nothing to read')
  before.acknowledge({ ...first, after: { ...first.after, offset: journalBatch('a 1').length } })
  appendFileSync(join(dir, segmentName(1)), 'a {"half')

  const next = openJournal()
  await append(next, 'a 3\n')
  const after = new JournalReader(dir, false)
  expect(readAll(after)).toEqual(['a 2', 'a 3'])
  expect(readdirSync(dir).filter((name) => name.endsWith('.jsonl'))).toEqual([segmentName(2)])
  journal.close()
  next.close()
})

test('finished segments are removed when acknowledged, the one in use remains', async () => {
  const journal = openJournal({ segmentBytes: 8 })
  for (let n = 0; n < 5; n += 1) await append(journal, `a ${n}${n}\n`)
  const reader = new JournalReader(dir, false)
  expect(readAll(reader)).toEqual(['a 00', 'a 11', 'a 22', 'a 33', 'a 44'])
  expect(readdirSync(dir).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1)
  journal.close()
})

test('a journal at its maximum size is full, and has space again once Kafka has acknowledged its events', async () => {
  const bytesMax = journalBatch('a 1234567').length
  const journal = openJournal({ bytesMax })
  await append(journal, 'a 1234567\n')
  expect(journal.isFull()).toBe(true)
  journal.freed[0] = bytesMax
  expect(journal.isFull()).toBe(false)
  journal.close()
})

test('every append to a journal that cannot be written fails, and appends succeed again when it can be written', async () => {
  const journal = openJournal({ segmentBytes: 4 })
  await append(journal, 'a 1\n')
  rmSync(dir, { recursive: true })
  expect(await Promise.all([append(journal, 'a 2\n'), append(journal, 'a 3\n')])).toEqual([false, false])
  mkdirSync(dir)
  expect(await append(journal, 'a 4\n')).toBe(true)
  expect(readAll(new JournalReader(dir, false))).toEqual(['a 4'])
  journal.close()
})

test('a segment that cannot be opened is not skipped: it is shipped once it can be opened', () => {
  const first = join(dir, segmentName(1))
  symlinkSync(first, first)
  writeFileSync(join(dir, segmentName(2)), journalBatch('a 2'))
  const reader = new JournalReader(dir, false)
  expect(() => reader.next()).toThrow(/ELOOP/)
  unlinkSync(first)
  writeFileSync(first, journalBatch('a 1'))
  expect(readAll(reader)).toEqual(['a 1', 'a 2'])
  reader.finish()
})

test('a shipped segment whose removal was interrupted does not count toward the size of the journal', async () => {
  const [shipped, unread] = [journalBatch('a 1', 'a 2') + journalBatch('a 3'), journalBatch('a 4')]
  writeFileSync(join(dir, segmentName(1)), shipped)
  writeFileSync(join(dir, segmentName(2)), shipped + unread)
  writeFileSync(join(dir, PLACE_FILE), formatPlace({ segment: 2, offset: shipped.length }))
  const journal = openJournal()
  expect(journal.bytes()).toBe(shipped.length * 2 + unread.length)
  const reader = new JournalReader(dir, false)
  journal.freed[0] = reader.acknowledgedAtStart()
  expect(journal.bytes()).toBe(unread.length)
  expect(readAll(reader)).toEqual(['a 4'])
  journal.close()
})

test('emptying the folder of a dead process does not affect its successor', async () => {
  writeFileSync(join(dir, PLACE_FILE), formatPlace({ segment: 9, offset: 4 }))
  const journal = openJournal()
  await append(journal, 'a 1\n')
  expect(readAll(new JournalReader(dir, false))).toEqual(['a 1'])
  journal.close()
})

test('a closed journal accepts no more events', async () => {
  const journal = openJournal()
  await append(journal, 'a 1\n')
  journal.close()
  expect(await append(journal, 'a 2\n')).toBe(false)
  journal.close()
  expect(readdirSync(dir)).toEqual([segmentName(1)])
})

test('the shipper sends everything in order, with the account as key, and resumes after it', async () => {
  const account = crypto.randomUUID()
  const journal = openJournal({ segmentBytes: 2_000 })
  const shipper = () => startShipper({ dir, adopted: [], freed: journal.freed })
  const values = () => received.filter(({ key }) => key === account).map(({ value }) => Number(value))
  const one = shipper()
  for (let n = 0; n < 1_000; n += 1) void append(journal, `${account} ${n}\n`)
  await waitUntil('a thousand events arrived', () => values().length >= 1_000, ARRIVE_WITHIN_MS)
  await waitUntil('all of it is acknowledged', () => journal.bytes() === 0, ARRIVE_WITHIN_MS)
  await waitUntil(
    'lines of others are received',
    async () => {
      await append(journal, `${account}-received received\n`)
      return othersLines.includes('received')
    },
    ARRIVE_WITHIN_MS,
  )
  await waitUntil('all of it is acknowledged again', () => journal.bytes() === 0, ARRIVE_WITHIN_MS)
  await one.stop()
  await append(journal, `${account} 1000\n`)
  const two = shipper()
  await waitUntil('the next one arrived', () => values().length >= 1_001, ARRIVE_WITHIN_MS)
  expect(values()).toEqual(Array.from({ length: 1_001 }, (_value, n) => n))
  await two.stop()
  journal.close()
})

test('events of a dead process are shipped by the next one, and its folder is free', async () => {
  const account = crypto.randomUUID()
  const dead = join(dir, '3')
  mkdirSync(dead)
  const whole = journalBatch(`${account} 1`, `${account} 2`)
  writeFileSync(join(dead, segmentName(9)), `${whole}${account} {"torn`)
  writeFileSync(join(dead, LOCK_FILE), '999999999 1 a-boot-before')
  const slots = claimJournalSlots(dir)
  expect([slots.slot, slots.adopted]).toEqual([0, [dead]])
  const freed = new Float64Array(new SharedArrayBuffer(8))
  const shipper = startShipper({ dir: slots.own, adopted: slots.adopted, freed })
  await waitUntil('both arrived', () => received.filter(({ key }) => key === account).length === 2, ARRIVE_WITHIN_MS)
  await waitUntil('the folder is empty', () => !existsSync(join(dead, segmentName(9))), ARRIVE_WITHIN_MS)
  await shipper.stop()
  slots.release()
  expect(readdirSync(dead)).not.toContain(LOCK_FILE)
})

test('two running processes never share a folder', () => {
  const first = claimJournalSlots(dir)
  const second = claimJournalSlots(dir)
  expect([first.slot, second.slot, second.adopted]).toEqual([0, 1, []])
  first.release()
  expect(claimJournalSlots(dir).slot).toBe(0)
})
