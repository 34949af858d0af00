import { checkAllAnswered, checkEnough, checkStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { type Drill, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const BEFORE_MS = [300, 900] as const
const ANSWERS_MIN = 100

/** The journals keep what Kafka does not take. */
export const kafkaAway: Drill = {
  name: 'kafka-away',
  what: 'no broker for a while: the journals fill, callers are not affected',
  async run(field) {
    const { platform, history, random, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    await pause(random.between(...BEFORE_MS))
    await history.during('down', 'kafka', async () => {
      await platform.kill('kafka')
      await pause(size.awayMs)
      await platform.restart('kafka')
    })
    await load.stop()
    const stoppedMs = Date.now()
    const evidence = await gatherCounting(field, account)
    return {
      checks: [
        checkEnough(history.asked, ANSWERS_MIN),
        checkAllAnswered(history.asked),
        checkStatuses('every answer is a 200', history.asked, [200]),
        ...checkCounting(evidence),
      ],
      figures: {
        awayMs: size.awayMs,
        answered: evidence.answered.length,
        rows: evidence.rows.length,
        countedAfterMs: Date.now() - stoppedMs,
      },
    }
  },
}
