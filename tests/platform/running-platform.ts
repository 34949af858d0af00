import { inject } from 'vitest'

/** What the suites know of the platform that was started for them. */
export type RunningPlatform = {
  gatewayUrl: string
  /** Three gateways on one Redis. */
  gatewayUrls: string[]
  webUrl: string
  marketDataUrl: string
  marketDataDatabaseUrl: string
  auditDatabaseUrl: string
  configDatabaseUrl: string
  redisUrl: string
  demoKey: string
  internalKeys: Record<string, string>
}

declare module 'vitest' {
  interface ProvidedContext {
    platform: RunningPlatform
  }
}

export function runningPlatform(): RunningPlatform {
  return inject('platform')
}
