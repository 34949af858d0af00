import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import { recordUsage } from './record-usage.ts'
import type { Tables } from './tables.ts'
import { usageFault } from './usage-fault.ts'

export function subscriptions(deps: Pick<Deps, 'db' | 'now' | 'retention'>): Subscription<Tables>[] {
  return [
    onBatch(
      usageRequestServed,
      (trx, events) => recordUsage(deps, trx, events),
      (event) => usageFault(event, deps),
    ),
  ]
}
