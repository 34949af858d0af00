import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, expect, test } from 'vitest'
import { type Job, startJobs } from './jobs.ts'

const { redisUrl } = testServers()
const queue = `test-${randomUUID()}`
const redis = new Redis(redisUrl)
afterAll(async () => {
  const keys = await redis.keys(`{jobs}:${queue}:*`)
  if (keys.length > 0) await redis.del(keys)
  redis.disconnect()
})

const countSchedules = () => redis.zcard(`{jobs}:${queue}:repeat`)
const start = (jobs: Job[]) => startJobs({ redisUrl, queue, jobs, logger: silentLogger })

test('a job runs at its scheduled time, once for any number of processes', async () => {
  let runs = 0
  const everySecond: Job = { name: 'tidy', cron: '* * * * * *', run: async () => (runs += 1) }
  const processes = [start([everySecond]), start([everySecond])]
  const startedMs = Date.now()
  await waitUntil('the job ran twice', () => runs >= 2)
  await Promise.all(processes.map((one) => one.stop()))
  expect(runs).toBeLessThanOrEqual(Math.ceil((Date.now() - startedMs) / 1_000) + 1)
  const runsAtStop = runs
  expect(await countSchedules()).toBe(1)
  const third = start([])
  await waitUntil('the schedule is gone', async () => (await countSchedules()) === 0)
  await third.stop()
  expect(runs).toBe(runsAtStop)
})

test('a job can be run immediately; its failure stops neither the other jobs nor the process', async () => {
  let isDone = false
  const running = start([
    { name: 'broken', cron: '0 0 1 1 *', run: () => Promise.reject(new Error('no')) },
    { name: 'fine', cron: '0 0 1 1 *', run: async () => (isDone = true) },
  ])
  await running.runNow('broken')
  await running.runNow('fine')
  await waitUntil('the other job ran', () => isDone)
  await running.stop()
  expect(isDone).toBe(true)
})

test('a schedule that Redis lost is created again', async () => {
  let runs = 0
  const jobs: Job[] = [{ name: 'tidy', cron: '* * * * * *', run: async () => (runs += 1) }]
  const running = startJobs({ redisUrl, queue, jobs, logger: silentLogger, pollIntervalMs: 100 })
  await waitUntil('the job ran', () => runs > 0)
  const keys = await redis.keys(`{jobs}:${queue}:*`)
  await redis.del(keys)
  const runsAtLoss = runs
  await waitUntil('it runs again', () => runs > runsAtLoss + 1)
  await running.stop()
  expect(await countSchedules()).toBe(1)
})

test('a job that does not end when its process stops is cancelled, and runs again in another process', async () => {
  let runs = 0
  let stopping: AbortSignal | undefined
  const untilStopped: Job = {
    name: 'until-stopped',
    cron: '0 0 1 1 *',
    async run() {
      runs += 1
      if (stopping === undefined) throw new Error('runs without a signal')
      if (runs === 1) await once(stopping, 'abort')
      stopping.throwIfAborted()
    },
  }
  const startOne = () =>
    startJobs({
      redisUrl,
      queue,
      jobs: [untilStopped],
      logger: silentLogger,
      cancelWith: (signal, run) => ((stopping = signal), run()),
    })
  const first = startOne()
  await first.runNow('until-stopped')
  await waitUntil('the job runs', () => runs === 1)
  await first.stop()
  expect(stopping?.aborted).toBe(true)
  const second = startOne()
  await waitUntil('it runs again', () => runs === 2)
  await second.stop()
})

test('a process starts and stops without Redis', async () => {
  const startedMs = Date.now()
  const running = startJobs({ redisUrl: 'redis://127.0.0.1:1', queue, jobs: [], logger: silentLogger })
  await running.stop()
  // Of the connection attempts, which never end, two seconds are awaited.
  expect(Date.now() - startedMs).toBeLessThan(20_000)
})
