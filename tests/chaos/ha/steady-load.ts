import { startArrivals } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { countStatuses } from '../checks/check-answers.ts'
import { type Check, checkThat, type Field, type RunningLoad } from '../drill.ts'
import type { Account } from '../load.ts'
import type { Loss } from './recovery.ts'

const OK = 200
/** The first loss waits until every request of this period was answered with 200 within the given time. */
const STEADY_MS = 5_000
const STEADY_REQUEST_MS = 500
const STEADY_WITHIN_MS = 120_000

/** Requests of an account at a constant rate, whatever the answers; each completed request is added to the history. */
export function startSteadyLoad(
  { platform, history, loads }: Field,
  { accountId, apiKey }: Account,
  perSecond: number,
): RunningLoad {
  const load = startArrivals({
    urls: platform.gatewayUrls,
    key: apiKey,
    perSecond,
    onAnswer(one) {
      const { startMs, endMs } = one
      const answer = 'status' in one ? { requestId: one.requestId, status: one.status, isDegraded: one.isDegraded } : {}
      history.add({ account: accountId, startMs, endMs, ...answer })
      if ('status' in one && one.status !== OK) history.note('failure', { startMs, endMs, body: one.body })
    },
  })
  loads.push(load)
  return load
}

/** Processes that have just started are slow: their effect on requests must not be taken for that of a loss. */
export async function untilSteady(
  { history }: Field,
  log: (line: string) => void,
  withinMs = STEADY_WITHIN_MS,
): Promise<void> {
  const isSteady = () => {
    const since = Date.now() - STEADY_MS
    const recent = history.requests.filter(({ endMs }) => endMs >= since)
    const isSlow = ({ startMs, endMs, status }: Field['history']['requests'][number]) =>
      status !== OK || endMs - startMs > STEADY_REQUEST_MS
    return recent.length > 0 && (history.requests[0]?.endMs ?? since) < since && !recent.some(isSlow)
  }
  const isReached = await waitUntil('requests are answered steadily', isSteady, withinMs).catch(() => false)
  log(isReached === false ? 'the load is more than this machine serves steadily' : 'requests are answered steadily')
}

/** In the last second before the next loss every request is answered with a 200. */
export function checkRecovered(requests: Field['history']['requests'], losses: readonly Loss[]): Check {
  const late = losses.filter(({ endMs }) =>
    requests.some(
      ({ startMs, endMs: answeredMs, status }) => startMs > endMs - 1_000 && answeredMs <= endMs && status !== 200,
    ),
  )
  return checkThat(
    'a second before the next kill all data requests are answered with 200',
    late.length === 0,
    late.map(({ names }) => names.join(' and ')).join(', '),
  )
}

/** Figures: requests by status. */
export function statusesOf(requests: Field['history']['requests']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(countStatuses(requests)).map(([status, count]) => [`status${status}`, count]),
  )
}
