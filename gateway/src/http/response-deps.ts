import type { BrowserPolicy } from './browser-policy.ts'
import type { Spans } from '../operations/export-spans.ts'
import type { GatewayMetrics } from '../operations/gateway-metrics.ts'
import type { Overload } from '../operations/overload.ts'
import type { Leases } from '../limiter/leases.ts'
import type { UsageFacts } from '../usage/usage-event.ts'
import type { UsageJournal } from '../usage/usage-journal.ts'

export type ResponseDeps = {
  policy: BrowserPolicy
  metrics: GatewayMetrics
  /** Undefined: tracing is off. */
  spans: Spans | undefined
  leases: Leases
  overload: Pick<Overload, 'completed'>
  journal: UsageJournal
  usageLine: (facts: UsageFacts) => string
  isStopping: () => boolean
}
