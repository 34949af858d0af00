import { existsSync, mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { lastErrorLine, logEnd, readAfter } from './log-tail.ts'
import { stopLeftover } from '../processes/pid-file.ts'
import { isListening } from '../ports/port-owner.ts'
import { PortInUse } from '../ports/port-in-use.ts'
import type { RedisBinary } from './redis-binary.ts'
import { runChild } from '../processes/run-child.ts'
import type { ServerOptions, ServerProcess } from './server-process.ts'
import { StartProblem } from '../start-problem.ts'
import { waitForServer } from './wait-for-server.ts'

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 3_000
const PING_TIMEOUT_MS = 1_000

export async function startRedis({
  dir,
  port,
  binary,
}: ServerOptions & { binary: RedisBinary }): Promise<ServerProcess> {
  await stopLeftover(dir, 'redis', 'SIGTERM')
  const data = join(dir, 'redis')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  refuseNewerFiles(data, binary.version)
  const log = join(dir, 'logs', 'redis.log')
  const from = logEnd(log)
  const child = await runChild({
    name: 'redis',
    command: binary.command,
    args: redisArguments(data, port),
    dir,
    marker: `:${port}`,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: { file: log },
  })
  const state = await waitForServer(
    child,
    async () => (await isListening(child.pid, port)) && (await answersPing('127.0.0.1', port)),
    READY_TIMEOUT_MS,
  )
  if (state !== 'ready') {
    await child.kill()
    const errorLine = lastErrorLine(log, from, /#|error|fatal/i)
    if (/address already in use|failed listening/i.test(readAfter(log, from))) throw new PortInUse('redis', port)
    throw new StartProblem(
      `Redis did not start: ${errorLine}`,
      `Its log is ${log}; its data (limit counters, rebuilt from the audit service when lost) is ${data}.`,
    )
  }
  return { url: `redis://127.0.0.1:${port}`, port, pid: child.pid, child, version: binary.version, stop: child.stop }
}

function redisArguments(data: string, port: number): string[] {
  return [
    ['--port', String(port)],
    ['--bind', '127.0.0.1'],
    ['--dir', data],
    ['--appendonly', 'yes'],
    ['--appendfsync', 'everysec'],
    ['--save', ''],
    ['--maxmemory-policy', 'noeviction'],
    ['--daemonize', 'no'],
  ].flat()
}

/** Redis 6 ignores the append-only folder of Redis 7 and would start empty without a warning. */
function refuseNewerFiles(data: string, version: string): void {
  if (Number(version.split('.')[0]) >= 7 || !existsSync(join(data, 'appendonlydir'))) return
  throw new StartProblem(
    `${data} was written by Redis 7 or newer, but the installed version is ${version}.`,
    `Install redis-server again, or delete ${data} (limit counters only).`,
  )
}

/** PONG, not only an open port: a Redis that still loads its file answers LOADING. */
export async function answersPing(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const finish = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(PING_TIMEOUT_MS, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', (chunk) => finish(chunk.toString().startsWith('+PONG')))
  })
}
