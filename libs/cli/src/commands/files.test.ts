import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli, temporaryFolder } from '../../test/run-cli.fixture.ts'

const bytes = randomBytes(50_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const file = (id: string, name = `${id}.parquet`) => ({
  id,
  name,
  venue: 'sim',
  symbol: 'BTC-USDT',
  channel: 'trades',
  date: '2026-01-02',
  rows: 1,
  bytes: bytes.length,
  sha256,
})

async function startFiles(files: object[], content = bytes) {
  const server = await startApiServer({
    '/api/v1/files': json({ data: files, next_cursor: null }),
    '/api/v1/files/f1': (reply, { headers }) => {
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
      reply.writeHead(from === 0 ? 200 : 206).end(content.subarray(from))
    },
  })
  return { ...server, env: { TAPELINE_URL: server.url, TAPELINE_KEY: 'tl_test_abcdefgh' } }
}

test('lists the files of a filter with days', async () => {
  const { env, requests } = await startFiles([file('f1'), file('f2')])
  const args = 'files list --venue sim --channel trades --since 2026-01-01 --until 2026-01-31 --format csv'.split(' ')
  const { out } = await runCli(args, { env })
  expect(out.split('\r\n')[1]).toMatch(/^f1,2026-01-02,sim,BTC-USDT,trades,1,50000,/)
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    venue: 'sim',
    channel: 'trades',
    from: '2026-01-01',
    to: '2026-01-31',
  })
})

test('downloads by id, resumes a partial file, and skips an existing file', async () => {
  const { env, requests } = await startFiles([file('f2'), file('f1')])
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'f1.parquet.part'), bytes.subarray(0, 20_000))
  const first = await runCli(['files', 'download', 'f1'], { env, cwd })
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(first.out)).toEqual({
    id: 'f1',
    name: 'f1.parquet',
    path: 'f1.parquet',
    bytes: 50_000,
    state: 'stored',
  })
  expect(requests.at(-1)?.headers.range).toBe('bytes=20000-')
  expect(readFileSync(join(cwd, 'f1.parquet')).equals(bytes)).toBe(true)
  const again = await runCli(['files', 'download', 'f1'], { env, cwd })
  expect(JSON.parse(again.out)).toMatchObject({ state: 'unchanged' })
  expect(requests.filter(({ path }) => path === '/api/v1/files/f1')).toHaveLength(1)
})

test('an unknown id, damaged bytes and a name outside the folder leave no file', async () => {
  const cwd = temporaryFolder()
  const unknown = await startFiles([file('f2')])
  expect(await runCli(['files', 'download', 'f1'], { env: unknown.env, cwd })).toMatchObject({ code: 3 })
  const damaged = await startFiles([file('f1')], randomBytes(bytes.length))
  expect(await runCli(['files', 'download', 'f1'], { env: damaged.env, cwd })).toMatchObject({ code: 4 })
  for (const name of ['../evil.parquet', '.bashrc', '']) {
    const { env } = await startFiles([file('f1', name)])
    expect(await runCli(['files', 'download', 'f1', '--to', 'd'], { env, cwd })).toMatchObject({ code: 1 })
  }
  expect(existsSync(join(cwd, 'evil.parquet'))).toBe(false)
  expect(readdirSync(cwd)).toEqual(['d'])
  expect(readdirSync(join(cwd, 'd'))).toEqual([])
})

test('a filter without files is reported and is no error', async () => {
  const { env } = await startFiles([])
  const ended = await runCli(['files', 'download', '--venue', 'sim'], { env, cwd: temporaryFolder() })
  expect(ended).toMatchObject({ code: 0, out: '', err: expect.stringContaining('No file matches') })
})
