export type Rule = { name: string; free: number; firstDelayMs: number; delayMaxMs: number }
export type TryCounts = Map<string, { tries: number; untilMs: number }>

const DOUBLINGS_MAX = 30

/** In-memory version of TAKE_TRY: returns how long to wait, or 0 after incrementing every count. */
export function countTry(counts: TryCounts, rules: readonly Rule[], nowMs: number): number {
  const waits = rules.map(({ name, delayMaxMs }) => Math.min((counts.get(name)?.untilMs ?? 0) - nowMs, delayMaxMs))
  const waitMs = Math.max(...waits)
  if (waitMs > 0) return waitMs
  for (const { name, free, firstDelayMs, delayMaxMs } of rules) {
    const tries = (counts.get(name)?.tries ?? 0) + 1
    const delayMs = Math.min(firstDelayMs * 2 ** Math.min(tries - free, DOUBLINGS_MAX), delayMaxMs)
    counts.set(name, { tries, untilMs: tries < free ? 0 : nowMs + delayMs })
  }
  return 0
}

/** In-memory version of GIVE_BACK_TRY. */
export function giveBackTry(counts: TryCounts, names: readonly string[], cleared: readonly string[]): void {
  for (const name of names) {
    const tries = counts.get(name)?.tries ?? 0
    if (cleared.includes(name) || tries <= 1) counts.delete(name)
    else counts.set(name, { tries: tries - 1, untilMs: 0 })
  }
}
