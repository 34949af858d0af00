import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { prepareChanges } from './limits/prepare-changes.ts'
import { watchChange, type Watched } from './limits/watch-change.ts'

// node tests/immediate-changes.ts [--trials 1000] [--rate 500] [--only revocation]: measures every change under a steady
// request rate.
const GATEWAYS = 3
const PROGRESS_EVERY = 100
const RESULT = join(import.meta.dirname, '..', 'docs', 'benchmarks', 'immediate-changes.json')
const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
  },
})
const trials = Number(values.trials)
const rate = { perSecond: Number(values.rate), openMax: 300 }

const result = beginResult()
const platform = await startTestPlatform({ gateways: GATEWAYS, isRestarting: false })
try {
  const results = await watchAll(platform)
  for (const one of results) process.stdout.write(`${lineOf(one)}\n`)
  if (values.only === '') {
    result.write(RESULT, { gateways: GATEWAYS, requests_per_second: rate.perSecond, results })
  }
  process.exitCode = results.every(({ late, odd }) => late === 0 && Object.keys(odd).length === 0) ? 0 : 1
} finally {
  await platform.stop()
}

type Result = Omit<Watched, 'late' | 'changeMs'> & {
  late: number
  change_ms: { p50: number; p99: number; max: number }
}

async function watchAll({ gatewayUrl, gatewayUrls, databaseUrls, addresses }: TestPlatform): Promise<Result[]> {
  const changes = await prepareChanges({
    gatewayUrl,
    identityDatabaseUrl: databaseUrls.identity,
    configDatabaseUrl: databaseUrls.config,
    redisUrl: addresses.redisUrl,
  })
  const results: Result[] = []
  for (const change of changes.list.filter(({ name }) => values.only === '' || name === values.only)) {
    let changed = 0
    const beforeChange = (): void => {
      changed += 1
      if (changed % PROGRESS_EVERY === 0) process.stderr.write(`${change.name}: ${changed} changes\n`)
    }
    process.stderr.write(`${change.name}: ${trials} trials …\n`)
    const watched = await watchChange(change, { gatewayUrls, trials, rate, beforeChange })
    results.push(
      ...watched.map(({ late, changeMs, ...rest }) => ({ ...rest, late: late.length, change_ms: spread(changeMs) })),
    )
  }
  await changes.end()
  return results
}

function spread(values: readonly number[]): Result['change_ms'] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1))
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function lineOf({ step, proven, asked, late, degraded, unpublished, odd, change_ms }: Result): string {
  const suffix = `${degraded} degraded, ${unpublished} unpublished, odd ${JSON.stringify(odd)}, change p50 ${change_ms.p50} ms`
  return `${step.padEnd(26)} ${proven} trials, ${asked} requests after it, ${late} saw the old state, ${suffix}`
}
