import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeviceLogin } from '@tapeline/contracts/identity/device-logins'
import type { SessionList } from '@tapeline/contracts/identity/sessions'
import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl } = platform
const SHOWN_WITHIN_MS = 90_000
const USER = `${gatewayUrl}/api/v1/internal/user`
const main = join(import.meta.dirname, '../../libs/cli/src/main.ts')
const home = mkdtempSync(join(tmpdir(), 'tapeline-cli-tour-'))
const config = join(home, '.config/tapeline/config.json')
let account: TestAccount
let printed = ''

beforeAll(async () => {
  account = await signUpUser(gatewayUrl)
  // Usage by endpoint comes with this plan.
  await setTier(platform, account.user.id, 'basic')
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function start(line: string) {
  const env = { PATH: process.env['PATH'], HOME: home }
  return spawn(process.execPath, ['--conditions=tapeline-source', main, ...line.split(' ')], { env, cwd: home })
}

async function end(child: ChildProcess): Promise<{ out: string; err: string; code: number | null }> {
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (out += String(chunk)))
  child.stderr?.on('data', (chunk: Buffer) => (err += String(chunk)))
  const [code] = await once(child, 'close')
  printed += out + err
  return { out, err, code: code as number | null }
}

const run = async (line: string) => end(start(line))

test('login: the code of the terminal is approved in a browser, and the session is on the list of devices', async () => {
  const child = start(`login --url ${gatewayUrl}`)
  let shown = ''
  child.stderr.on('data', (chunk: Buffer) => (shown += String(chunk)))
  const ended = end(child)
  const findCode = () => /approve the code ([A-Z]{4}-[A-Z]{4})/.exec(shown)?.[1]
  const code = await waitUntil('the code is shown', findCode, SHOWN_WITHIN_MS)
  const path = `${USER}/device-logins/${code}`
  const { body } = await send<{ data: DeviceLogin }>(path, { token: account.jwtToken })
  expect(body.data.client_name).toMatch(/^Tapeline command line on /)
  const approval = { method: 'PUT', token: account.jwtToken, body: { decision: 'approve' } }
  expect((await send(path, approval)).status).toBe(200)
  expect((await send(path, approval)).status).toBe(404)
  expect(await ended).toMatchObject({ code: 0, err: expect.stringContaining(`Signed in as ${account.email}`) })
  expect(statSync(config).mode & 0o777).toBe(0o600)
  const sessions = await send<{ data: SessionList }>(`${USER}/sessions`, { token: account.jwtToken })
  expect(sessions.body.data.sessions.map(({ device }) => device)).toContainEqual(
    expect.stringMatching(/^Tapeline command line/),
  )
})

test('a key is created into the profile, and trades are read with it', async () => {
  expect(await run('keys create laptop --scope trades:read --tag team:tour --save')).toMatchObject({ code: 0, out: '' })
  expect(JSON.parse((await run('keys list --tag team:tour --format ndjson')).out)).toMatchObject({
    data: [{ name: 'laptop', scopes: ['trades:read'] }],
  })
  const { out } = await run('trades BTC-USDT --venue sim --limit 2 --format csv')
  expect(out.trim().split('\r\n')).toHaveLength(3)
})

test('a rejected call is explained by the request id of its error, and usage counts it', async () => {
  const rejected = await run('trades NO-SUCH')
  expect(rejected.code).toBe(3)
  const id = /request ([0-9a-f]{32})/.exec(rejected.err)?.[1] ?? ''
  const explanation = async () => {
    const answer = await run(`requests explain ${id} --format table`)
    return answer.code === 0 ? answer.out : undefined
  }
  const explained = await waitUntil('the request is logged', explanation, SHOWN_WITHIN_MS)
  expect(explained).toMatch(/POST \/api\/v1\/trades\/list {2}4\d\d symbol\.unknown/)
  const isCounted = async () =>
    /\/api\/v1\/trades\/list,\d+,/.test((await run('usage --period 1h --by endpoint --format csv')).out)
  await expect(waitUntil('usage counts it', isCounted, SHOWN_WITHIN_MS)).resolves.toBe(true)
})

test('logout ends the session; no output contained a secret', async () => {
  const stored = JSON.parse(readFileSync(config, 'utf8')) as {
    profiles: Record<string, { key: string; session: { access_token: string; refresh_token: string } }>
  }
  const { key = '', session } = stored.profiles['default'] ?? {}
  expect((await run('logout')).code).toBe(0)
  expect(await run('keys list')).toMatchObject({ code: 2, err: expect.stringContaining('tapeline login') })
  const refresh = await send(`${USER}/refresh`, { body: { refreshToken: session?.refresh_token } })
  expect(refresh.status).toBe(401)
  for (const secret of [key, session?.access_token ?? '', session?.refresh_token ?? '']) {
    expect(secret.length).toBeGreaterThan(20)
    expect(printed).not.toContain(secret)
  }
})
