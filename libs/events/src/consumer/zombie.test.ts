import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { keyCreated, nameOf, noteMigrations, type NoteTables } from '@tapeline/testing/note-tables'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { openTestTopics } from '@tapeline/testing/kafka/test-topics'
import { waitUntil } from '@tapeline/testing/wait-until'
import type { Transaction } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type RunningConsumer, startConsumer } from './consume.ts'
import { createProducer } from '../kafka.ts'
import { on } from '../subscription.ts'

const GROUP = 'notes'
/** Of consumer-to-stop.ts. */
const EXIT_STUCK = 3
const SUBJECTS = ['a', 'b', 'c', 'd', 'e', 'f']
const FIRST = 40
const SECOND = 20
/** A session ends after eight seconds; then the broker assigns the partitions to another consumer. */
const TAKEN_OVER_WITHIN_MS = 150_000
/** Both cases at once, each with several of these waits. */
const TEST_TIMEOUT_MS = 900_000

const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
})

/** Topics, a database and two consumers of one group: a process to be stopped, and this one. */
async function openScene(zombieEnv: NodeJS.ProcessEnv) {
  const database = await openTestDatabase<NoteTables>(noteMigrations)
  cleanUps.push(database.drop)
  const topics = await openTestTopics(['api-key'])
  cleanUps.push(topics.drop)
  const producer = createProducer(topics.kafka)
  await producer.connect()
  cleanUps.push(() => producer.disconnect())
  const { db } = database
  const lines: string[] = []
  function start(extraEnv: NodeJS.ProcessEnv): ChildProcess {
    const env = {
      ...process.env,
      ...extraEnv,
      DATABASE_URL: database.url,
      KAFKA_BROKERS: testServers().kafkaBrokers,
      KAFKA_TOPIC_PREFIX: topics.prefix,
      GROUP,
    }
    const program = fileURLToPath(import.meta.resolve('@tapeline/testing/kafka/consumer-to-stop'))
    const child = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    cleanUps.push(() => end(child))
    // A process that is stuck ends, and is started again.
    child.once('exit', (code) => {
      if (code === EXIT_STUCK) start({ ...zombieEnv, STOP_AT_CONNECTION: '0' })
    })
    return child
  }
  return {
    db,
    lines,
    /** Sends each name for every subject, so that each partition receives some. */
    send: (names: readonly string[]) => {
      const keyed = names.flatMap((name) => SUBJECTS.map((subject) => ({ subject, name: subject + name })))
      const messages = keyed.map(({ subject, name }) => ({
        key: subject,
        value: JSON.stringify(keyCreated(subject, name)),
      }))
      return producer.send({ topic: `${topics.prefix}api-key`, acks: -1, messages })
    },
    startZombie: (): ChildProcess => start(zombieEnv),
    startOther: (): RunningConsumer =>
      startConsumer<NoteTables>({
        kafka: topics.kafka,
        db,
        group: GROUP,
        topicPrefix: topics.prefix,
        subscriptions: [on(apiKeyCreated, (trx, event) => note(trx, nameOf(event)))],
        log: silentLogger,
        now: () => new Date(),
      }),
    notesOf: async (subject: string): Promise<string[]> => {
      const notes = db.selectFrom('note').select('text').where('text', 'like', `${subject}%`).orderBy('position')
      return (await notes.execute()).map(({ text }) => text.slice(1))
    },
  }
}

async function note(trx: Transaction<NoteTables>, text: string): Promise<void> {
  await trx.insertInto('note').values({ text }).execute()
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => String(from + n))

test.concurrent.each([
  // Slow enough for a signal to arrive between the first and the last event of a batch.
  ['inside a transaction', { PAUSE_MS: '40' }, 'begins'],
  // The fourth connection is used by the second partition's transaction.
  ['with a batch it has not begun', { STOP_AT_CONNECTION: '4' }, 'stops'],
])(
  'a consumer stopped past its session %s writes nothing stale when it resumes',
  { timeout: TEST_TIMEOUT_MS },
  async (_where, env, sign) => {
    const { db, lines, send, startZombie, startOther, notesOf } = await openScene(env)
    const allNoted = (count: number) =>
      waitUntil(
        `each subject has ${count} notes`,
        async () => (await Promise.all(SUBJECTS.map(notesOf))).every((notes) => notes.length >= count),
        TAKEN_OVER_WITHIN_MS,
      )
    await send(numbers(0, FIRST))
    const zombie = startZombie()
    await waitUntil('the zombie is at work', () => lines.some((line) => line.startsWith(sign)), TAKEN_OVER_WITHIN_MS)
    zombie.kill('SIGSTOP')
    expect((await Promise.all(SUBJECTS.map(notesOf))).some((notes) => notes.length < FIRST)).toBe(true)

    const other = startOther()
    try {
      await allNoted(FIRST)
      zombie.kill('SIGCONT')
      await send(numbers(FIRST, SECOND))
      await allNoted(FIRST + SECOND)
    } finally {
      await other.stop()
    }
    // Now the zombie has all partitions again and has processed its old batches.
    await send(['last'])
    const isLastReported = () => SUBJECTS.every((subject) => lines.includes(`noted ${subject}last`))
    await waitUntil('the zombie is a consumer again', isLastReported, TAKEN_OVER_WITHIN_MS)
    await allNoted(FIRST + SECOND + 1)
    for (const subject of SUBJECTS) expect(await notesOf(subject)).toEqual([...numbers(0, FIRST + SECOND), 'last'])
    expect(await db.selectFrom('dead_letter').selectAll().execute()).toEqual([])
  },
)
