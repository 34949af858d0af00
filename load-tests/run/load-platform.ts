import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstrumentList } from '@tapeline/contracts/market-data/http'
import { send } from '@tapeline/testing/api-client'
import { NO_THROTTLES } from '@tapeline/testing/test-platform'
import { waitUntil } from '@tapeline/testing/wait-until'
import { findAddresses } from '../../deploy/local/find-addresses.ts'
import { type Platform, startPlatform } from '../../deploy/local/platform.ts'
import type { JourneyPlan } from './journeys.ts'
import type { LoadOrder } from './read-arguments.ts'

/** Target of the load, and the credentials to change plans there. */
export type LoadPlatform = {
  gateways: string[]
  operator: Operator
  /** Processes whose CPU time can be read; none for a platform on another machine. */
  processes: { name: string; pid: number }[]
  isOwn: boolean
  stop: () => Promise<void>
}
export type Operator =
  | { kind: 'commands'; identityDatabaseUrl: string; configDatabaseUrl: string; redisUrl: string }
  | { kind: 'admin'; email: string; password: string }
  /** No plans are set: the journey uses this key, or needs no accounts. */
  | { kind: 'none'; apiKey: string | undefined }

/** On two cores the generator delays Redis; fallback shares must not affect this measurement. */
const LONG_REPLY_TIMEOUT = { LIMITER_REPLY_WITHIN_MS: '1000' }
const HISTORY_WITHIN_MS = 30 * 60_000
const FRESH_MS = 60_000
const HOUR_MS = 3_600_000
/** The first trade arrives some time after the start. */
const SLACK_HOURS = 1
const RETENTION_DAYS = '35'

/** The platform at --base-url, or one that is started for this load and stopped afterwards. */
export async function openPlatform(order: LoadOrder, log: (line: string) => void): Promise<LoadPlatform> {
  const { gateways, journey } = order
  if (gateways.length > 0) {
    const operator = operatorOf(journey, process.env)
    return { gateways, operator, processes: [], isOwn: false, stop: async () => undefined }
  }
  log('starting a platform: about half a minute')
  return startOwn(order, log)
}

/**
 * API_KEY for read-only journeys; otherwise an admin (LOAD_ADMIN_EMAIL, LOAD_ADMIN_PASSWORD), or the platform of `npm
 * run admin`.
 */
function operatorOf({ groups }: JourneyPlan, env: NodeJS.ProcessEnv): Operator {
  const { LOAD_ADMIN_EMAIL: email, LOAD_ADMIN_PASSWORD: password, API_KEY: apiKey } = env
  const isReading = Object.keys(groups).every((group) => group === 'readers')
  if (isReading && apiKey !== undefined && apiKey !== '') return { kind: 'none', apiKey }
  if (Object.keys(groups).length === 0) return { kind: 'none', apiKey: undefined }
  if (email !== undefined && password !== undefined) return { kind: 'admin', email, password }
  const identity = findAddresses('identity', env)
  const config = findAddresses('config', env)
  const { redisUrl } = config
  return {
    kind: 'commands',
    identityDatabaseUrl: identity.databaseUrl,
    configDatabaseUrl: config.databaseUrl,
    redisUrl,
  }
}

async function startOwn({ journey, profile }: LoadOrder, log: (line: string) => void): Promise<LoadPlatform> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-load-'))
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  const historyHours = journey.historyHours(profile)
  const run = crypto.randomUUID().slice(0, 8)
  const gateway = { ...NO_THROTTLES, ...LONG_REPLY_TIMEOUT }
  const others = Array.from({ length: journey.gateways - 1 }, (_, n) => [`gateway-${n + 2}`, gateway])
  try {
    const platform = await startPlatform({
      dir,
      ports: 'free',
      gateways: journey.gateways,
      servers: process.env,
      databasePrefix: `load${run}_`,
      topicPrefix: `load${run}-`,
      env: {
        gateway,
        ...Object.fromEntries(others),
        'market-data': { SIMULATOR_HISTORY_HOURS: String(historyHours), SIMULATOR_RETENTION_DAYS: RETENTION_DAYS },
      },
    })
    const stop = () => platform.stop().finally(remove)
    try {
      await untilHistory(platform, historyHours, log)
    } catch (error) {
      await stop()
      throw error
    }
    return describe(platform, stop)
  } catch (error) {
    remove()
    throw error
  }
}

function describe(platform: Platform, stop: () => Promise<void>) {
  const { gatewayUrls, databaseUrls, addresses } = platform
  return {
    gateways: gatewayUrls,
    operator: {
      kind: 'commands' as const,
      identityDatabaseUrl: databaseUrls.identity,
      configDatabaseUrl: databaseUrls.config,
      redisUrl: addresses.redisUrl,
    },
    processes: listProcesses(platform),
    isOwn: true,
    stop,
  }
}

/** Services, gateways and the servers started by the platform. */
export function listProcesses({ processes, servers }: Platform): { name: string; pid: number }[] {
  const all = [
    ...processes.map(({ name, pid }) => ({ name, pid: pid() })),
    ...Object.entries(servers.started).map(([name, { pid }]) => ({ name, pid })),
  ]
  return all.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, pid }]))
}

/** The simulator generates its history in the background before live data. */
async function untilHistory({ gatewayUrl, apiKey }: Platform, hours: number, log: (line: string) => void) {
  log(`waiting for simulated history: ${hours} h`)
  const isThere = async () => {
    const { body } = await send<InstrumentList>(`${gatewayUrl}/api/v1/instruments`, { token: apiKey ?? '' })
    const simulated = body.data.filter(({ venue }) => venue === 'sim')
    const ends = simulated.map(({ first_ts_event: first, last_ts_event: last }) => ({ first, last }))
    return (
      ends.length > 0 &&
      ends.every(({ first, last }) => agoMs(last) < FRESH_MS && agoMs(first) > (hours - SLACK_HOURS) * HOUR_MS)
    )
  }
  await waitUntil('the simulated history is there', isThere, HISTORY_WITHIN_MS)
}

function agoMs(time: string | null): number {
  return time === null ? Number.NaN : Date.now() - Date.parse(time)
}
