import type { ServiceName } from '@tapeline/contracts/actor'
import type { Logger } from '@tapeline/service/logger'
import type { ActorTokens } from './actor-tokens.ts'
import type { BrowserPolicy } from './browser-policy.ts'
import type { ClientAddress } from './client-address.ts'
import type { Config } from './config.ts'
import type { Deadlines } from './deadlines.ts'
import type { FailureBucket } from './failure-bucket.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { KnownKeys } from './known-keys.ts'
import type { Limiter } from './decide-limits.ts'
import type { LimiterUpkeep } from './limiter-upkeep.ts'
import type { Overload } from './overload.ts'
import type { AccessTokens } from './read-access-token.ts'
import type { ServiceLink } from './open-links.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Spans } from './export-spans.ts'
import type { UsageFacts } from './usage-event.ts'
import type { UsageJournal } from './usage-journal.ts'

/** What every request needs, connected in main.ts. */
export type Gateway = {
  config: Pick<Config, 'BODY_BYTES_MAX' | 'GATEWAYS_EXPECTED' | 'SECURITY_CONTACT'>
  logger: Logger
  /** Milliseconds since 1970. */
  now: () => number
  policy: BrowserPolicy
  clientAddress: ClientAddress
  known: KnownKeys
  tokens: AccessTokens
  limiter: Limiter
  upkeep: LimiterUpkeep
  journal: UsageJournal
  usageLine: (facts: UsageFacts) => string
  links: ReadonlyMap<ServiceName, ServiceLink>
  deadlines: Deadlines
  streams: OpenStreams
  overload: Overload
  metrics: GatewayMetrics
  /** Where tracing is on. */
  spans?: Spans
  actorTokens: ActorTokens
  /** Addresses that guessed too often: their wrong credentials are answered 429. */
  failures: FailureBucket
  newLeaseId: () => string
  isStopping: () => boolean
}
