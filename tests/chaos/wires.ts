import type { ServiceName } from '@tapeline/contracts/actor'
import { type FaultProxy, startFaultProxy } from '@tapeline/testing/fault-proxy'

export const SERVICES = ['identity', 'api-key', 'config', 'audit', 'market-data'] as const satisfies ServiceName[]
export type Service = (typeof SERVICES)[number]

/** Between each service and its PostgreSQL, between the gateways and market-data, and optionally the gateways and Redis. */
export type Wires = {
  databases: Record<Service, FaultProxy>
  marketData: FaultProxy
  /** Proxy between the gateways and Redis; the services connect to Redis directly. */
  redis: FaultProxy
  /** For the platform's start: every process gets the address of its wire instead of the server's. */
  overrideEnvironment: (name: string, env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv
  stop: () => Promise<void>
}

/** The addresses of the servers are unknown before the platform starts. */
const NOWHERE = 'tcp://127.0.0.1:1'

export type WiresOptions = { isRedisWired?: boolean }

export async function startWires({ isRedisWired = false }: WiresOptions = {}): Promise<Wires> {
  const [identity, apiKey, config, audit, marketDataTables, marketData, redis] = await Promise.all([
    startWire(),
    startWire(),
    startWire(),
    startWire(),
    startWire(),
    startWire(),
    startWire(),
  ])
  const databases = { identity, 'api-key': apiKey, config, audit, 'market-data': marketDataTables }
  return {
    databases,
    marketData,
    redis,
    overrideEnvironment(name, env) {
      const service = SERVICES.find((one) => one === name)
      if (service !== undefined) return through(env, 'DATABASE_URL', databases[service])
      if (!name.startsWith('gateway')) return env
      const wired = through(env, 'MARKET_DATA_URL', marketData)
      return isRedisWired ? through(wired, 'REDIS_URL', redis) : wired
    },
    async stop() {
      await Promise.all([...Object.values(databases), marketData, redis].map((wire) => wire.stop()))
    },
  }
}

function startWire(): Promise<FaultProxy> {
  return startFaultProxy(NOWHERE, { isRecording: false })
}

function through(env: NodeJS.ProcessEnv, field: string, wire: FaultProxy): NodeJS.ProcessEnv {
  const url = new URL(env[field] ?? NOWHERE)
  wire.pointAt(url.href)
  url.port = String(wire.port)
  return { ...env, [field]: url.href.replace(/\/$/, '') }
}
