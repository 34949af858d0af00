import { expect, test } from 'vitest'
import { median, percentile, summarize, type Measured } from './summarize.ts'

test.each([
  [[1], 1],
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test('a percentile is one of the measured values', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1)
  expect([percentile(values, 50), percentile(values, 99), percentile([7], 99)]).toEqual([100, 198, 7])
})

test('a round in which all targets were slow does not change the comparison', () => {
  const round = (target: string, number: number, cpuMicrosPerRequest: number): Measured => ({
    target,
    round: number,
    isDirect: target === 'direct',
    cpuMicrosPerRequest,
    threadMicrosPerRequest: { main: cpuMicrosPerRequest },
    redisMicrosPerRequest: 0,
    requestsPerSecond: 1,
    p50Ms: 1,
    p99Ms: 1,
    rssMb: 1,
    coreTakenByOthers: 0,
  })
  const measured = [round('bare', 1, 50), round('ours', 1, 60), round('ours', 2, 600), round('bare', 2, 500)]
  const ours = summarize([...measured, round('bare', 3, 40), round('ours', 3, 48)], 'bare').find(
    ({ target }) => target === 'ours',
  )
  expect(ours).toMatchObject({ cpuToYardstick: 1.2, cpuMicrosPerRequest: 60, requestsPerSecondAndCore: 16_667 })
})
