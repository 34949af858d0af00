import { checkAllAnswered, checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { type Drill, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'
import { hangFor } from '../signal-process.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const BEFORE_MS = [800, 1_600] as const
/** A session of eight seconds, and twenty more. */
const STOPPED_MS = 28_000
const AFTERWARDS_MS = 2_000
const ANSWERS_MIN = 100

/** PostgreSQL ends its transaction and the broker its group membership; after resuming, its state is stale. */
export const zombie: Drill = {
  name: 'zombie',
  what: 'audit is paused until long after its consumer session has expired, then resumed',
  async run(field) {
    const { platform, history, random, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    await pause(random.between(...BEFORE_MS))
    await history.during('stopped', 'audit', () => hangFor(platform, 'audit', STOPPED_MS))
    await pause(AFTERWARDS_MS)
    await load.stop()
    const stoppedMs = Date.now()
    const evidence = await gatherCounting(field, account)
    return {
      checks: [
        checkEnough(history.requests, ANSWERS_MIN),
        checkAllAnswered(history.requests),
        checkStatuses('every answer is a 200', history.requests, servedStatuses(size)),
        ...checkCounting(evidence),
      ],
      figures: {
        answered: evidence.answered.length,
        rows: evidence.rows.length,
        countedAfterMs: Date.now() - stoppedMs,
      },
    }
  },
}
