import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { findPython, installPythonClient, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const packageDir = join(import.meta.dirname, '../../libs/sdk-python')
const dir = mkdtempSync(join(tmpdir(), 'tapeline-python-'))
const execute = promisify(execFile)
const RUN_TIMEOUT_MS = 120_000
const BUILD_TIMEOUT_MS = 180_000
let python: string | undefined
let apiKey = ''

beforeAll(async () => {
  python = await findPython()
  if (python === undefined) return
  const { jwtToken } = await signUpUser(gatewayUrl)
  apiKey = (await createKeyFor(gatewayUrl, jwtToken)).apiKey
  installPythonClient(python, dir)
}, BUILD_TIMEOUT_MS)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Asynchronously: the test runner ends a worker that does not answer for a minute. */
async function run(code: string): Promise<string[]> {
  const env = { PATH: process.env['PATH'], PYTHONPATH: dir, TAPELINE_URL: gatewayUrl, TAPELINE_KEY: apiKey }
  const { stdout } = await execute(python ?? '', ['-c', code], { cwd: dir, env, timeout: RUN_TIMEOUT_MS })
  return stdout.trim().split('\n')
}

test('the installed client reads exact decimals, pages, bars and the book', async ({ skip }) => {
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  const lines = await run(`
from decimal import Decimal
from tapeline import Tapeline, to_nanoseconds
with Tapeline() as client:
    trades = client.trades.list(symbols=["BTC-USDT"], order="desc", limit=3).to_list(8)
    print(all(isinstance(trade["price"], Decimal) for trade in trades), client.limits.read()["tier"])
    print(*[trade["sequence"] for trade in trades])
    print(to_nanoseconds(trades[0]["ts_event"]) > to_nanoseconds(trades[-1]["ts_event"]))
    bar = client.bars.list(symbols=["BTC-USDT"], interval="1m", order="desc", limit=1).to_list(1)[0]
    print(bar["low"] <= bar["close"] <= bar["high"])
`)
  expect(lines[0]).toBe('True free')
  const sequences = (lines[1] ?? '').split(' ').map(BigInt)
  expect(sequences).toEqual(sequences.map((_value, n) => (sequences[0] ?? 0n) - BigInt(n)))
  expect(lines.slice(2)).toEqual(['True', 'True'])
})

test('the examples of the README print a trade, a trade of the live stream and an error', async ({ skip }) => {
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  const readme = readFileSync(join(packageDir, 'README.md'), 'utf8')
  const samples = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')
  const sample = (text: string): string => samples.find((code) => code.includes(text)) ?? ''
  expect((await run(sample('Remove this line')))[0]).toMatch(/^\d{4}-\d{2}-\d{2}T\S+Z (buy|sell) [\d.]+ [\d.]+$/)
  expect((await run(sample('NO-SUCH')))[0]).toMatch(/^symbol\.unknown 4\d\d [0-9a-f]{32}$/)
  const one = sample('channel="trades"').replace('print(trade["price"], stream.cursor)', '$&\n        break')
  expect((await run(one))[0]).toMatch(/^[\d.]+ \S+$/)
})
