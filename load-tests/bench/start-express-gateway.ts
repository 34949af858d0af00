import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import { stopChild, untilOpen } from './start-program.ts'

export type ServerOptions = { dir: string; core: number; upstreamUrl: string; redisUrl: string }
export type Proxy = { pid: number; port: number; headers: Record<string, string>; stop: () => Promise<void> }

const VERSION = '1.16.11'
const ROOT_DIR = join(import.meta.dirname, '..', '..')
/** Installed with the platform's other downloads, not as a dependency. */
const TOOL_DIR = join(ROOT_DIR, '.tapeline', 'tools', 'express-gateway')
const PACKAGE_DIR = join(TOOL_DIR, 'node_modules', 'express-gateway')
const INSTALL_TIMEOUT_MS = 300_000
const LIMIT = 100_000_000
const USER = 'bench'

/**
 * express-gateway configured according to its documentation: key-auth, a rate limit that is never reached, its own
 * Redis.
 */
export async function startExpressGateway(options: ServerOptions): Promise<Proxy | undefined> {
  if (!(await install())) return undefined
  const [port, adminPort] = [await takeFreePort(), await takeFreePort()]
  const configDir = join(options.dir, 'express-gateway')
  writeConfig(configDir, options, { port, adminPort })
  const program = `process.on('disconnect', () => process.exit())
    require(${JSON.stringify(PACKAGE_DIR)})().load(${JSON.stringify(configDir)}).run()`
  const child = spawn('taskset', ['-c', String(options.core), process.execPath, '-e', program], {
    cwd: TOOL_DIR,
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = async (): Promise<void> => stopChild(child)
  try {
    await untilOpen(port, child)
    await untilOpen(adminPort, child)
    const headers = { authorization: await makeKey(`http://127.0.0.1:${adminPort}`) }
    return { pid: child.pid ?? 0, port, headers, stop }
  } catch (error) {
    await stop()
    console.log(`without express-gateway: ${String(error)}`)
    return undefined
  }
}

async function install(): Promise<boolean> {
  if (existsSync(join(PACKAGE_DIR, 'package.json'))) return true
  mkdirSync(TOOL_DIR, { recursive: true })
  const installArguments = [
    'install',
    '--prefix',
    TOOL_DIR,
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `express-gateway@${VERSION}`,
  ]
  try {
    await promisify(execFile)('npm', installArguments, { timeout: INSTALL_TIMEOUT_MS })
    return true
  } catch (error) {
    console.log(`without express-gateway, which cannot be installed: ${String(error)}`)
    return false
  }
}

type Ports = { port: number; adminPort: number }

function writeConfig(dir: string, { upstreamUrl, redisUrl }: ServerOptions, { port, adminPort }: Ports): void {
  cpSync(join(PACKAGE_DIR, 'lib/config'), dir, { recursive: true })
  const redis = new URL(redisUrl)
  const gateway = {
    http: { port, hostname: '127.0.0.1' },
    admin: { port: adminPort, host: '127.0.0.1' },
    apiEndpoints: { api: { host: '*', paths: ['/api/*'] } },
    serviceEndpoints: { service: { url: upstreamUrl } },
    policies: ['key-auth', 'rate-limit', 'proxy'],
    pipelines: {
      all: {
        apiEndpoints: ['api'],
        policies: [
          { 'key-auth': [] },
          {
            'rate-limit': [{ action: { max: LIMIT, windowMs: 60_000, delayAfter: 0, rateLimitBy: '${req.user.id}' } }],
          },
          { proxy: [{ action: { serviceEndpoint: 'service', changeOrigin: true } }] },
        ],
      },
    },
  }
  const system = {
    db: { redis: { host: redis.hostname, port: Number(redis.port), namespace: 'express-gateway-bench' } },
    plugins: {},
    crypto: { cipherKey: 'bench', algorithm: 'aes256', saltRounds: 10 },
    session: { secret: 'bench', resave: false, saveUninitialized: false },
    accessTokens: { timeToExpiry: 7_200_000 },
    refreshTokens: { timeToExpiry: 7_200_000 },
    authorizationCodes: { timeToExpiry: 300_000 },
  }
  // JSON is YAML too.
  writeFileSync(join(dir, 'gateway.config.yml'), JSON.stringify(gateway))
  writeFileSync(join(dir, 'system.config.yml'), JSON.stringify(system))
}

async function makeKey(adminUrl: string): Promise<string> {
  await post(`${adminUrl}/users`, { username: USER, firstname: 'A', lastname: 'B' })
  const credential = await post(`${adminUrl}/credentials`, { consumerId: USER, type: 'key-auth', credential: {} })
  return `apiKey ${String(credential['keyId'])}:${String(credential['keySecret'])}`
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`)
  // Its administration answers JSON objects.
  return (await response.json()) as Record<string, unknown>
}
