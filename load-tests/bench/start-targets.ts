import type { Destination } from './connection.ts'
import { startGateway } from './start-gateway.ts'
import { startProgram } from './start-program.ts'

/** What is measured: a process on the measured core and how to ask it. */
export type Target = { name: string; pid: number; destination: Destination }
export type Targets = { list: Target[]; stop: () => Promise<void> }
export type Cores = { measured: number; others: number }

export const YARDSTICK = 'bare @fastify/http-proxy'

/** A read of market data without a body, so that the hop is measured and not the parsing of JSON. */
const PATH = '/api/v1/instruments'

export async function startTargets(dir: string, { measured, others }: Cores): Promise<Targets> {
  const stops: (() => Promise<void>)[] = []
  const keep = <Started extends { stop: () => Promise<void> }>(started: Started): Started => {
    stops.push(started.stop)
    return started
  }
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const upstream = keep(await startProgram('upstream.ts', others))
    const upstreamUrl = `http://127.0.0.1:${upstream.port}`
    const gateway = keep(await startGateway({ dir, upstreamUrl, path: PATH, gatewayCore: measured, otherCore: others }))
    const proxy = keep(await startProgram('bare-proxy.ts', measured, { UPSTREAM_URL: upstreamUrl }))
    const constant = keep(await startProgram('constant.ts', measured))
    const list = [
      target(YARDSTICK, proxy),
      target('gateway', gateway, { authorization: `Bearer ${gateway.apiKey}` }),
      target('Fastify, a constant', constant),
    ]
    return { list, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function target(
  name: string,
  { pid, port }: { pid: number; port: number },
  headers: Record<string, string> = {},
): Target {
  return { name, pid, destination: { host: '127.0.0.1', port, path: PATH, headers } }
}
