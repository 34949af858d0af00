import type { SecondRange } from './records-between.ts'

export type PlanOptions = { latest: number; nowSecond: number; historySeconds: number; stepsMax: number }

/** If it is behind by more than this, the simulator catches up with coarser books. */
const LIVE_SECONDS_MAX = 60
const CATCH_UP_STEP_SECONDS = 30
/** Beginnings on the hour begin with a snapshot. */
const ALIGN_SECONDS = 3_600

/** The next range after `latest`; undefined until the next second has ended. Ranges older than history are skipped. */
export function planRange({ latest, nowSecond, historySeconds, stepsMax }: PlanOptions): SecondRange | undefined {
  const target = nowSecond - 1
  const previous = Math.max(latest, beginning(nowSecond, historySeconds))
  const secondsBehind = target - previous
  if (secondsBehind <= 0) return undefined
  if (secondsBehind <= LIVE_SECONDS_MAX) return { previous, latest: target, step: 1 }
  const steps = Math.min(Math.floor(secondsBehind / CATCH_UP_STEP_SECONDS), stepsMax)
  return { previous, latest: previous + steps * CATCH_UP_STEP_SECONDS, step: CATCH_UP_STEP_SECONDS }
}

/** The last second before history begins. */
export function beginning(nowSecond: number, historySeconds: number): number {
  return Math.floor((nowSecond - historySeconds) / ALIGN_SECONDS) * ALIGN_SECONDS - 1
}
