import type { ServiceName } from '@tapeline/contracts/actor'
import { type FaultProxy, startFaultProxy } from '@tapeline/testing/fault-proxy'

export const SERVICES = ['identity', 'api-key', 'config', 'audit', 'market-data'] as const satisfies ServiceName[]
export type Service = (typeof SERVICES)[number]

/** Between each service and its PostgreSQL, and between the gateways and market-data. */
export type Wires = {
  databases: Record<Service, FaultProxy>
  marketData: FaultProxy
  /** For the platform's start: every process is told of its wire instead of the server. */
  rewire: (name: string, env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv
  stop: () => Promise<void>
}

/** Before the platform starts nobody knows where its servers will be. */
const NOWHERE = 'tcp://127.0.0.1:1'

export async function layWires(): Promise<Wires> {
  const [identity, apiKey, config, audit, marketDataTables, marketData] = await Promise.all([
    lay(),
    lay(),
    lay(),
    lay(),
    lay(),
    lay(),
  ])
  const databases = { identity, 'api-key': apiKey, config, audit, 'market-data': marketDataTables }
  return {
    databases,
    marketData,
    rewire(name, env) {
      const service = SERVICES.find((one) => one === name)
      if (service !== undefined) return through(env, 'DATABASE_URL', databases[service])
      return name.startsWith('gateway') ? through(env, 'MARKET_DATA_URL', marketData) : env
    },
    stop: async () => void (await Promise.all([...Object.values(databases), marketData].map((wire) => wire.stop()))),
  }
}

function lay(): Promise<FaultProxy> {
  return startFaultProxy(NOWHERE, { isHearing: false })
}

function through(env: NodeJS.ProcessEnv, field: string, wire: FaultProxy): NodeJS.ProcessEnv {
  const url = new URL(env[field] ?? NOWHERE)
  wire.pointAt(url.href)
  url.port = String(wire.port)
  return { ...env, [field]: url.href.replace(/\/$/, '') }
}
