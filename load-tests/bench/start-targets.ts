import type { Destination } from './connection.ts'
import { redisCpuMicros } from './figures/redis-figures.ts'
import { startExpressGateway } from './start-express-gateway.ts'
import { startGateway } from './start-gateway.ts'
import { startNginx } from './start-nginx.ts'
import { startProgram } from './start-program.ts'

/** A measured target: a process on the measured core, and its requests. */
export type Target = {
  name: string
  pid: number
  destination: Destination
  /** The service itself, on the other core: only its latency is compared. */
  isDirect: boolean
  redisMicros?: () => Promise<number>
}
export type Targets = { list: Target[]; startAgain: (() => Promise<number>) | undefined; stop: () => Promise<void> }
export type Cores = { measured: number; others: number }
export type TargetOptions = { names: readonly string[]; gatewayEnv: NodeJS.ProcessEnv }

export const BASELINE = 'bare @fastify/http-proxy'
export const GATEWAY = 'gateway'
export const CONSTANT = 'Fastify, a constant'
export const DIRECT = 'the service itself'
export const EXPRESS_GATEWAY = 'express-gateway, key-auth + limit'
export const NGINX = 'nginx + Lua + Redis, five windows'
/** Targets by their name in `--targets`. */
export const TARGETS = {
  direct: DIRECT,
  bare: BASELINE,
  gateway: GATEWAY,
  constant: CONSTANT,
  nginx: NGINX,
  express: EXPRESS_GATEWAY,
}

/** A GET request without a body, so that JSON parsing is not measured. */
const PATH = '/api/v1/instruments'

type Started = { pid: number; port: number; stop: () => Promise<void> }

export async function startTargets(dir: string, cores: Cores, options: TargetOptions): Promise<Targets> {
  const stops: (() => Promise<void>)[] = []
  const track = <Stoppable extends { stop: () => Promise<void> }>(started: Stoppable): Stoppable => {
    stops.push(started.stop)
    return started
  }
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each()
  }
  const isSelected = (name: string): boolean => options.names.includes(name)
  const list: Target[] = []
  try {
    const upstream = track(await startProgram('upstream.ts', cores.others))
    const upstreamUrl = `http://127.0.0.1:${upstream.port}`
    const gateway = track(
      await startGateway({
        dir,
        upstreamUrl,
        path: PATH,
        gatewayCore: cores.measured,
        otherCore: cores.others,
        env: options.gatewayEnv,
      }),
    )
    await gateway.stopReaders()
    const redisMicros = async (): Promise<number> => redisCpuMicros(gateway.redisUrl)
    const key = { authorization: `Bearer ${gateway.apiKey}` }
    if (isSelected(BASELINE)) {
      list.push(
        target(BASELINE, track(await startProgram('bare-proxy.ts', cores.measured, { UPSTREAM_URL: upstreamUrl }))),
      )
    }
    if (isSelected(GATEWAY)) list.push({ ...target(GATEWAY, gateway, key), redisMicros })
    if (isSelected(CONSTANT)) list.push(target(CONSTANT, track(await startProgram('constant.ts', cores.measured))))
    if (isSelected(DIRECT)) list.push({ ...target(DIRECT, upstream), isDirect: true })
    const serverOptions = { dir, core: cores.measured, upstreamUrl, redisUrl: gateway.redisUrl }
    const nginx = isSelected(NGINX) ? await startNginx(serverOptions) : undefined
    if (nginx !== undefined) list.push({ ...target(NGINX, track(nginx), nginx.headers), redisMicros })
    const express = isSelected(EXPRESS_GATEWAY) ? await startExpressGateway(serverOptions) : undefined
    if (express !== undefined) list.push(target(EXPRESS_GATEWAY, track(express), express.headers))
    return { list, startAgain: gateway.startAgain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function target(name: string, { pid, port }: Started, headers: Record<string, string> = {}): Target {
  return { name, pid, isDirect: false, destination: { host: '127.0.0.1', port, path: PATH, headers } }
}
