import { parseArgs } from 'node:util'
import { checkEnough } from '../../checks/check-answers.ts'
import { checkCounting } from '../../checks/check-counting.ts'
import { gatherCounting } from '../../checks/gather-counting.ts'
import { type Field, pause } from '../../drill.ts'
import { formatVerdict } from '../../format-verdict.ts'
import { newAccount } from '../../load.ts'
import { startVisits } from '../../visits.ts'
import { recoveriesOf } from '../recovery.ts'
import type { RunRecord } from '../run-record.ts'
import { runVerification } from '../run-verification.ts'
import { checkRecovered, startSteadyLoad, statusesOf, untilSteady } from '../steady-load.ts'
import { whyNoNamespaces } from './network.ts'
import { SABOTAGES, type SplitPlatform, startSplitPlatform } from './split-platform.ts'
import { splitPostgres } from './split-postgres.ts'
import { splitRedis } from './split-redis.ts'

// npm run verify:split-brain -- [--rate 100] [--only postgres|redis] [--sabotage <setting>] [--write]
const NAME = 'split-brain'
const ANSWERS_MIN = 1_000
const PAUSE_MS = 3_000
const STEADY_WITHIN_MS = 30_000
const SEED = 1

const SPLITS = { postgres: splitPostgres, redis: splitRedis }
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '100' },
    only: { type: 'string' },
    sabotage: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const perSecond = Number(values.rate)
const sabotage = SABOTAGES.find((one) => one === values.sabotage)
const splits = Object.entries(SPLITS).flatMap(([name, split]) =>
  values.only === undefined || values.only === name ? [split] : [],
)
if (!(perSecond > 0) || splits.length === 0 || sabotage !== values.sabotage) {
  process.stderr.write(
    `Usage: npm run verify:split-brain -- [--rate 100] [--only <${Object.keys(SPLITS).join('|')}>] [--sabotage <${SABOTAGES.join('|')}>] [--write]\n`,
  )
  process.exit(2)
}
const problem = whyNoNamespaces()
if (problem !== undefined) {
  process.stderr.write(`verify:split-brain: ${problem}.\n`)
  process.exit(2)
}
await runVerification({
  name: NAME,
  seed: SEED,
  start: (print) => startSplitPlatform(print, sabotage),
  verify,
})

async function verify(ha: SplitPlatform, field: Field, run: RunRecord): Promise<boolean> {
  const { checks, figures, recoveries } = await splitUnderLoad(ha, field, run.print)
  process.stdout.write(`${formatVerdict({ checks, figures })}\n`)
  process.stdout.write(`${recoveries.map((one) => JSON.stringify(one)).join('\n')}\n`)
  const only = values.only === undefined ? '' : ` --only ${values.only}`
  const command = `npm run verify:split-brain -- --rate ${perSecond}${only} --write`
  if (values.write) run.write(NAME, { command, perSecond, checks, figures, recoveries })
  return checks.every(({ broken }) => broken.length === 0)
}

/** Each server is cut off and reconnected under the platform's traffic, and then the requests are counted. */
async function splitUnderLoad(ha: SplitPlatform, field: Field, print: RunRecord['print']) {
  const account = await newAccount(field)
  const load = startSteadyLoad(field, account, perSecond)
  const visits = startVisits(field, account)
  const outcomes = []
  await untilSteady(field, print, STEADY_WITHIN_MS)
  for (const split of splits) {
    await pause(PAUSE_MS)
    const outcome = await split(ha, field)
    const { names, killedMs, restartedMs, endMs } = outcome.loss
    print(`${names.join(' and ')} for ${restartedMs - killedMs} ms, whole after ${endMs - killedMs} ms`)
    outcomes.push(outcome)
  }
  await visits.stop()
  await load.stop()
  print('all is connected; counting')
  const counted = await gatherCounting({ ...field, platform: await ha.withPrimary() }, account, {
    areCellsWhole: false,
  })
  const requests = field.history.requests.filter(({ account: id }) => id === account.accountId)
  const losses = outcomes.map(({ loss }) => loss)
  return {
    checks: [
      ...outcomes.flatMap(({ checks }) => checks),
      checkEnough(requests, ANSWERS_MIN),
      ...checkCounting(counted),
      checkRecovered(requests, losses),
    ],
    figures: {
      ...Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      asked: requests.length,
      answered: counted.answered.length,
      unanswered: counted.unanswered,
      rows: counted.rows.length,
      ...statusesOf(requests),
    } as Record<string, number>,
    recoveries: recoveriesOf(losses, requests, visits.list),
  }
}
