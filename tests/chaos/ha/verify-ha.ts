import { parseArgs } from 'node:util'
import type { Field } from '../drill.ts'
import { formatVerdict } from '../format-verdict.ts'
import { type HaPlatform, startHaPlatform } from './ha-platform.ts'
import { loseParts, loseRedisAtTheLimit } from './lose-parts.ts'
import { PART_KINDS, type PartKind } from './part.ts'
import { startClusterServers, startSentinelServers } from './redis-servers.ts'
import type { RunRecord } from './run-record.ts'
import { runVerification } from './run-verification.ts'

// npm run verify:ha -- [--rate 500] [--pairs 3] [--seed <n>] [--only <kind>,…] [--redis sentinel|cluster] [--no-limits] [--write]
const NAMES = { sentinel: 'verify-ha', cluster: 'verify-ha-cluster' }
const REDIS = { sentinel: startSentinelServers, cluster: startClusterServers }
const SEED_MAX = 2 ** 31

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '500' },
    pairs: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
    only: { type: 'string', default: '' },
    redis: { type: 'string', default: 'sentinel' },
    'no-limits': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const [perSecond, pairs, seed] = [Number(values.rate), Number(values.pairs), Number(values.seed)]
const redis = values.redis === 'cluster' ? 'cluster' : 'sentinel'
const kinds = PART_KINDS.filter((kind) => values.only.split(',').includes(kind))
if (
  ![perSecond, pairs, seed].every((number) => Number.isInteger(number) && number >= 0) ||
  !areAllListed(values.only) ||
  values.redis !== redis
) {
  process.stderr.write(
    `Usage: npm run verify:ha -- [--rate 500] [--pairs 3] [--seed <n>] [--only <${PART_KINDS.join('|')}>,…] [--redis <sentinel|cluster>] [--no-limits] [--write]\n`,
  )
  process.exit(2)
}
await runVerification({
  name: NAMES[redis],
  seed,
  start: (print) => {
    print(`each part is killed, then ${pairs} pairs, at ${perSecond} requests per second (seed ${seed})`)
    return startHaPlatform(print, { startRedis: REDIS[redis] })
  },
  verify,
})

async function verify(ha: HaPlatform, field: Field, run: RunRecord): Promise<boolean> {
  const lost = await loseParts(ha, field, { perSecond, pairs, kinds, log: run.print })
  const limited = values['no-limits'] ? { checks: [], figures: {} } : await loseRedisAtTheLimit(ha)
  const checks = [...lost.checks, ...limited.checks]
  const figures = { ...lost.figures, ...limited.figures }
  process.stdout.write(`${formatVerdict({ checks, figures })}\n`)
  process.stdout.write(`${lost.recoveries.map((one) => JSON.stringify(one)).join('\n')}\n`)
  if (values.write) {
    const choices = [
      ...(values.only === '' ? [] : [`--only '${values.only}'`]),
      ...(redis === 'sentinel' ? [] : ['--redis cluster']),
      ...(values['no-limits'] ? ['--no-limits'] : []),
      '--write',
    ]
    const command = `npm run verify:ha -- --rate ${perSecond} --pairs ${pairs} --seed ${seed} ${choices.join(' ')}`
    run.write(NAMES[redis], { command, perSecond, checks, figures, recoveries: lost.recoveries })
  }
  return checks.every(({ broken }) => broken.length === 0)
}

function areAllListed(text: string): boolean {
  return text === '' || text.split(',').every((word) => PART_KINDS.some((kind: PartKind) => kind === word))
}
