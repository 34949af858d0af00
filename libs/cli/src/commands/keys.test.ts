import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli, temporaryFolder } from '../../test/run-cli.fixture.ts'

const KEYS = '/api/v1/internal/api-keys'
const SECRET = 'tl_live_AbcdefAbcdef_SecretSecretSecretSecret1_Crc123'
const SERVICE_KEY = 'tl_svc_AutomationAutomation'
const keyOf = (id: string, name: string) => ({
  id,
  name,
  prefix: `tl_live_${id}`,
  status: 'active',
  kind: 'data',
  scopes: ['trades:read'],
  tags: [],
  expires_at: null,
  last_used_at: null,
})
const revoked = { ...keyOf('k4', 'ci'), status: 'revoked' }
const keys = [revoked, keyOf('k1', 'ci'), keyOf('k2', 'laptop'), keyOf('k3', 'laptop')]

async function startAll(answers: Parameters<typeof startApiServer>[0] = {}) {
  const server = await startApiServer({
    [KEYS]: (reply, request) => {
      const list = { apiKeys: request.query.get('kind') === 'service' ? [] : keys }
      json({ data: request.body === undefined ? list : { apiKey: SECRET, key: keyOf('k9', 'new') } })(reply, request)
    },
    [`${KEYS}/k1/revoke`]: json({ data: { key: { ...keys[1], status: 'revoked' } } }),
    [`${KEYS}/k1/regenerate`]: json({ data: { apiKey: SECRET, key: keys[1] } }),
    ...answers,
  })
  const env = { HOME: temporaryFolder(), TAPELINE_URL: server.url, TAPELINE_SERVICE_KEY: SERVICE_KEY }
  return { ...server, env, run: async (line: string) => runCli(line.split(' '), { env }) }
}

test('a created key is printed once, alone, and creation can be repeated safely', async () => {
  const { run, requests } = await startAll()
  const { out, err } = await run(
    'keys create new --scope trades:read,stream:read --tag team:data --expires 2030-01-01 --format table',
  )
  expect(out).toBe(`KEY\n${SECRET}\n`)
  expect(err).toBe('Store the key now: it is not shown again.\n')
  expect(requests[0]).toMatchObject({
    headers: { authorization: `Bearer ${SERVICE_KEY}`, 'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) },
    body: { name: 'new', scopes: ['trades:read', 'stream:read'], tags: ['team:data'], expires_at: '2030-01-01' },
  })
})

test('--save stores the key in the profile and prints it nowhere; calls use it from then on', async () => {
  const { run, requests, env } = await startAll({ '/api/v1/instruments': json({ data: [], request_id: 'r' }) })
  const { out, err, code } = await run('keys rotate ci --grace 60 --save')
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).not.toContain('Secret')
  expect(requests.at(-1)?.body).toEqual({ grace_seconds: 60 })
  expect(readFileSync(join(env.HOME, '.config/tapeline/config.json'), 'utf8')).toContain(SECRET)
  await run('instruments')
  expect(requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`)
})

test('--save changes no key when the profile cannot be written or is for another platform', async () => {
  const { env, requests } = await startAll()
  const folder = temporaryFolder()
  symlinkSync(join(folder, 'missing'), join(folder, 'tapeline'))
  const unwritable = { ...env, XDG_CONFIG_HOME: folder }
  expect(await runCli('keys rotate ci --save'.split(' '), { env: unwritable })).toMatchObject({ code: 1, out: '' })
  await runCli('config set --url https://api.example.com'.split(' '), { env: { HOME: env.HOME } })
  const elsewhere = await runCli('keys create new --save'.split(' '), { env })
  expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('is for https://api.example.com') })
  expect(requests.filter(({ body }) => body !== undefined)).toEqual([])
})

test('a secret that cannot be stored is printed: there is no other copy', async () => {
  const folder = temporaryFolder()
  const { env } = await startAll({
    [KEYS]: (reply, request) => {
      rmSync(join(folder, 'tapeline'), { recursive: true })
      writeFileSync(join(folder, 'tapeline'), '')
      json({ data: { apiKey: SECRET, key: keyOf('k9', 'new') } })(reply, request)
    },
  })
  const ended = await runCli('keys create new --save'.split(' '), { env: { ...env, XDG_CONFIG_HOME: folder } })
  expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('could not be stored') })
  expect(JSON.parse(ended.out)).toMatchObject({ apiKey: SECRET })
})

test('a key is named by id, prefix or name; an ambiguous name changes nothing', async () => {
  const { run, requests } = await startAll()
  for (const word of ['k1', 'tl_live_k1', 'ci']) {
    const { out, code } = await run(`keys revoke ${word}`)
    expect({ code, status: (JSON.parse(out) as { key: { status: string } }).key.status }).toEqual({
      code: 0,
      status: 'revoked',
    })
  }
  const { code, err } = await run('keys revoke laptop')
  expect({ code, err }).toEqual({ code: 3, err: '2 keys have this id, prefix or name.\n' })
  expect(requests.filter(({ path }) => path.endsWith('/revoke'))).toHaveLength(3)
})

test('a creation whose answer was lost prints how to get a secret', async () => {
  const { run } = await startAll({ [KEYS]: json({ data: { key: keyOf('k9', 'new') } }) })
  const { code, out, err } = await run('keys create new')
  expect({ code, out }).toEqual({ code: 4, out: '' })
  expect(err).toContain('Run "tapeline keys rotate tl_live_k9"')
})

test('without a credential of the account nothing is sent', async () => {
  const { url, requests } = await startAll()
  const env = { TAPELINE_URL: url, TAPELINE_KEY: 'tl_live_abcdefgh' }
  for (const line of ['keys list', 'usage', 'requests list', 'webhooks list']) {
    expect(await runCli(line.split(' '), { env })).toMatchObject({
      code: 2,
      err: expect.stringContaining('tapeline login'),
    })
  }
  expect(requests).toEqual([])
})
