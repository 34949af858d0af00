import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { startPlatform, type Platform } from '../../deploy/local/platform.ts'
import { pinTo, withDescendants } from './figures/process-figures.ts'

export type RunningGateway = {
  pid: number
  port: number
  apiKey: string
  redisUrl: string
  /**
   * Stops the services that count events and record the last use of a key, which would use the core that serves the
   * gateway (measure-consumer.ts measures their cost). Nothing else needs them, because the key is cached in Redis.
   */
  stopReaders: () => Promise<void>
  /** Milliseconds from the start of the process until it is ready. */
  startAgain: () => Promise<number>
  stop: () => Promise<void>
}
type Options = {
  dir: string
  upstreamUrl: string
  gatewayCore: number
  otherCore: number
  path: string
  env: NodeJS.ProcessEnv
}

const ROOT_DIR = join(import.meta.dirname, '..', '..')
const LIMIT = 100_000_000
const limits = {
  requestsPerMinute: LIMIT,
  requestsPerHour: LIMIT,
  requestsPerDay: LIMIT,
  requestsPerMonth: LIMIT,
  burstLimit: LIMIT,
  concurrentRequests: 10_000,
}

/** CPU time and queueing are measured; the flush time of a shared disk would dominate both. */
const WITHOUT_THE_DISK = { fsync: 'off' }

/** Starts the platform with a stub for market-data, the gateway on one core and everything else on the other. */
export async function startGateway(options: Options): Promise<RunningGateway> {
  const platform = await startPlatform({
    dir: options.dir,
    env: { gateway: { MARKET_DATA_URL: options.upstreamUrl, ...options.env } },
    only: ['identity', 'api-key', 'audit', 'config', 'gateway'],
    isRestarting: false,
    postgresSettings: WITHOUT_THE_DISK,
  })
  try {
    const apiKey = await keyWithoutLimits(platform)
    await expectAnswer(`${platform.gatewayUrl}${options.path}`, apiKey)
    const pid = pin(platform, options)
    return {
      pid,
      port: platform.ports.gateway,
      apiKey,
      redisUrl: platform.addresses.redisUrl,
      stopReaders: () => stopReaders(platform),
      startAgain: () => startAgain(platform),
      stop: platform.stop,
    }
  } catch (error) {
    await platform.stop()
    throw error
  }
}

async function stopReaders(platform: Platform): Promise<void> {
  for (const reader of ['audit', 'api-key'] as const) await platform.kill(reader)
}

async function startAgain(platform: Platform): Promise<number> {
  await platform.kill('gateway')
  const startedAt = performance.now()
  await platform.restart('gateway')
  return performance.now() - startedAt
}

/** All windows are checked, but no limit is reached. */
async function keyWithoutLimits(platform: Platform): Promise<string> {
  const account = await signUpUser(platform.gatewayUrl)
  await promisify(execFile)(
    process.execPath,
    [join(ROOT_DIR, 'services/config/src/admin.ts'), 'set-limits', account.user.id, JSON.stringify(limits)],
    { env: { ...process.env, DATABASE_URL: platform.databaseUrls.config, REDIS_URL: platform.addresses.redisUrl } },
  )
  return (await createKeyFor(platform.gatewayUrl, account.jwtToken, 'bench')).apiKey
}

async function expectAnswer(url: string, token: string): Promise<void> {
  const { status, body } = await send(url, { token })
  if (status !== 200) throw new Error(`the gateway returned ${status}: ${JSON.stringify(body)}`)
}

function pin(platform: Platform, { gatewayCore, otherCore }: Options): number {
  const pid = platform.processes.find(({ name }) => name === 'gateway')?.pid()
  if (pid === undefined) throw new Error('the gateway does not run')
  for (const other of withDescendants(process.pid)) pinTo(otherCore, other)
  for (const own of withDescendants(pid)) pinTo(gatewayCore, own)
  return pid
}
