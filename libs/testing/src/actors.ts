import type { Role, Tier, UserActor } from '@tapeline/contracts/actor'

export type SomeUser = {
  userId?: string
  role?: Role
  tier?: Tier
  features?: string[]
  keyId?: string | null
  scopes?: string[]
}

const BASIC_FEATURES = ['apiAccess', 'realTimeData', 'apiKeyManagement', 'emailSupport']
const PAID_FEATURES = [...BASIC_FEATURES, 'historicalData', 'basicAnalytics', 'dataExport', 'webhooks']
const FEATURES: Record<Tier, string[]> = {
  free: BASIC_FEATURES,
  basic: PAID_FEATURES,
  pro: [...PAID_FEATURES, 'advancedAnalytics', 'customReports', 'prioritySupport'],
}

/** A signed-in user with a unique id; by default role user, tier free. */
export function someUser({
  userId,
  role = 'user',
  tier = 'free',
  features,
  keyId = null,
  scopes,
}: SomeUser = {}): UserActor {
  return {
    kind: 'user',
    userId: userId ?? crypto.randomUUID(),
    role,
    tier,
    features: features ?? FEATURES[tier],
    sessionId: keyId === null ? crypto.randomUUID() : null,
    keyId,
    scopes: scopes ?? ['trades:read', 'l2events:read', 'files:read', 'stream:read'],
    environment: 'live',
    timeZone: 'UTC',
  }
}
