import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { clientDir, type InstalledClient, installClient } from './installed-client.ts'

const { gatewayUrl } = runningPlatform()
const execute = promisify(execFile)
const RUN_TIMEOUT_MS = 120_000
let client: InstalledClient
let apiKey = ''

beforeAll(async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
  client = await installClient()
})
afterAll(() => client?.remove())

/** Asynchronously: the test runner ends a worker that does not answer for a minute. */
async function run(code: string): Promise<string[]> {
  const { dir } = client
  const file = join(dir, 'example.ts')
  writeFileSync(file, code)
  const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_KEY: apiKey }
  const { stdout } = await execute(process.execPath, [file], { cwd: dir, env, timeout: RUN_TIMEOUT_MS })
  return stdout.trim().split('\n')
}

test('an installed client reads instruments, limits and trades over pages, newest first', async () => {
  const lines = await run(`
    import { Tapeline, toNanoseconds } from '@tapeline/client'
    const tapeline = new Tapeline()
    const instruments = await tapeline.instruments.list()
    console.log(instruments.some(({ venue }) => venue === 'sim'), (await tapeline.limits.read()).tier)
    const trades = await tapeline.trades.list({ symbols: ['BTC-USDT'], order: 'desc', limit: 3 }).toArray(8)
    for (const trade of trades) console.log(toNanoseconds(trade.ts_event), trade.sequence)
  `)
  expect(lines[0]).toBe('true free')
  const sequences = lines.slice(1).map((line) => BigInt(line.split(' ')[1] ?? ''))
  expect(sequences).toHaveLength(8)
  expect(sequences).toEqual(sequences.map((_value, n) => (sequences[0] ?? 0n) - BigInt(n)))
})

test('the examples in the README run unchanged', async () => {
  const readme = readFileSync(join(clientDir, 'README.md'), 'utf8')
  const samples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')
  const sample = (text: string): string => samples.find((code) => code.includes(text)) ?? ''
  expect((await run(sample('trades.list({')))[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z (buy|sell) [\d.]+ [\d.]+$/)
  expect((await run(sample('tapeline.stream(')))[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z [\d.]+ [\d.]+ \S+$/)
  expect((await run(sample('NO-SUCH')))[0]).toMatch(/^symbol\.unknown 4\d\d [0-9a-f]{32}$/)
})
