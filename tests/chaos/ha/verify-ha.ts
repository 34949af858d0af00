import { parseArgs } from 'node:util'
import { endGuarded } from '../../../deploy/local/processes/guard.ts'
import { StartProblem } from '../../../deploy/local/start-problem.ts'
import type { Field, Size } from '../drill.ts'
import { formatVerdict } from '../format-verdict.ts'
import { createHistory } from '../history.ts'
import { createRandom } from '../random.ts'
import { startWires } from '../wires.ts'
import { startHaPlatform } from './ha-platform.ts'
import { loseParts, loseRedisAtTheLimit } from './lose-parts.ts'
import { PART_KINDS, type PartKind } from './part.ts'
import { startClusterServers, startSentinelServers } from './redis-servers.ts'
import { beginRun, historyFile } from './run-record.ts'

// npm run verify:ha -- [--rate 500] [--pairs 3] [--seed <n>] [--only <kind>,…] [--redis sentinel|cluster] [--no-limits] [--write]
const NAMES = { sentinel: 'verify-ha', cluster: 'verify-ha-cluster' }
const REDIS = { sentinel: startSentinelServers, cluster: startClusterServers }
const SEED_MAX = 2 ** 31
const SETTLED_WITHIN_MS = 180_000

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
const { print, write } = beginRun()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void endGuarded().then(() => process.exit(130)))

try {
  process.exitCode = (await verify()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof StartProblem ? error.line : String(error)}\n`)
  process.exitCode = 1
}

async function verify(): Promise<boolean> {
  print(`each part is killed, then ${pairs} pairs, at ${perSecond} requests per second (seed ${seed})`)
  const ha = await startHaPlatform(print, { startRedis: REDIS[redis] })
  const wires = await startWires()
  const size: Size = { kills: 0, awayMs: 0, settledWithinMs: SETTLED_WITHIN_MS, isTimed: false }
  const random = createRandom(seed)
  const history = createHistory(historyFile(NAMES[redis], seed))
  const field: Field = { platform: ha.platform, wires, seed, random, history, size, loads: [] }
  try {
    const lost = await loseParts(ha, field, { perSecond, pairs, kinds, log: print })
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
      write(NAMES[redis], { command, perSecond, checks, figures, recoveries: lost.recoveries })
    }
    return checks.every(({ broken }) => broken.length === 0)
  } finally {
    await Promise.all(field.loads.map((load) => load.stop()))
    await wires.stop()
    await ha.stop()
  }
}

function areAllListed(text: string): boolean {
  return text === '' || text.split(',').every((word) => PART_KINDS.some((kind: PartKind) => kind === word))
}
