import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { measureProcess, Registry } from './metrics.ts'

const BLOCKED_MS = 400

test('the event-loop delay is the time by which timers are late, since the last scrape', async () => {
  const registry = new Registry()
  measureProcess(registry)
  await delay(300)
  const until = performance.now() + BLOCKED_MS
  while (performance.now() < until);
  await delay(100)
  const blocked = await secondsOf(registry, 'max')
  expect(blocked).toBeGreaterThan(0.29)
  expect(await secondsOf(registry, 'p99')).toBeGreaterThan(0.29)
  expect(await secondsOf(registry, 'min')).toBeLessThan(blocked)
})

async function secondsOf(registry: Registry, statistic: string): Promise<number> {
  const text = await registry.metrics()
  return Number(new RegExp(`^nodejs_eventloop_lag_${statistic}_seconds (\\S+)$`, 'm').exec(text)?.[1])
}
