import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import { createKeyFor, send, signUpUser } from '@tapeline/testing/api-client'
import { findPython, PYTHON_IS_MISSING } from '@tapeline/testing/programs/python'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const EXAMPLES = join(import.meta.dirname, '..', '..', 'docs', 'examples')
const COUNT = 5
const TIMEOUT_MS = 120_000

/** Runs a client of docs/examples; the sequences that it printed. */
async function follow(program: string, script: string, apiKey: string): Promise<number[]> {
  const env = { ...process.env, TAPELINE_URL: gatewayUrl, TAPELINE_API_KEY: apiKey, COUNT: String(COUNT) }
  const options = { env, timeout: TIMEOUT_MS }
  const { stdout } = await promisify(execFile)(program, [join(EXAMPLES, script), 'sim', 'BTC-USDT'], options)
  return stdout
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[0]))
}

async function newKey(): Promise<string> {
  const { jwtToken } = await signUpUser(gatewayUrl)
  return (await createKeyFor(gatewayUrl, jwtToken, 'follower')).apiKey
}

async function expectStored(sequences: readonly number[], token: string): Promise<void> {
  expect(sequences).toEqual(Array.from({ length: COUNT }, (_value, n) => (sequences[0] ?? 0) + n))
  const body = { venues: ['sim'], symbols: ['BTC-USDT'], order: 'desc', limit: 1000 }
  const page = await send<TradePage>(`${gatewayUrl}/api/v1/trades/list`, { token, body })
  const stored = new Set(page.body.data.map(({ sequence }) => Number(sequence)))
  expect(sequences.filter((sequence) => !stored.has(sequence))).toEqual([])
}

test('docs/examples/follow-trades.mjs follows trades with the package ws', { timeout: TIMEOUT_MS }, async () => {
  const apiKey = await newKey()
  await expectStored(await follow(process.execPath, 'follow-trades.mjs', apiKey), apiKey)
})

test('docs/examples/follow_trades.py follows trades with websockets', { timeout: TIMEOUT_MS }, async ({ skip }) => {
  const python = await findPython()
  if (python === undefined) return skip(PYTHON_IS_MISSING)
  const apiKey = await newKey()
  await expectStored(await follow(python, 'follow_trades.py', apiKey), apiKey)
})

test('with a wrong key the example ends with the error instead of retrying', { timeout: TIMEOUT_MS }, async () => {
  await expect(follow(process.execPath, 'follow-trades.mjs', 'tl_live_none')).rejects.toThrow('returned 401')
})
