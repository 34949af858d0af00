import type { UserActor } from '@tapeline/contracts/actor'
import type { ForecastPoint, UsageForecast } from '@tapeline/contracts/audit/forecast'
import { monthPeriodAt } from '@tapeline/contracts/config/month-period'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { AppError } from '@tapeline/service/app-error'
import type { ReadSubscription } from '../custom-reports/make-due-reports.ts'
import type { Deps } from '../deps.ts'
import { readAsOf } from '../reports/read-as-of.ts'
import { findPeaks } from '../reports/report-queries.ts'
import { fitPlans, neededLimits } from './fitting-plan.ts'
import {
  CONFIDENCE,
  type Day,
  expect,
  fitModel,
  HISTORY_DAYS,
  HISTORY_DAYS_MIN,
  type Model,
  type Range,
  reachedAt,
} from './forecast-month.ts'
import { type DayUsage, findFirstDay, listDays } from './forecast-queries.ts'

export type ForecastDeps = Pick<Deps, 'db' | 'now' | 'settings'> & { readSubscription: ReadSubscription }

const DAY_MS = 86_400_000

/** The rest of the account's billing month, from its own last four weeks. */
export async function showForecast(deps: ForecastDeps, { userId, tier }: UserActor): Promise<UsageForecast> {
  const tiers = deps.settings.tiers()
  if (tiers === undefined) {
    throw new AppError('service.unavailable', 'The plans are not available. Try again later.', { isPartial: true })
  }
  const { anchor, rate_limits: own } = await deps.readSubscription(userId)
  const limits = own ?? tiers[tier].rateLimits
  const asOf = await readAsOf(deps, deps.now())
  const month = monthPeriodAt(new Date(anchor), asOf.getTime())
  const [fromMs, untilMs] = [month.startS * 1_000, month.endS * 1_000]
  const todayMs = Math.floor(asOf.getTime() / DAY_MS) * DAY_MS
  const historyMs = todayMs - HISTORY_DAYS * DAY_MS
  const oldestMs = Math.min(fromMs, historyMs)
  const days = await listDays(deps.db, userId, new Date(oldestMs))
  const firstDay = await findFirstDay(deps.db, userId)
  const peaks = await findPeaks(deps.db, userId, 'account_day', [{ fromMs: oldestMs, toMs: todayMs + DAY_MS }])

  const history = historyOf(days, limits, Math.max(historyMs, firstDay?.getTime() ?? todayMs), todayMs)
  const model = fitModel(history)
  const used = days.reduce((sum, day) => (day.bucket_at.getTime() >= fromMs ? sum + Number(day.admitted) : sum), 0)
  const times = { fromMs, asOfMs: asOf.getTime(), untilMs }
  const end = model && totalAt(model, used, [times.asOfMs, untilMs])
  const hasDenied = days.some(({ denied }) => Number(denied) > 0)
  const needed = neededLimits(limits, peaks, hasDenied)
  const plans = fitPlans(tiers, needed, end)
  return {
    as_of: asOf.toISOString(),
    month: { from: iso(fromMs), to: iso(untilMs) },
    used,
    limit: limits.requestsPerMonth,
    history: describeHistory(history),
    end: end ?? null,
    confidence: CONFIDENCE,
    used_up: model === undefined ? null : usedUp(model, limits.requestsPerMonth - used, times),
    series: [...pastPoints(days, times), ...futurePoints(model, used, times)],
    needed,
    plans,
    fitting: plans.find(({ verdict }) => verdict === 'fits')?.tier ?? null,
  }
}

function describeHistory(history: readonly Day[]): UsageForecast['history'] {
  const excluded = history.filter(({ isCapped }) => isCapped).length
  return { days: history.length - excluded, days_needed: HISTORY_DAYS_MIN, days_left_out: excluded }
}

/** Every complete day since the first request, days without requests included. */
function historyOf(days: readonly DayUsage[], limits: RateLimits, fromMs: number, todayMs: number): Day[] {
  const byDay = new Map(days.map((day) => [day.bucket_at.getTime(), day]))
  const history: Day[] = []
  for (let startMs = fromMs; startMs < todayMs; startMs += DAY_MS) {
    const day = byDay.get(startMs)
    const [requests, denied] = [Number(day?.admitted ?? 0), Number(day?.denied ?? 0)]
    const isCapped = denied > 0 && (requests === 0 || Number(day?.peak_month ?? 0) >= limits.requestsPerMonth)
    history.push({ startMs, requests, isCapped })
  }
  return history
}

type Times = { fromMs: number; asOfMs: number; untilMs: number }

function pastPoints(days: readonly DayUsage[], { fromMs, asOfMs }: Times): ForecastPoint[] {
  const byDay = new Map(days.map((day) => [day.bucket_at.getTime(), Number(day.admitted)]))
  const points: ForecastPoint[] = []
  let used = 0
  for (let startMs = fromMs; startMs <= asOfMs; startMs += DAY_MS) {
    used += byDay.get(startMs) ?? 0
    points.push({ at: iso(Math.min(startMs + DAY_MS, asOfMs)), used, likely: null, low: null, high: null })
  }
  return points
}

function futurePoints(model: Model | undefined, used: number, { asOfMs, untilMs }: Times): ForecastPoint[] {
  if (model === undefined) return []
  const points: ForecastPoint[] = []
  for (let atMs = Math.floor(asOfMs / DAY_MS + 1) * DAY_MS; atMs <= untilMs; atMs += DAY_MS) {
    points.push({ at: iso(atMs), used: null, ...totalAt(model, used, [asOfMs, atMs]) })
  }
  return points
}

function totalAt(model: Model, used: number, [asOfMs, atMs]: readonly [number, number]): Range {
  const { likely, low, high } = expect(model, asOfMs, atMs)
  return { likely: used + Math.round(likely), low: used + Math.floor(low), high: used + Math.ceil(high) }
}

/** The upper end of the range reaches the limit first. */
function usedUp(model: Model, room: number, { asOfMs, untilMs }: Times): UsageForecast['used_up'] {
  const at = (end: keyof Range) => reachedAt({ model, end }, room, [asOfMs, untilMs])
  const earliest = at('high')
  if (earliest === undefined) return null
  const [likely, latest] = [at('likely'), at('low')]
  return {
    earliest: iso(earliest),
    likely: likely === undefined ? null : iso(likely),
    latest: latest === undefined ? null : iso(latest),
  }
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
