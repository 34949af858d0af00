const DAY_MS = 86_400_000

/** Complete days before the forecast; older ones describe another habit. */
export const HISTORY_DAYS = 28
/** One of each day of the week. */
export const HISTORY_DAYS_MIN = 7
/** Share of months expected to end within the range. */
export const CONFIDENCE = 0.8
/** Standard normal quantile with 10 % above it. */
const Z = 1.2816
const AUTOCORRELATION_MAX = 0.9
/** Observations per kind of day that are required for a separate mean and variance. */
const OF_A_KIND_MIN = 2

/** A complete UTC day. `isCapped`: the month's limit rejected requests, so demand is unknown. */
export type Day = { startMs: number; requests: number; isCapped: boolean }
export type Range = { likely: number; low: number; high: number }
export type Model = { weekday: Kind; weekend: Kind; inflation: number; t: number }
type Kind = { mean: number; variance: number; count: number }

/**
 * Weekdays and weekends each have a mean and a variance. Undefined: fewer than `HISTORY_DAYS_MIN` days on which no limit capped the demand.
 * Busy days follow busy days: the variance of a sum is inflated by the lag-1 autocorrelation, (1 + r) / (1 − r).
 */
export function fitModel(history: readonly Day[]): Model | undefined {
  const uncapped = history.filter(({ isCapped }) => !isCapped)
  if (uncapped.length < HISTORY_DAYS_MIN) return undefined
  const weekdays = uncapped.filter(({ startMs }) => !isWeekend(startMs))
  const weekends = uncapped.filter(({ startMs }) => isWeekend(startMs))
  const isSplit = Math.min(weekdays.length, weekends.length) >= OF_A_KIND_MIN
  const weekday = kindOf(isSplit ? weekdays : uncapped)
  const weekend = isSplit ? kindOf(weekends) : weekday
  const r = autocorrelation(uncapped, (day) => (isWeekend(day) ? weekend.mean : weekday.mean))
  const freedom = uncapped.length - (isSplit ? 2 : 1)
  // Student's t for the degrees of freedom: first term of the Cornish-Fisher expansion.
  const t = Z + (Z ** 3 + Z) / (4 * freedom)
  return { weekday, weekend, inflation: (1 + r) / (1 - r), t }
}

/** Requests from a moment until another, beyond what was sent by then. */
export function expect(model: Model, fromMs: number, untilMs: number): Range {
  let [weekdays, weekends] = [0, 0]
  for (let day = Math.floor(fromMs / DAY_MS) * DAY_MS; day < untilMs; day += DAY_MS) {
    const share = (Math.min(day + DAY_MS, untilMs) - Math.max(day, fromMs)) / DAY_MS
    if (isWeekend(day)) weekends += share
    else weekdays += share
  }
  const { weekday, weekend, inflation, t } = model
  const likely = weekdays * weekday.mean + weekends * weekend.mean
  const variance = inflation * (varianceOfSum(weekday, weekdays) + varianceOfSum(weekend, weekends))
  const margin = t * Math.sqrt(variance)
  return { likely, low: Math.max(0, likely - margin), high: likely + margin }
}

/** First moment at which `used` plus the expected requests reach the limit, to the hour; undefined: not before `untilMs`. */
export function reachedAt(
  { model, end }: { model: Model; end: keyof Range },
  room: number,
  [fromMs, untilMs]: readonly [number, number],
): number | undefined {
  if (room <= 0) return fromMs
  for (let at = fromMs; at < untilMs; at += HOUR_MS) {
    const next = Math.min(at + HOUR_MS, untilMs)
    if (expect(model, fromMs, next)[end] >= room) return next
  }
  return undefined
}
const HOUR_MS = 3_600_000

/** The variance of the days, plus the uncertainty of a mean estimated from few days. */
function varianceOfSum({ variance, count }: Kind, days: number): number {
  return days * variance + (days ** 2 * variance) / count
}

function kindOf(days: readonly Day[]): Kind {
  const mean = days.reduce((sum, { requests }) => sum + requests, 0) / days.length
  const squares = days.reduce((sum, { requests }) => sum + (requests - mean) ** 2, 0)
  return { mean, variance: squares / (days.length - 1), count: days.length }
}

/** Lag-1 autocorrelation of consecutive days; negative values count as 0, because they would narrow the range. */
function autocorrelation(days: readonly Day[], meanOf: (startMs: number) => number): number {
  const residuals = new Map(days.map(({ startMs, requests }) => [startMs, requests - meanOf(startMs)]))
  let [products, squares] = [0, 0]
  for (const [startMs, residual] of residuals) {
    squares += residual ** 2
    products += residual * (residuals.get(startMs - DAY_MS) ?? 0)
  }
  if (squares === 0) return 0
  // The estimate from n days is low by about (1 + 4 r) / n.
  const raw = products / squares
  const corrected = raw + (1 + 4 * raw) / days.length
  return Math.min(AUTOCORRELATION_MAX, Math.max(0, corrected))
}

function isWeekend(startMs: number): boolean {
  const day = new Date(startMs).getUTCDay()
  return day === 0 || day === 6
}
