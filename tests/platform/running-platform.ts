import { inject } from 'vitest'

/** The platform started for the suites. */
export type RunningPlatform = {
  gatewayUrl: string
  /** Three gateways on one Redis. */
  gatewayUrls: string[]
  /** The one gateway that throttles by address and account: 8 a minute. */
  throttledGatewayUrl: string
  serviceUrls: Record<'identity' | 'api-key' | 'audit' | 'config' | 'market-data', string>
  webUrl: string
  /** Address at which sent mails can be read. */
  mailUrl: string
  marketDataUrl: string
  marketDataDatabaseUrl: string
  auditDatabaseUrl: string
  configDatabaseUrl: string
  identityDatabaseUrl: string
  redisUrl: string
  demoKey: string
  internalKeys: Record<string, string>
  identitySecret: string
  /** Every line that any process has written so far. */
  logFile: string
}

declare module 'vitest' {
  interface ProvidedContext {
    platform: RunningPlatform
  }
}

export function runningPlatform(): RunningPlatform {
  return inject('platform')
}
