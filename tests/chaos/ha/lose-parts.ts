import { startArrivals } from '@tapeline/testing/usage/traffic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkEnough, countStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { checkThat, type Field, type Outcome, pause } from '../drill.ts'
import { restartRedisDuringTraffic } from '../drills/redis-restarted.ts'
import { type Account, newAccount } from '../load.ts'
import { startVisits } from '../visits.ts'
import type { HaPlatform } from './ha-platform.ts'
import type { Part, PartKind } from './part.ts'
import { type Loss, type Recovery, recoveriesOf } from './recovery.ts'

export type LoseOptions = { perSecond: number; pairs: number; kinds: readonly PartKind[]; log: (line: string) => void }
export type LostOutcome = Outcome & { recoveries: Recovery[] }

/** Long enough for Patroni's failover (its lease is 20 s) and its effects; other parts are replaced sooner. */
const DOWN_MS: Partial<Record<PartKind, number>> = { 'PostgreSQL primary': 28_000, 'PostgreSQL standby': 8_000 }
const DOWN_DEFAULT_MS = 4_000
const DOWN_PAIR_MS = 28_000
const UP_MS = 3_000
const ANSWERS_MIN = 1_000
const OK = 200
/** The first loss waits until every request of this period was answered with 200 within the given time. */
const STEADY_MS = 5_000
const STEADY_REQUEST_MS = 500
const STEADY_WITHIN_MS = 120_000

/** kill -9 of each part in turn under load, then of pairs; each is started again. */
export async function loseParts(ha: HaPlatform, field: Field, options: LoseOptions): Promise<LostOutcome> {
  const { pairs, kinds, log } = options
  const account = await newAccount(field)
  const load = startLoad(field, account, options.perSecond)
  const visits = startVisits(field, account)
  const losses: Loss[] = []
  await untilSteady(field, log)
  for (const find of ha.parts) {
    const part = await find()
    if (kinds.length > 0 && !kinds.includes(part.kind)) continue
    losses.push(await lose(ha, field, [part], DOWN_MS[part.kind] ?? DOWN_DEFAULT_MS))
    log(lossText(losses.at(-1)))
  }
  for (let n = 0; n < pairs; n += 1) {
    losses.push(await lose(ha, field, await twoOf(ha, field), DOWN_PAIR_MS))
    log(lossText(losses.at(-1)))
  }
  await pause(UP_MS)
  await visits.stop()
  await load.stop()
  log('all is up; counting')
  const counted = await gatherCounting({ ...field, platform: await ha.withPrimary() }, account, {
    areCellsWhole: false,
  })
  const requests = field.history.requests.filter(({ account: id }) => id === account.accountId)
  const recoveries = recoveriesOf(losses, requests, visits.list)
  return {
    checks: [checkEnough(requests, ANSWERS_MIN), ...checkCounting(counted), checkRecovered(requests, losses)],
    figures: {
      kills: losses.reduce((sum, { names }) => sum + names.length, 0),
      asked: requests.length,
      answered: counted.answered.length,
      unanswered: counted.unanswered,
      inFlightAtKills: counted.inFlight,
      rows: counted.rows.length,
      ...statusesOf(requests),
    },
    recoveries,
  }
}

/**
 * The Redis failover with accounts at their limits: each window admits its limit, the shares, and the requests of the
 * lost second.
 */
export async function loseRedisAtTheLimit(ha: HaPlatform): Promise<Outcome> {
  const platform = await ha.withPrimary()
  const master = await ha.redis.master()
  const outcomes = await restartRedisDuringTraffic({
    ...platform,
    kill: async () => master.kill(),
    restart: async () => {
      await pause(DOWN_DEFAULT_MS)
      await master.start()
    },
  })
  return {
    checks: outcomes.map(({ policy, most, atMost, requests }) =>
      checkThat(
        `Redis failover, ${policy}: at most the limit, a share per gateway and the last second`,
        most <= atMost && requests > atMost,
        `${most} admitted in one window, at most ${atMost}; ${requests} sent`,
      ),
    ),
    figures: Object.fromEntries(
      outcomes.flatMap(({ policy, most, atMost }) => [
        [`${policy}Most`, most],
        [`${policy}AtMost`, atMost],
      ]),
    ),
  }
}

/** Processes that have just started are slow: their effect on requests must not be taken for that of a loss. */
async function untilSteady({ history }: Field, log: LoseOptions['log']): Promise<void> {
  const isSteady = () => {
    const since = Date.now() - STEADY_MS
    const recent = history.requests.filter(({ endMs }) => endMs >= since)
    const isSlow = ({ startMs, endMs, status }: Field['history']['requests'][number]) =>
      status !== OK || endMs - startMs > STEADY_REQUEST_MS
    return recent.length > 0 && (history.requests[0]?.endMs ?? since) < since && !recent.some(isSlow)
  }
  const isReached = await waitUntil('requests are answered steadily', isSteady, STEADY_WITHIN_MS).catch(() => false)
  log(isReached === false ? 'the load is more than this machine serves steadily' : 'requests are answered steadily')
}

async function lose(ha: HaPlatform, { history }: Field, parts: Part[], downMs: number): Promise<Loss> {
  const names = parts.map(({ name }) => name)
  const killedMs = Date.now()
  await history.during('kill', names.join(' and '), async () => Promise.all(parts.map((part) => part.kill())))
  await pause(downMs)
  const restartedMs = Date.now()
  await history.during('restart', names.join(' and '), async () => {
    await Promise.all(parts.map((part) => part.restart()))
    await ha.untilWhole()
  })
  await pause(UP_MS)
  return { names, kinds: parts.map(({ kind }) => kind), killedMs, restartedMs, endMs: Date.now() }
}

async function twoOf(ha: HaPlatform, { random }: Field): Promise<Part[]> {
  const found = await Promise.all(ha.parts.map((find) => find()))
  return random.shuffled(found).slice(0, 2)
}

function startLoad({ platform, history, loads }: Field, { accountId, apiKey }: Account, perSecond: number) {
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

/** In the last second before the next loss every request is answered with a 200. */
function checkRecovered(requests: Field['history']['requests'], losses: readonly Loss[]) {
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

function statusesOf(requests: Field['history']['requests']): Record<string, number> {
  return Object.fromEntries(
    Object.entries(countStatuses(requests)).map(([status, count]) => [`status${status}`, count]),
  )
}

function lossText(loss: Loss | undefined): string {
  if (loss === undefined) return ''
  const { names, killedMs, restartedMs, endMs } = loss
  return `${names.join(' and ')} killed, started again after ${restartedMs - killedMs} ms, whole after ${endMs - killedMs} ms`
}
