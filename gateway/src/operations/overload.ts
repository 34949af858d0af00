import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { type Priority, PRIORITIES, type PrioritizedRequest } from '../routing/priority.ts'
import { newProblem, type Problem } from '../problems/problem.ts'

export type OverloadOptions = {
  /** Maximum number of open requests. */
  inFlightMax: number
  /** Bound on the event loop's median delay. */
  loopDelayMaxMs: number
}

const CHECK_EVERY_MS = 1_000
const RESOLUTION_MS = 20
/** The median turn, not the longest, and twice in a row: one pause of a busy machine is not an overload. */
const PERCENTILE = 50
const NANOSECONDS_PER_MS = 1_000_000

/** The part of the bounds at which each priority is rejected: the least urgent first, the most urgent never. */
const SHED_FROM: Record<Priority, number> = { vital: Infinity, pro: 1, basic: 0.9, free: 0.8, export: 0.6 }
/** `Retry-After` in seconds: longer for less urgent requests. */
const RETRY_AFTER_S: Record<Priority, number> = { vital: 1, pro: 1, basic: 2, free: 3, export: 10 }

const problems = Object.fromEntries(
  PRIORITIES.map((priority) => [
    priority,
    newProblem('gateway.overloaded', 'The gateway is overloaded. Try again shortly.', RETRY_AFTER_S[priority]),
  ]),
) as Record<Priority, Problem>

/** Rejects requests before they cost anything, while more are open than this process can serve in time. */
export class Overload {
  inFlight = 0
  loopDelayMs = 0
  readonly shed: Record<Priority, number> = { vital: 0, pro: 0, basic: 0, free: 0, export: 0 }
  private lastDelayMs = 0
  private readonly histogram: ReturnType<typeof monitorEventLoopDelay>
  private readonly timer: NodeJS.Timeout
  private readonly options: OverloadOptions

  constructor(options: OverloadOptions) {
    this.options = options
    this.histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    this.histogram.enable()
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS)
    this.timer.unref()
  }

  /** A request has been received. */
  opened(request: Pick<PrioritizedRequest, 'route'>): void {
    if (isShortLived(request)) this.inFlight += 1
  }

  /** Its answer is complete. The client may still have to read it, and earlier ones on its connection. */
  completed(request: Pick<PrioritizedRequest, 'route'>): void {
    if (isShortLived(request)) this.inFlight -= 1
  }

  /** Whether any priority is rejected: checked for every request. */
  isPressed(): boolean {
    return this.pressure() > SHED_FROM.export
  }

  /** The problem of a rejected request; undefined: it is served. */
  problemFor(priority: Priority): Problem | undefined {
    if (this.pressure() <= SHED_FROM[priority]) return undefined
    this.shed[priority] += 1
    return problems[priority]
  }

  stop(): void {
    clearInterval(this.timer)
    this.histogram.disable()
  }

  measure(metrics: GatewayMetrics): void {
    metrics.addGauge({ name: 'gateway_in_flight', help: 'Open requests.', read: () => this.inFlight })
    metrics.addGauge({
      name: 'gateway_loop_delay_ms',
      help: 'Median delay of the event loop.',
      read: () => this.loopDelayMs,
    })
    for (const priority of PRIORITIES) {
      const labels = `{priority="${priority}"}`
      const read = () => this.shed[priority]
      metrics.addCounter({ name: 'gateway_shed_total', labels, help: 'Requests rejected because of overload.', read })
    }
  }

  private pressure(): number {
    const { inFlightMax, loopDelayMaxMs } = this.options
    return Math.max(this.inFlight / inFlightMax, this.loopDelayMs / loopDelayMaxMs)
  }

  private check(): void {
    const delayMs = Math.max(0, this.histogram.percentile(PERCENTILE) / NANOSECONDS_PER_MS - RESOLUTION_MS)
    this.loopDelayMs = Math.min(delayMs, this.lastDelayMs)
    this.lastDelayMs = delayMs
    this.histogram.reset()
  }
}

/** Streams stay open by design: they are limited by connections and not counted as in flight. */
function isShortLived({ route }: Pick<PrioritizedRequest, 'route'>): boolean {
  return route?.timeoutMs !== null
}
