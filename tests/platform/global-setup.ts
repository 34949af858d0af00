import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import type { TestProject } from 'vitest/node'

const GATEWAYS = 3

let platform: TestPlatform | undefined

/** One platform for all suites that only use it; each test has an account of its own. */
export async function setup(project: TestProject): Promise<void> {
  platform = await startTestPlatform({ gateways: GATEWAYS, servers: process.env })
  project.provide('platform', {
    gatewayUrl: platform.gatewayUrl,
    gatewayUrls: platform.gatewayUrls,
    webUrl: platform.webUrl,
    marketDataUrl: platform.serviceUrls['market-data'],
    marketDataDatabaseUrl: platform.databaseUrls['market-data'],
    auditDatabaseUrl: platform.databaseUrls.audit,
    configDatabaseUrl: platform.databaseUrls.config,
    redisUrl: platform.addresses.redisUrl,
    demoKey: platform.apiKey ?? '',
    internalKeys: platform.secrets.internalKeys,
  })
}

export async function teardown(): Promise<void> {
  await platform?.stop()
}
