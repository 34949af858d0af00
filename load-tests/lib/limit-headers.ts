/** A limit as reported by an answer: `RateLimit-Policy` has quota and window, `RateLimit` the remaining quota. */
export type ReportedLimit = { policy: string; limit: number; windowSeconds: number | undefined; remaining: number }

/** Parses both headers, in the order of the policies; a policy without a state has `remaining` NaN. */
export function readLimits(policyHeader: string | undefined, stateHeader: string | undefined): ReportedLimit[] {
  const remainingByPolicy = new Map(items(stateHeader).map(({ name, numbers }) => [name, numbers['r']]))
  return items(policyHeader).map(({ name, numbers }) => ({
    policy: name,
    limit: numbers['q'] ?? Number.NaN,
    windowSeconds: numbers['w'],
    remaining: remainingByPolicy.get(name) ?? Number.NaN,
  }))
}

/** Usage including this request; undefined if the response does not report it. */
export function usedOf(limits: readonly ReportedLimit[], policy: string): number | undefined {
  const found = limits.find((one) => one.policy === policy)
  if (found === undefined || Number.isNaN(found.remaining)) return undefined
  return found.limit - found.remaining
}

/** Limits per rolling window; the month has an anchor day, and concurrency has no duration. */
export function rollingOf(limits: readonly ReportedLimit[]): { policy: string; limit: number; windowMs: number }[] {
  return limits.flatMap(({ policy, limit, windowSeconds }) =>
    windowSeconds === undefined || policy === 'month' ? [] : [{ policy, limit, windowMs: windowSeconds * 1_000 }],
  )
}

function items(header: string | undefined): { name: string; numbers: Record<string, number> }[] {
  if (header === undefined || header === '') return []
  return header.split(', ').map((item) => {
    const [name = '', ...parameters] = item.split(';')
    const numbers = parameters.map((one) => one.split('=')).map(([key = '', value]) => [key, Number(value)])
    return { name: name.replaceAll('"', ''), numbers: Object.fromEntries(numbers) as Record<string, number> }
  })
}
