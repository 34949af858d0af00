import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectRedis, type RedisClient } from '@tapeline/service/redis'
import { isPortFree, takeFreePort } from '../../../../deploy/local/ports/free-port.ts'
import { findRedisBinary } from '../../../../deploy/local/servers/redis-binary.ts'
import { silentLogger } from '../silent-logger.ts'
import { waitUntil } from '../wait-until.ts'

const HOST = '127.0.0.1'
const CACHE_DIR = join(import.meta.dirname, '../../../../.tapeline/cache')
const COMMAND_TIMEOUT_MS = 10_000
const START_TIMEOUT_MS = 60_000
/** Cluster nodes communicate on a port that is higher by this. */
const BUS_PORT_OFFSET = 10_000
/** Both ports are below the ephemeral range, where no other socket can take them while the server is down. */
const BUS_PORT_MAX = 32_000

/** A real Redis server for one test, which can be configured, killed and restarted. */
export class RedisServer {
  readonly port: number
  readonly url: string
  /** A connection to this server only. */
  readonly redis: RedisClient
  readonly version: string
  private child: ChildProcess | undefined
  private readonly command: string
  private readonly options: Record<string, string | number>

  private constructor(
    binary: { command: string; version: string },
    port: number,
    options: Record<string, string | number>,
  ) {
    this.command = binary.command
    this.version = binary.version
    this.options = { ...options, port, bind: HOST }
    this.port = port
    this.url = `redis://${HOST}:${port}`
    this.redis = connectRedis({ url: this.url, logger: silentLogger, commandTimeoutMs: COMMAND_TIMEOUT_MS })
  }

  /** Starts a server whose files are in `dir`; options as in redis.conf. */
  static async start(dir: string, options: Record<string, string | number> = {}): Promise<RedisServer> {
    mkdirSync(dir, { recursive: true })
    const binary = await findRedisBinary(CACHE_DIR, () => undefined)
    const server = new RedisServer(binary, await freePort(), { appendonly: 'no', save: '', ...options, dir })
    await server.start()
    return server
  }

  async start(): Promise<void> {
    const args = Object.entries(this.options).flatMap(([name, value]) => [`--${name}`, String(value)])
    this.child = spawn(this.command, args, { stdio: 'ignore' })
    await waitUntil('Redis answers', async () => (await this.redis.ping()) === 'PONG', START_TIMEOUT_MS)
  }

  async kill(): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await exited
  }

  async stop(): Promise<void> {
    this.redis.disconnect()
    await this.kill()
  }

  async runCommand(...command: [string, ...(string | number)[]]): Promise<unknown> {
    const [name, ...args] = command
    return this.redis.call(name, ...args)
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = await takeFreePort()
    const busPort = port + BUS_PORT_OFFSET
    if (busPort < BUS_PORT_MAX && (await isPortFree(busPort))) return port
  }
}
