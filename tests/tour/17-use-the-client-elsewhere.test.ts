import { execFile, execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { openBrowser } from '@tapeline/testing/browser'
import { setLimits } from '@tapeline/testing/set-subscription'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolsFolder } from '../../deploy/tools/find-tool.ts'
import { runningPlatform } from '../platform/running-platform.ts'
import { type InstalledClient, installClient } from './installed-client.ts'

const RUNTIMES = { bun: '1.3.14', deno: '2.9.6' }
const INSTALL_TIMEOUT_MS = 300_000
const RUN_TIMEOUT_MS = 120_000
const MODULES = '/node_modules/@tapeline/client/dist/'

/** Uses each feature that differs between runtimes once: pages, the live stream, an error, a webhook signature. */
const program = (): string => `
  const trades = await tapeline.trades.list({ symbols: ['BTC-USDT'], order: 'desc', limit: 3 }).toArray(8)
  const sequences = trades.map(({ sequence }) => BigInt(sequence))
  if (sequences.some((sequence, n) => sequence !== sequences[0] - BigInt(n))) throw new Error('not in order')
  let live = 0
  const oldest = trades[7]
  const filter = { channel: 'trades', venues: ['sim'], symbols: ['BTC-USDT'], start: oldest.ts_event }
  for await (const trade of tapeline.stream(filter)) {
    if (toNanoseconds(trade.ts_event) < toNanoseconds(oldest.ts_event)) throw new Error('too early')
    live += 1
    if (live === 3) break
  }
  const problem = await tapeline.trades.list({ symbols: ['NO-SUCH'] }).toArray().catch((error) => error)
  const { body, headers } = ${JSON.stringify(signedWebhook())}
  const { id } = await verifyWebhook({ body, headers }, ${JSON.stringify(SECRET)})
  const altered = await verifyWebhook({ body: body + ' ', headers }, ${JSON.stringify(SECRET)}).catch((error) => error.name)
  const report = [trades.length, live, problem instanceof TapelineError && problem.code, id, altered]
`
const SECRET = `whsec_${Buffer.from('twenty-four bytes of key').toString('base64')}`
const IMPORTED = 'Tapeline, TapelineError, toNanoseconds, verifyWebhook'
const EXPECTED = [8, 3, 'symbol.unknown', 'evt_1', 'WebhookVerificationError']

const platform = runningPlatform()
const { gatewayUrl, webUrl } = platform
let client: InstalledClient
let apiKey = ''

beforeAll(async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, {})
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
  client = await installClient()
})
afterAll(() => client?.remove())

/** By the rules of Standard Webhooks. */
function signedWebhook() {
  const body = JSON.stringify({ id: 'evt_1', type: 'key.created', sequence: 1, data: {} })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return {
    body,
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  }
}

/** Installed from the package registry once. */
function runtime(name: keyof typeof RUNTIMES): string {
  const folder = join(toolsFolder(), 'runtimes')
  const executable = join(folder, 'node_modules', '.bin', name)
  if (existsSync(executable)) return executable
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: RUNTIMES }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, timeout: INSTALL_TIMEOUT_MS })
  return executable
}

test.each([
  ['Node.js', () => [process.execPath]],
  ['Bun', () => [runtime('bun'), 'run']],
  ['Deno', () => [runtime('deno'), 'run', '--allow-net', '--allow-env', '--no-lock']],
] as const)(
  '%s: the installed client reads pages, follows the stream and reports problems',
  async (_name, command) => {
    const file = join(client.dir, 'program.mjs')
    writeFileSync(
      file,
      `import { ${IMPORTED} } from '@tapeline/client'\nconst tapeline = new Tapeline()\n${program()}
       console.log(JSON.stringify(report))`,
    )
    const [executable, ...options] = command()
    const env = { PATH: process.env['PATH'], HOME: client.dir, TAPELINE_URL: gatewayUrl, TAPELINE_KEY: apiKey }
    const { stdout } = await promisify(execFile)(executable ?? '', [...options, file], {
      cwd: client.dir,
      env,
      timeout: RUN_TIMEOUT_MS,
    })
    expect(JSON.parse(stdout)).toEqual(EXPECTED)
  },
  INSTALL_TIMEOUT_MS,
)

test('a browser: the installed client does the same in a page of an origin that the gateway allows', async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.route(`${webUrl}/client/**`, async (route) => {
      const { pathname } = new URL(route.request().url())
      const body = readFileSync(join(client.dir, pathname.replace('/client/', MODULES)), 'utf8')
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    // A page of the web server, with its Content Security Policy.
    await page.goto(`${webUrl}/docs`)
    const code = `(async () => {
      const { ${IMPORTED} } = await import('/client/client.js')
      const tapeline = new Tapeline({ apiKey: ${JSON.stringify(apiKey)}, baseUrl: ${JSON.stringify(gatewayUrl)} })
      ${program()}
      return report
    })()`
    expect(await page.evaluate(code)).toEqual(EXPECTED)
  } finally {
    await browser.close()
  }
})
