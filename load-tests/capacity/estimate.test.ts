import { expect, test } from 'vitest'
import { someResult } from '../run/load-result.fixture.ts'
import type { Figures } from './read-figures.ts'
import { requestsPerInstance, gigabytesPerDay, needAt, partsOf } from './estimate.ts'
import { writePage } from './write-page.ts'

const figures: Figures = {
  gateway: { cpuMicros: 60, redisMicros: 12, rssMb: 180, p99Ms: 4, perSecond: 2_000, at: '2026-01-01' },
  consumer: { cpuMicros: 75, postgresMicros: 50, steadyMicros: 130, steadyPerSecond: 1_000, at: '2026-01-02' },
  dashboard: { perSecond: 1_000, p99Ms: 800, at: '2026-01-03' },
  load: undefined,
  rows: undefined,
  soak: undefined,
}
const part = (microsPerRequest: number) => ({ name: 'x', microsPerRequest, source: 'gateway' as const, scales: '' })

test('cores are calculated from CPU time; the number of instances keeps each below 60 %', () => {
  expect(needAt(part(60), 10_000)).toMatchObject({ cores: 0.6, count: 1 })
  expect(needAt(part(60), 10_100)).toMatchObject({ count: 2 })
  expect(needAt(part(60), 100_000)).toMatchObject({ cores: 6, count: 10 })
  expect(requestsPerInstance(part(60))).toBe(10_000)
})

test('a day has 86,400 seconds', () => {
  expect(gigabytesPerDay(1_000, 1_000)).toBeCloseTo(86.4)
})

test('the most expensive part comes first in the table and in the advice', () => {
  expect(partsOf(figures).map(({ name }) => name)).toEqual([
    "audit's consumer",
    'gateway',
    "audit's PostgreSQL",
    'Redis of the limiter',
  ])
  const page = writePage(figures, [])
  expect(page).toMatch(/1\. \*\*audit's consumer\*\* \(at capacity at about 8,000\/s\)/)
})

test('a new measurement changes the page', () => {
  const twice = { ...figures, gateway: { ...figures.gateway, cpuMicros: 120 } }
  expect(writePage(twice, [])).toContain('| gateway | 120 | 5,000/s |')
})

test('parts without a measurement are called not measured; a stored load result provides it', () => {
  expect(writePage(figures, [])).toMatch(/The cost of market-data, Kafka and the rest of PostgreSQL is not measured/)
  const costs = [{ name: 'market-data', cpuMicrosPerRequest: 400, rssMb: 100 }]
  const page = writePage({ ...figures, load: someResult({ costs }) }, [])
  expect(page).toContain('| market-data | 400 | 1,500/s |')
  expect(page).toMatch(/1\. \*\*market-data\*\*/)
})
