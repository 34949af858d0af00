import { deadLettersOf, replayDeadLettersOf, type StoredDeadLetter } from '@tapeline/testing/dead-letters'
import { isUsageTopicApplied, readUsageTopic, sendToUsageTopic } from '@tapeline/testing/kafka/usage-topic'
import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { usageVerdictOf } from '@tapeline/testing/usage/usage-verdict'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { check, checkThat, type Check, type Drill, type Field, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { type Account, newAccount, startLoad } from '../load.ts'
import { VALID_WITH_ROW_DAYS, type Poison, poisonFrom } from './poison-messages.ts'

const LOAD = { clients: 4, pauseMs: 15 }
/** One message in a hundred, and at least twice each kind. */
const SHARE = 0.011
const POISON_MIN = 20
const ROUNDS = 25
const ROUND_MS = [100, 300] as const
const ANSWERS_MIN = 100
const STALL_MAX_MS = 5_000
const REPLAYED_WITHIN_MS = 60_000

export const poison: Drill = {
  name: 'poison',
  what: 'one usage event in a hundred is invalid: the others are counted, it is stored as a dead letter, replay restores it',
  async run(field) {
    const { history, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    const { sent, longestStallMs } = await poisonDuringLoad(field, account)
    await load.stop()
    const evidence = await gatherCounting(field, account)
    const letters = await waitForLetters(field)
    const checks = [
      checkEnough(history.requests, ANSWERS_MIN),
      checkStatuses('every answer is a 200', history.requests, servedStatuses(size)),
      ...checkCounting(evidence),
      checkLetters('every invalid event is stored in the table with its reason', sent, letters),
      checkLetters('every invalid event is in the dead-letter topic', sent, await deadLetters(field)),
      ...(await checkReplay(field, account, sent)),
    ]
    if (size.isTimed) {
      checks.push(
        checkThat(
          `invalid events delay the others for at most ${STALL_MAX_MS} ms`,
          longestStallMs <= STALL_MAX_MS,
          `${longestStallMs} ms without a new row`,
        ),
      )
    }
    const { answered, rows } = evidence
    return { checks, figures: { answered: answered.length, rows: rows.length, poison: sent.length, longestStallMs } }
  },
}

/**
 * Sends poison events to the account's own partition, in proportion to its events, and watches whether rows keep
 * arriving.
 */
async function poisonDuringLoad(field: Field, { accountId }: Account) {
  const { platform, history, random } = field
  const topic = topicOf(field)
  const countRows = async () => (await usageRowsOf(platform.databaseUrls.audit, accountId)).length
  await waitUntil('there is an event to spoil', async () => (await countRows()) > 0, field.size.settledWithinMs)
  const [genuine] = (await readUsageTopic(topic)).filter(({ key }) => key === accountId)
  if (genuine === undefined) throw new Error('the usage topic has nothing of the account')
  const sent: Poison[] = []
  const watch = { rows: 0, movedMs: Date.now(), longestStallMs: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    await pause(random.between(...ROUND_MS))
    const target = Math.max(history.requests.length * SHARE, ((round + 1) * POISON_MIN) / ROUNDS)
    const more = Array.from({ length: Math.ceil(target - sent.length) }, (_, n) => poisonFrom(genuine, sent.length + n))
    if (more.length > 0) await history.during('poison', `${more.length}`, () => sendToUsageTopic(topic, more))
    sent.push(...more)
    const rows = await countRows()
    watch.longestStallMs = Math.max(watch.longestStallMs, Date.now() - watch.movedMs)
    if (rows > watch.rows) watch.movedMs = Date.now()
    watch.rows = rows
  }
  return { sent, longestStallMs: watch.longestStallMs }
}

async function waitForLetters(field: Field): Promise<StoredDeadLetter[]> {
  const { platform, size } = field
  const url = platform.databaseUrls.audit
  await waitUntil('audit has read all', () => isUsageTopicApplied(topicOf(field), url), size.settledWithinMs)
  return deadLettersOf(url)
}

async function deadLetters(field: Field): Promise<{ payload: string }[]> {
  const messages = await readUsageTopic(topicOf(field), '.dead')
  return messages.map(({ value }) => ({ payload: value }))
}

/** One dead letter per poison message, each with its original payload and the expected reason. */
function checkLetters(
  guarantee: string,
  sent: readonly Poison[],
  letters: readonly Partial<StoredDeadLetter>[],
): Check {
  const unmatched = [...letters]
  const missing = sent.filter(({ value, reason }) => {
    const at = unmatched.findIndex(
      (letter) => letter.payload === value && (letter.reason === undefined || reason.test(letter.reason)),
    )
    if (at >= 0) unmatched.splice(at, 1)
    return at < 0
  })
  return check(guarantee, [
    ...missing.map(({ value, reason }) => `missing (${reason.source}): ${value.slice(0, 80)}`),
    ...unmatched.map(({ payload, reason }) => `unexpected (${reason ?? ''}): ${payload?.slice(0, 80)}`),
  ])
}

/** Events within a longer retention are counted now, the others stay dead letters. */
async function checkReplay(field: Field, { accountId }: Account, sent: readonly Poison[]): Promise<Check[]> {
  const { platform } = field
  const auditDatabaseUrl = platform.databaseUrls.audit
  const before = await usageRowsOf(auditDatabaseUrl, accountId)
  const mendable = sent.filter(({ isMendable }) => isMendable).length
  const expected = { restored: mendable, left: sent.length - mendable }
  const addresses = { auditDatabaseUrl, topicPrefix: platform.topicPrefix, rowDays: VALID_WITH_ROW_DAYS }
  const replay = () => waitUntil('a replay has ended', () => replayDeadLettersOf(addresses), REPLAYED_WITHIN_MS)
  const replayed = await replay()
  const again = await replay()
  const after = await usageRowsOf(auditDatabaseUrl, accountId)
  const verdict = await usageVerdictOf(auditDatabaseUrl, accountId)
  const letters = await deadLettersOf(auditDatabaseUrl)
  return [
    checkThat(
      'replay restores valid dead letters once and keeps the rest',
      JSON.stringify([replayed, again]) === JSON.stringify([expected, { restored: 0, left: expected.left }]),
      JSON.stringify({ expected, replayed, again }),
    ),
    checkThat(
      'restored events are counted',
      after.length === before.length + mendable && verdict.isRight && letters.length === expected.left,
      `${before.length} rows before, ${after.length} after, ${letters.length} letters, right: ${verdict.isRight}`,
    ),
  ]
}

function topicOf({ platform }: Field) {
  return { kafkaBrokers: platform.addresses.kafkaBrokers, topicPrefix: platform.topicPrefix }
}
