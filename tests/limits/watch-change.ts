import type { Change, Step } from './change.ts'
import { DEGRADED, type ObservedAnswer, type Rate, startSteady, type Steady } from './steady-requests.ts'

export type WatchOptions = {
  gatewayUrls: readonly string[]
  trials: number
  /** Requests with the credential over all gateways, in addition to those that follow each change. */
  rate: Rate
  /** Before the change is requested, after it was answered, and while the next requests are in flight. */
  beforeChange?: () => Promise<unknown> | void
  afterChange?: () => Promise<unknown> | void
  duringRequests?: () => Promise<unknown> | void
}

/** Results of requests started after a change was answered. */
export type Watched = {
  step: string
  trials: number
  /** The owner reported that Redis could not be updated at once: such a trial proves nothing. */
  unpublished: number
  asked: number
  /** Used the state from before the change, which must not happen. */
  late: ObservedAnswer[]
  /** Decided without Redis, so the state may be outdated for a while. */
  degraded: number
  /** Responses that show neither the old nor the new state, counted by response. */
  odd: Record<string, number>
  /** Trials in which every gateway used the new state. */
  proven: number
  /** Time from the request of the change to its answer. */
  changeMs: number[]
}

/** A service did not answer in time, so the state is unknown. */
export const UNAVAILABLE: readonly string[] = ['503', '504']
const AT_EACH_GATEWAY = 3
const ROUNDS = 2

/** Repeats the change under steady requests, and checks every request that starts after its answer. */
export async function watchChange({ probe, newTrial }: Change, options: WatchOptions): Promise<Watched[]> {
  const { gatewayUrls, trials, rate } = options
  const steady = startSteady({ urls: gatewayUrls, probe, ...rate })
  const watched = new Map<string, Watched>()
  for (let n = 0; n < trials; n += 1) {
    const { credential, steps, end } = await newTrial()
    steady.use(credential)
    await steady.sendAll(1)
    for (const step of steps) {
      const found = watched.get(step.name) ?? emptyResult(step)
      watched.set(step.name, found)
      await makeOnce(step, found, { steady, options })
    }
    steady.use('')
    await end?.()
  }
  await steady.stop()
  return [...watched.values()]
}

async function makeOnce(
  step: Step,
  found: Watched,
  { steady, options }: { steady: Steady; options: WatchOptions },
): Promise<void> {
  await options.beforeChange?.()
  const requestedMs = performance.now()
  const { isPublished, fromMs } = await step.apply()
  found.changeMs.push(performance.now() - requestedMs)
  await options.afterChange?.()
  if (fromMs > performance.now()) await pause(fromMs - performance.now())
  for (let round = 0; round < ROUNDS; round += 1) {
    const answered = steady.sendAll(AT_EACH_GATEWAY)
    await options.duringRequests?.()
    await answered
  }
  const since = steady.take().filter(({ startMs }) => startMs >= fromMs)
  found.trials += 1
  if (isPublished) compareWithStep(since, step, found, options.gatewayUrls)
  else found.unpublished += 1
}

function compareWithStep(
  since: ObservedAnswer[],
  { was, becomes }: Step,
  found: Watched,
  gatewayUrls: readonly string[],
): void {
  found.asked += since.length
  for (const one of since) {
    if (one.state === was) found.late.push(one)
    else if (one.state === DEGRADED) found.degraded += 1
    else if (one.state !== becomes) found.odd[one.state] = (found.odd[one.state] ?? 0) + 1
  }
  const proven = new Set(since.filter(({ state }) => state === becomes).map(({ gateway }) => gateway))
  if (proven.size === gatewayUrls.length) found.proven += 1
}

function emptyResult({ name }: Step): Watched {
  return { step: name, trials: 0, unpublished: 0, asked: 0, late: [], degraded: 0, odd: {}, proven: 0, changeMs: [] }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
