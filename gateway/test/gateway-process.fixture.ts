import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import type { Edge } from './gateway.fixture.ts'

const START_WITHIN_MS = 120_000
const STOP_WITHIN_MS = 80_000
const KEY = Buffer.alloc(32, 7).toString('base64url')
const AUDIENCES = ['identity', 'api-key', 'audit', 'config', 'market-data']

const ProcessState = Type.Object({ pid: Type.Union([Type.Integer(), Type.Null()]), ready: Type.Boolean() })
const Readiness = Type.Object({ status: Type.String(), processes: Type.Array(ProcessState) })

export type GatewayProcess = {
  url: string
  /** Metrics of each process, from the operator's port. */
  processes: () => Promise<Static<typeof ProcessState>[]>
  metrics: () => Promise<string>
  child: ChildProcess
  /** SIGTERM, and the exit code. */
  stop: () => Promise<number | null>
}

/** The gateway as in production: main.ts in a separate process, in front of stubbed services. `node`: the executable. */
export async function startGatewayProcess(
  edge: Edge,
  env: Record<string, string>,
  node = process.execPath,
): Promise<GatewayProcess> {
  const [port, adminPort] = [await takeFreePort(), await takeFreePort()]
  const { redisUrl, kafkaBrokers } = testServers()
  const journalDir = mkdtempSync(join(tmpdir(), 'gateway-process-'))
  const urls = ['IDENTITY', 'API_KEY', 'AUDIT', 'CONFIG', 'MARKET_DATA'].map((name) => [`${name}_URL`, edge.url])
  const child = spawn(node, [join(import.meta.dirname, '..', 'src', 'main.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...Object.fromEntries(urls),
      EXIT_WITH_PARENT: '1',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      REDIS_URL: redisUrl,
      KAFKA_BROKERS: kafkaBrokers,
      INTERNAL_KEYS: AUDIENCES.map((audience) => `gateway>${audience}=${KEY}`).join(','),
      JOURNAL_DIR: journalDir,
      LOG_LEVEL: 'error',
      LOOP_DELAY_MAX_MS: '60000',
      // A busy machine must not look like a Redis that hangs.
      LIMITER_REPLY_WITHIN_MS: '1000',
      ...env,
    },
  })
  const admin = `http://127.0.0.1:${adminPort}`
  const processes = async () => {
    const response = await fetch(`${admin}/readyz`)
    return Value.Parse(Readiness, await response.json()).processes
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit', { signal: AbortSignal.timeout(STOP_WITHIN_MS) })
    }
    rmSync(journalDir, { recursive: true, force: true, maxRetries: 5 })
    return child.exitCode
  }
  try {
    const isReady = async () => {
      const all = await processes()
      return all.length > 0 && all.every(({ ready }) => ready)
    }
    await waitUntil('the gateway is ready', isReady, START_WITHIN_MS)
  } catch (error) {
    await stop()
    throw error
  }
  const metrics = async () => (await fetch(`${admin}/metrics`)).text()
  return { url: `http://127.0.0.1:${port}`, processes, metrics, child, stop }
}
