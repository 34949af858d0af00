import { expect, test } from 'vitest'
import { withRetries } from './with-retries.ts'

test('failed work is retried, and each failure is reported with its reason', async () => {
  const lines: string[] = []
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries < 3) throw new Error(`connect ECONNREFUSED\n  at try ${tries}`)
    return 'done'
  }
  expect(await withRetries('databases', work, { log: (line) => lines.push(line), pauseMs: 1 })).toBe('done')
  expect(lines).toEqual([
    'databases: connect ECONNREFUSED at try 1; retrying in 0.001 s',
    'databases: connect ECONNREFUSED at try 2; retrying in 0.001 s',
  ])
})

test('retries end with the last error', async () => {
  let tries = 0
  const work = async () => {
    tries += 1
    throw new Error(`wrong ${tries}`)
  }
  const tried = withRetries('topics', work, { log: () => {}, patienceMs: 2_000, pauseMs: 100 })
  await expect(tried).rejects.toThrow(/^wrong \d+$/)
  expect(tries).toBeGreaterThan(1)
})
