import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { json, problem, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli, temporaryFolder } from '../../test/run-cli.fixture.ts'

const USER = '/api/v1/internal/user'
const LOGINS = `${USER}/device-logins`
const started = {
  device_code: 'device-code-of-the-test',
  user_code: 'BCDF-GHJK',
  verification_uri_complete: 'http://pages.test/dashboard/device?code=BCDF-GHJK',
  expires_in: 600,
  interval: 0,
}
const tokens = (n: number, expiresAt: number) => ({ jwtToken: `access-${n}`, refreshToken: `refresh-${n}`, expiresAt })

test('a sign-in waits for approval, is stored for its user alone, renewed when it expires, and ended by logout', async () => {
  let polls = 0
  const server = await startApiServer({
    [LOGINS]: json({ data: started }),
    [`${LOGINS}/finish`]: (reply, request) => {
      polls += 1
      const signedIn = { ...tokens(1, Date.now() + 900_000), user: { email: 'ada@example.com' } }
      const answer = polls < 3 ? problem(400, 'device_login.pending') : json({ data: signedIn })
      answer(reply, request)
    },
    [`${USER}/refresh`]: json({ data: tokens(2, Date.now() + 900_000) }),
    [`${USER}/logout`]: json({ data: {} }),
    '/api/v1/instruments': json({ data: [], request_id: 'r' }),
  })
  const env = { HOME: temporaryFolder() }
  const path = join(env.HOME, '.config/tapeline/config.json')
  const login = await runCli(['login', '--url', server.url], { env })
  expect(login).toMatchObject({ code: 0, out: '' })
  expect(login.err).toContain('approve the code BCDF-GHJK')
  expect(login.err).toContain('Signed in as ada@example.com in profile default.')
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])

  writeFileSync(path, readFileSync(path, 'utf8').replace(/"expires_at": \d+/, '"expires_at": 1'))
  const calls = [await runCli(['instruments'], { env }), await runCli(['instruments'], { env })]
  expect(calls.map(({ code }) => code)).toEqual([0, 0])
  const used = server.requests.filter(({ path }) => path === '/api/v1/instruments')
  expect(used.map(({ headers }) => headers.authorization)).toEqual(['Bearer access-2', 'Bearer access-2'])
  expect(server.requests.filter(({ path }) => path.endsWith('/refresh')).map(({ body }) => body)).toEqual([
    { refreshToken: 'refresh-1' },
  ])

  const sameUrl = await runCli(['instruments'], { env: { ...env, TAPELINE_URL: `${server.url}/` } })
  expect(sameUrl.code).toBe(0)

  const elsewhere = await startApiServer({})
  const unreachable = await runCli(['instruments'], { env: { ...env, TAPELINE_URL: elsewhere.url } })
  expect({ code: unreachable.code, requests: elsewhere.requests }).toEqual({ code: 2, requests: [] })

  const logout = await runCli(['logout'], { env })
  expect(logout.code).toBe(0)
  expect(readFileSync(path, 'utf8')).not.toMatch(/access-|refresh-/)
  expect([login, ...calls, unreachable, logout].map(({ out, err }) => out + err).join('')).not.toMatch(
    /access-|refresh-|device-code/,
  )
})

test('commands that run at the same time renew the tokens once, also after one was killed', async () => {
  const env = { HOME: temporaryFolder() }
  const path = join(env.HOME, '.config/tapeline/config.json')
  const used = new Set<unknown>()
  const server = await startApiServer({
    [LOGINS]: json({ data: started }),
    [`${LOGINS}/finish`]: json({ data: { ...tokens(1, 1), user: { email: 'ada@example.com' } } }),
    // The second use of a refresh token ends the session.
    [`${USER}/refresh`]: (reply, request) => {
      const { refreshToken } = request.body as { refreshToken: string }
      const answer = used.has(refreshToken)
        ? problem(401, 'refresh_token.invalid')
        : json({ data: tokens(2, Date.now() + 900_000) })
      used.add(refreshToken)
      setTimeout(() => answer(reply, request), 500)
    },
    '/api/v1/instruments': json({ data: [], request_id: 'r' }),
  })
  await runCli(['login', '--url', server.url], { env })
  writeFileSync(`${path}.lock`, '')
  utimesSync(`${path}.lock`, 1, 1)
  const ended = await Promise.all([1, 2, 3].map(async () => runCli(['instruments'], { env })))
  expect(ended.map(({ err, code }) => ({ err, code }))).toEqual(ended.map(() => ({ err: '', code: 0 })))
  expect([...used]).toEqual(['refresh-1'])
  expect(readdirSync(dirname(path))).toEqual(['config.json'])
})

test('with a slow clock, a token that gets a 401 is renewed once and the call is repeated', async () => {
  const HOME = temporaryFolder()
  const valid = new Set(['Bearer access-2'])
  const server = await startApiServer({
    [LOGINS]: json({ data: started }),
    [`${LOGINS}/finish`]: json({ data: { ...tokens(1, Date.now() + 86_400_000), user: { email: 'ada@example.com' } } }),
    [`${USER}/refresh`]: json({ data: tokens(2, Date.now() + 86_400_000) }),
    '/api/v1/instruments': (reply, request) => {
      const isValid = valid.has(request.headers.authorization ?? '')
      const answer = isValid ? json({ data: [], request_id: 'r' }) : problem(401, 'credential.invalid')
      answer(reply, request)
    },
  })
  await runCli(['login', '--url', server.url], { env: { HOME } })
  expect(await runCli(['instruments'], { env: { HOME } })).toMatchObject({ code: 0 })
  expect(await runCli(['instruments'], { env: { HOME } })).toMatchObject({ code: 0 })
  const refreshed = () => server.requests.filter(({ path }) => path.endsWith('/refresh'))
  expect(refreshed()).toHaveLength(1)
  valid.clear()
  expect(await runCli(['instruments'], { env: { HOME } })).toMatchObject({
    code: 3,
    err: expect.stringContaining('credential.invalid'),
  })
  expect(refreshed()).toHaveLength(2)
})

test('polling ends when the code has expired', async () => {
  const server = await startApiServer({
    [LOGINS]: json({ data: { ...started, expires_in: 0 } }),
    [`${LOGINS}/finish`]: problem(503, 'service.unavailable'),
  })
  const { code, err } = await runCli(['login', '--url', server.url])
  expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('The code has expired.') })
})

test('a denied code ends with 3 and stores nothing', async () => {
  const server = await startApiServer({
    [LOGINS]: json({ data: started }),
    [`${LOGINS}/finish`]: problem(400, 'device_login.denied'),
  })
  const env = { HOME: temporaryFolder() }
  expect(await runCli(['login', '--url', server.url], { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining('The sign-in was denied.'),
  })
  expect((await runCli(['config', 'show', '--format', 'json'], { env })).out).toBe('[]\n')
})
