import { inject } from 'vitest'

/** What the suites know of the platform that was started for them. */
export type RunningPlatform = {
  dir: string
  gatewayUrl: string
  gatewayUrls: string[]
  webUrl: string
  demoKey: string
  marketDataUrl: string
  configDatabaseUrl: string
  redisUrl: string
}

declare module 'vitest' {
  interface ProvidedContext {
    platform: RunningPlatform
  }
}

export function runningPlatform(): RunningPlatform {
  return inject('platform')
}
