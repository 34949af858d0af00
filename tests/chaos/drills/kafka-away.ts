import { checkAllAnswered, checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { type Drill, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'
import type { ClientRequest, History } from '../history.ts'
import { quantileOf } from '../quantile-of.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const BEFORE_MS = [300, 900] as const
/** Share of the outage's duration that is measured before it. */
const BEFORE_SHARE = 0.25
const ANSWERS_MIN = 100

/** Latencies before and during the outage. */
function latencies({ requests, faults }: History): { p99BeforeMs: number; p99AwayMs: number } {
  const [outage] = faults
  if (outage === undefined) throw new Error('the history contains no outage')
  const p99Of = (isPart: (one: ClientRequest) => boolean) =>
    quantileOf(
      requests.filter(isPart).map(({ startMs, endMs }) => endMs - startMs),
      0.99,
    ) ?? 0
  return {
    p99BeforeMs: p99Of(({ endMs }) => endMs < outage.startMs),
    p99AwayMs: p99Of(({ startMs, endMs }) => startMs > outage.startMs && endMs < outage.endMs),
  }
}

/** The journals keep events that Kafka does not accept. */
export const kafkaAway: Drill = {
  name: 'kafka-away',
  what: 'no broker for a while: the journals fill, callers are not affected',
  async run(field) {
    const { platform, history, random, size } = field
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    await pause(random.between(...BEFORE_MS) + (size.isTimed ? size.awayMs * BEFORE_SHARE : 0))
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
        checkEnough(history.requests, ANSWERS_MIN),
        checkAllAnswered(history.requests),
        checkStatuses('every answer is a 200', history.requests, servedStatuses(size)),
        ...checkCounting(evidence),
      ],
      figures: {
        awayMs: size.awayMs,
        answered: evidence.answered.length,
        rows: evidence.rows.length,
        countedAfterMs: Date.now() - stoppedMs,
        ...latencies(history),
      },
    }
  },
}
