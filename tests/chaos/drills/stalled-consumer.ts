import { usageRowsOf } from '@tapeline/testing/usage/usage-rows'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkAllAnswered, checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { checkThat, type Drill, type Field, pause, PLATFORM } from '../drill.ts'
import { type Account, newAccount, startLoad } from '../load.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const BEFORE_MS = [800, 1_600] as const
const RESTARTED_WITHIN_MS = 45_000
/** Bound of waiting for the new process and for its first rows. */
const GIVE_UP_AFTER_MS = 120_000
const AFTERWARDS_MS = 2_000
const ANSWERS_MIN = 100
/** Part of the statement that stores usage events. */
const STORES_EVENTS = 'insert into request_log'

/** No timeout of the process ends this wait, so only a new process continues. */
export const stalledConsumer: Drill = {
  name: 'stalled-consumer',
  what: 'the connection on which audit stores events becomes half-open: no response, no error',
  platform: { ...PLATFORM, isRestarting: true },
  async run(field) {
    const { platform, history, random, wires, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    await waitUntil('events are stored', async () => (await rowsOf(field, account)) > 0, GIVE_UP_AFTER_MS)
    await pause(random.between(...BEFORE_MS))
    const pid = () => platform.processes.find(({ name }) => name === 'audit')?.pid()
    const before = pid()
    await wires.databases.audit.silenceNext(STORES_EVENTS)
    const stalledMs = Date.now()
    const isNew = () => pid() !== undefined && pid() !== before
    await history.during('stalled', 'audit', () =>
      // Without a new process the counts are checked all the same.
      waitUntil('a new process runs', isNew, GIVE_UP_AFTER_MS).catch(() => platform.restart('audit')),
    )
    const restartedAfterMs = Date.now() - stalledMs
    const stored = await rowsOf(field, account)
    await waitUntil('it stores events', async () => (await rowsOf(field, account)) > stored, GIVE_UP_AFTER_MS)
    const storesAfterMs = Date.now() - stalledMs
    await pause(AFTERWARDS_MS)
    await load.stop()
    const stoppedMs = Date.now()
    const evidence = await gatherCounting(field, account)
    return {
      checks: [
        checkThat(
          `a new process runs within ${RESTARTED_WITHIN_MS} ms`,
          restartedAfterMs <= RESTARTED_WITHIN_MS,
          `${restartedAfterMs} ms`,
        ),
        checkEnough(history.requests, ANSWERS_MIN),
        checkAllAnswered(history.requests),
        checkStatuses('every answer is a 200', history.requests, servedStatuses(size)),
        ...checkCounting(evidence),
      ],
      figures: {
        restartedAfterMs,
        storesAfterMs,
        answered: evidence.answered.length,
        rows: evidence.rows.length,
        countedAfterMs: Date.now() - stoppedMs,
      },
    }
  },
}

async function rowsOf({ platform }: Field, { accountId }: Account): Promise<number> {
  return (await usageRowsOf(platform.databaseUrls.audit, accountId)).length
}
