import { apiKeyEvents, leakPolicyChanged } from './api-key/events.ts'
import { auditEvents } from './audit/events.ts'
import { configEvents } from './config/events.ts'
import type { EventDefinition } from './event.ts'
import { identityEvents } from './identity/events.ts'
import { marketDataEvents } from './market-data/events.ts'
import { usageRequestServed, usageStreamDelivered } from './usage/events.ts'

export const allEvents: readonly EventDefinition[] = [
  usageRequestServed,
  usageStreamDelivered,
  ...identityEvents,
  ...apiKeyEvents,
  leakPolicyChanged,
  ...configEvents,
  ...marketDataEvents,
  ...auditEvents,
]
