import type { ServerResponse } from 'node:http'
import { startArrivals } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkAllAnswered, checkStatuses } from '../../checks/check-answers.ts'
import { checkCounting } from '../../checks/check-counting.ts'
import { checkUpstream, type Rejection, type UpstreamEvidence } from '../../checks/check-upstream.ts'
import { gatherCounting } from '../../checks/gather-counting.ts'
import { type Drill, type Field, pause } from '../../drill.ts'
import { type Account, newAccount, startLoad } from '../../load.ts'
import { replaceMarketData } from '../../replace-market-data.ts'

/** At each gateway: an open breaker allows one probe per second, which is less than one request in a hundred. */
const PER_SECOND = 120
const WARM_UP = { clients: 4, pauseMs: 10 }
const WARM_UP_ANSWERS = 300
/** Fills the breaker's window with successes. */
const HEALTHY_MS = 3_000
/** More than a tenth, so that there are more failures than retries; less than half, so that the breaker stays closed. */
const FAILED_PERCENT = 30
/** Time in which a gateway uses up the retries that it saved while nothing failed. */
const SAVED_MS = 2_000
const PHASE_LEAST_MS = 3_000
/** A breaker opens when half of the requests of the last ten seconds have failed. */
const OPEN_WITHIN_MS = 30_000
const EFFECT_AFTER_MS = 1_000
const BREAKER_REJECTS = '"service.unavailable"'

type Failing = 'none' | 'some' | 'all'

export const upstreamFailing: Drill = {
  name: 'upstream-failing',
  what: 'market-data answers a part of the requests with 503 or not at all, then all of them',
  async run(field) {
    const { random, history, size } = field
    const account = await newAccount(field)
    let failing: Failing = 'none'
    const service = await replaceMarketData(field, ({ reply, answer }) => {
      const isFailed = failing === 'all' || (failing === 'some' && random.between(1, 100) <= FAILED_PERCENT)
      if (isFailed) fail(reply, service.received.length)
      else answer()
    })
    await warmUp(field, account)
    const rejections = startRequests(field, account)
    const phaseMs = Math.max(PHASE_LEAST_MS, size.awayMs / 2)
    await pause(HEALTHY_MS)
    failing = 'some'
    await pause(SAVED_MS)
    const partly = await during(service.received, () => pause(phaseMs))
    failing = 'all'
    const outage = { startMs: Date.now(), endMs: 0 }
    const isOpen = (list: readonly Rejection[]) => list.some(({ startMs }) => startMs >= outage.startMs)
    const whole = await during(service.received, async () => {
      await waitUntil('every breaker is open', () => rejections.every(isOpen), OPEN_WITHIN_MS)
      await pause(EFFECT_AFTER_MS + phaseMs)
      outage.endMs = Date.now()
      failing = 'none'
    })
    const lastRejected = () => Math.max(...rejections.flat().map(({ endMs }) => endMs))
    await waitUntil('every breaker is closed', () => Date.now() - lastRejected() > EFFECT_AFTER_MS, OPEN_WITHIN_MS)
    for (const load of field.loads) if (load !== service) await load.stop()
    await service.stop()
    const requests = history.requests.filter(({ startMs, endMs }) => startMs >= outage.startMs && endMs <= outage.endMs)
    const evidence: UpstreamEvidence = { partly, whole, requests, rejections, outage, gateways: rejections.length }
    const { checks, figures } = checkUpstream(evidence)
    return {
      checks: [
        ...checks,
        checkAllAnswered(history.requests),
        checkStatuses('every answer is a 200, 502 or 503', history.requests, [200, 502, 503]),
        ...checkCounting(await gatherCounting(field, account)),
      ],
      figures: {
        ...figures,
        answered: history.requests.length,
        closedAfterMs: Math.max(0, lastRejected() - outage.endMs),
      },
    }
  },
}

/** The first requests are slow; at a fixed rate, slow requests would accumulate. */
async function warmUp(field: Field, account: Account): Promise<void> {
  const load = startLoad(field, account, WARM_UP)
  const served = () => field.history.requests.filter(({ status }) => status === 200).length
  await waitUntil('the gateways are warm', () => served() >= WARM_UP_ANSWERS, OPEN_WITHIN_MS)
  await load.stop()
}

/** Alternately a 503 and a broken connection. */
function fail(reply: ServerResponse, n: number): void {
  if (n % 2 === 0) reply.writeHead(503).end('not now')
  else reply.socket?.destroy()
}

/** The ids that arrive meanwhile. */
async function during(received: readonly string[], work: () => Promise<unknown>): Promise<string[]> {
  const from = received.length
  await work()
  return received.slice(from)
}

/** Requests at a fixed rate at each gateway; returns those that its breaker rejects, by gateway. */
function startRequests({ platform, history, loads }: Field, { accountId, apiKey }: Account): Rejection[][] {
  return platform.gatewayUrls.map((url) => {
    const rejected: Rejection[] = []
    const arrivals = startArrivals({
      urls: [url],
      key: apiKey,
      perSecond: PER_SECOND,
      onAnswer(one) {
        const { startMs, endMs } = one
        const answer = 'status' in one ? { requestId: one.requestId, status: one.status } : {}
        history.add({ account: accountId, startMs, endMs, ...answer })
        if ('body' in one && one.body.includes(BREAKER_REJECTS)) {
          rejected.push({ startMs, endMs, requestId: one.requestId, retryAfter: one.retryAfter })
        }
      },
    })
    loads.push(arrivals)
    return rejected
  })
}
