import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli, temporaryFolder } from '../../test/run-cli.fixture.ts'

const keys = { one: 'tl_live_OneOneOneOneOne1', two: 'tl_test_TwoTwoTwoTwoTwo2' }

test('a key from standard input is stored for its user alone, used by calls and never printed', async () => {
  const server = await startApiServer({ '/api/v1/instruments': json({ data: [], request_id: 'r' }) })
  const env = { HOME: temporaryFolder() }
  const run = async (line: string, input = '') => runCli(line.split(' '), { env, input })
  const printed = [
    await run(`config set --url ${server.url}/ --key`, `${keys.one}\n`),
    await run('config set other --key', keys.two),
    await run(`config set other --url ${server.url}`),
    await run('config show'),
    await run('config show --format table'),
    await run('instruments'),
    await run('instruments --profile other'),
    await run('config use other'),
    await run('instruments'),
  ]
  expect(printed.map(({ code }) => code)).toEqual(printed.map(() => 0))
  const path = join(env.HOME, '.config/tapeline/config.json')
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    current: 'other',
    profiles: { default: { url: server.url, key: keys.one }, other: { url: server.url, key: keys.two } },
  })
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
    [keys.one, keys.two, keys.two].map((key) => `Bearer ${key}`),
  )
  const text = printed.map(({ out, err }) => out + err).join('')
  expect(text).not.toMatch(/OneOne|TwoTwo/)
  expect(text).toContain('tl_live_…One1')
})

test('TAPELINE_URL and TAPELINE_KEY take precedence over the profile in use, --profile over them', async () => {
  const server = await startApiServer({ '/api/v1/instruments': json({ data: [], request_id: 'r' }) })
  const HOME = temporaryFolder()
  await runCli(['config', 'set', 'a', '--url', server.url, '--key'], { env: { HOME }, input: keys.one })
  await runCli(['instruments'], { env: { HOME, TAPELINE_KEY: keys.two } })
  await runCli(['instruments', '--profile', 'a'], {
    env: { HOME, TAPELINE_KEY: keys.two, TAPELINE_URL: 'http://x.invalid' },
  })
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${keys.two}`,
    `Bearer ${keys.one}`,
  ])
})

test('keys of a profile are not sent to the platform of another URL', async () => {
  const server = await startApiServer({ '/api/v1/instruments': json({ data: [], request_id: 'r' }) })
  const HOME = temporaryFolder()
  await runCli(['config', 'set', '--url', 'https://api.example.com', '--key'], { env: { HOME }, input: keys.one })
  const env = { HOME, TAPELINE_URL: server.url }
  expect(await runCli(['instruments'], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining('TAPELINE_KEY'),
  })
  expect(server.requests).toEqual([])
  await runCli(['config', 'set', 'anywhere', '--key'], { env: { HOME }, input: keys.two })
  await runCli(['config', 'use', 'anywhere'], { env: { HOME } })
  expect(await runCli(['instruments'], { env })).toMatchObject({ code: 0 })
})

test('invalid settings are rejected and nothing is stored', async () => {
  const env = { HOME: temporaryFolder() }
  const wrong: [string, string?][] = [
    [`config set --key ${keys.one}`, keys.one],
    ['config set --key', 'secret words'],
    ['config set --url ftp://x'],
    ['config set --url http://user:pass@x'],
    ['config set __proto__ --url http://x'],
    ['config set'],
  ]
  for (const [line, input = ''] of wrong) {
    const { code, err } = await runCli(line.split(' '), { env, input })
    expect({ line, code }).toEqual({ line, code: 2 })
    expect(err).not.toMatch(/OneOne|secret|pass@/)
  }
  expect((await runCli(['config', 'show', '--format', 'json'], { env })).out).toBe('[]\n')
  const odd = await runCli(['instruments'], { env: { ...env, TAPELINE_KEY: 'tl_live_with\nbreak' } })
  expect(odd).toMatchObject({ code: 2, err: expect.not.stringContaining('break') })
})
