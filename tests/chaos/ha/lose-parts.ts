import { checkEnough } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { checkThat, type Field, type Outcome, pause } from '../drill.ts'
import { restartRedisDuringTraffic } from '../drills/redis-restarted.ts'
import { newAccount } from '../load.ts'
import { startVisits } from '../visits.ts'
import type { HaPlatform } from './ha-platform.ts'
import type { Part, PartKind } from './part.ts'
import { type Loss, type Recovery, recoveriesOf } from './recovery.ts'
import { checkRecovered, startSteadyLoad, statusesOf, untilSteady } from './steady-load.ts'

export type LoseOptions = { perSecond: number; pairs: number; kinds: readonly PartKind[]; log: (line: string) => void }
export type LostOutcome = Outcome & { recoveries: Recovery[] }

/** Long enough for Patroni's failover (its lease is 20 s) and its effects; other parts are replaced sooner. */
const DOWN_MS: Partial<Record<PartKind, number>> = {
  'PostgreSQL primary': 28_000,
  'PostgreSQL standby': 8_000,
  'Cluster master': 8_000,
}
const DOWN_DEFAULT_MS = 4_000
const DOWN_PAIR_MS = 28_000
const UP_MS = 3_000
const ANSWERS_MIN = 1_000

/** kill -9 of each part in turn under load, then of pairs; each is started again. */
export async function loseParts(ha: HaPlatform, field: Field, options: LoseOptions): Promise<LostOutcome> {
  const { pairs, kinds, log } = options
  const account = await newAccount(field)
  const load = startSteadyLoad(field, account, options.perSecond)
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
      await pause(DOWN_MS[master.kind] ?? DOWN_DEFAULT_MS)
      await master.restart()
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

function lossText(loss: Loss | undefined): string {
  if (loss === undefined) return ''
  const { names, killedMs, restartedMs, endMs } = loss
  return `${names.join(' and ')} killed, started again after ${restartedMs - killedMs} ms, whole after ${endMs - killedMs} ms`
}
