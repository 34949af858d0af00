import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectRedis, isCluster, redisReady } from '@tapeline/service/redis'
import { type Child, runChild } from '../../../../deploy/local/processes/run-child.ts'
import { answersPing } from '../../../../deploy/local/servers/redis.ts'
import type { Place } from '../programs/place.ts'
import { silentLogger } from '../silent-logger.ts'
import { waitUntil } from '../wait-until.ts'

/** A server or Sentinel that can be killed and started again on its port and files. */
export type RedisNode = {
  name: string
  address: string
  port: number
  pid: () => number
  kill: () => Promise<void>
  start: () => Promise<void>
}
/** Where a server listens. */
export type Listening = { place: Place; port: number }

/** Of a server that may be down. */
const COMMAND_TIMEOUT_MS = 2_000
const START_TIMEOUT_MS = 30_000

/** `lines` is the first configuration, `words` are added to the command line. */
type NodeOptions = Listening & { name: string; command: string; dir: string; lines: string[]; words: string[] }

/** Not started yet. Redis and Sentinel rewrite their configuration file. */
export function redisNode({ name, place, port, command, dir, lines, words }: NodeOptions): RedisNode {
  const { address } = place
  const file = join(dir, `${name}.conf`)
  let child: Child | undefined
  return {
    name,
    address,
    port,
    pid: () => child?.pid ?? 0,
    kill: async () => child?.kill(),
    async start() {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      if (!existsSync(file)) writeFileSync(file, [...lines, `dir ${dir}`, ''].join('\n'))
      child = await runChild({
        name,
        ...place.wrap(command, [file, ...words]),
        dir,
        marker: file,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: START_TIMEOUT_MS,
        output: { file: join(dir, `${name}.log`) },
      })
      await waitUntil(`${name} answers`, () => answersPing(address, port), START_TIMEOUT_MS)
    },
  }
}

/** Sends one command to this server or Sentinel, on a separate connection. */
export async function queryRedis(
  { address, port }: Pick<RedisNode, 'address' | 'port'>,
  [name = '', ...words]: readonly string[],
  timeoutMs = COMMAND_TIMEOUT_MS,
): Promise<unknown> {
  const redis = connectRedis({ url: `redis://${address}:${port}`, logger: silentLogger, commandTimeoutMs: timeoutMs })
  try {
    await redisReady(redis, timeoutMs)
    if (isCluster(redis)) throw new Error('one server is not a cluster')
    return await redis.call(name, ...words)
  } finally {
    redis.disconnect()
  }
}
