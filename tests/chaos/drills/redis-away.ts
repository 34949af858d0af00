import { waitUntil } from '@tapeline/testing/wait-until'
import { checkAllAnswered, checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { check, checkThat, type Check, type Drill, type Field, type Outcome, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import type { ClientRequest } from '../history.ts'
import { newAccount, startLoad } from '../load.ts'
import { hangFor } from '../signal-process.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const BEFORE_MS = [700, 1_300] as const
const AFTERWARDS_MS = 3_000
const ANSWERS_MIN = 20
/** Time after which requests use the share. */
const NOTICED_AFTER_MS = 500

type Step = (field: Field) => Promise<void>
type Loss = { begin?: Step; lose: Step; recover?: Step }

export const redisAway: Drill = {
  name: 'redis-away',
  what: 'no Redis for a while: gateways admit a share of each limit and mark responses as degraded',
  run: (field) =>
    withoutRedis(field, {
      begin: ({ platform }) => platform.kill('redis'),
      lose: ({ size }) => pause(size.awayMs),
      recover: ({ platform }) => platform.restart('redis'),
    }),
}

export const redisHung: Drill = {
  name: 'redis-hung',
  what: 'Redis accepts connections but does not answer',
  run: (field) => withoutRedis(field, { lose: ({ platform, size }) => hangFor(platform, 'redis', size.awayMs) }),
}

async function withoutRedis(field: Field, { begin, lose, recover }: Loss): Promise<Outcome> {
  const { history, random } = field
  const account = await newAccount(field)
  const load = startLoad(field, account, LOAD)
  await pause(random.between(...BEFORE_MS))
  await begin?.(field)
  await history.during('down', 'redis', () => lose(field))
  await recover?.(field)
  await pause(AFTERWARDS_MS)
  const isWhole = () => history.requests.at(-1)?.isDegraded === false
  await waitUntil('an answer is whole again', isWhole, field.size.settledWithinMs).catch(() => {})
  await load.stop()
  // A killed Redis loses its last second.
  const evidence = await gatherCounting(field, account, { areCellsWhole: false })
  return {
    checks: [
      checkEnough(history.requests, ANSWERS_MIN),
      checkAllAnswered(history.requests),
      checkStatuses('every answer is a 200', history.requests, servedStatuses(field.size)),
      ...checkMarks(field),
      ...checkCounting(evidence),
    ],
    figures: {
      answered: evidence.answered.length,
      rows: evidence.rows.length,
      degraded: degraded(history.requests).length,
    },
  }
}

function checkMarks({ history }: Field): Check[] {
  const fault = history.faults.find(({ what }) => what === 'down')
  if (fault === undefined) return [check('Redis was unavailable', ['it was not'])]
  const during = history.requests.filter(
    ({ startMs, endMs }) => startMs > fault.startMs + NOTICED_AFTER_MS && endMs < fault.endMs,
  )
  const unmarked = during.length - degraded(during).length
  return [
    checkThat(
      'answers without Redis are marked as degraded',
      during.length > 0 && unmarked === 0,
      `${unmarked} of ${during.length} do not`,
    ),
    checkThat('the last answer is whole again', history.requests.at(-1)?.isDegraded === false, 'it is degraded'),
  ]
}

function degraded(requests: readonly ClientRequest[]): ClientRequest[] {
  return requests.filter(({ isDegraded }) => isDegraded === true)
}
