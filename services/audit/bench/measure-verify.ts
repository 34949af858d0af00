import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyUsage } from '../src/reconciliation/verify-usage.ts'
import { fillAccount } from './fill-queries.ts'
import { openScratch, print, runContext } from './scratch.ts'

// How long does it take to recompute all sums of audit from the rows and compare them with the stored ones?

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    out: { type: 'string', default: 'docs/benchmarks/audit-verify.json' },
  },
})
const DAYS = 30

const scratch = await openScratch()
try {
  await fillAccount(scratch.db, { accountId: crypto.randomUUID(), rows: Number(values.rows), days: DAYS })
  print('the rows and their roll-ups are there')
  const startedMs = performance.now()
  const verdict = await verifyUsage(scratch.db, null)
  const seconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1))
  const perMillion = Number(((1e6 * seconds) / verdict.rows).toFixed(1))
  print(
    `${verdict.rows} rows verified in ${seconds} s, ${perMillion} s per million; all sums agree: ${verdict.isRight}`,
  )
  const result = {
    ...runContext(),
    rows: verdict.rows,
    isRight: verdict.isRight,
    seconds,
    secondsPerMillion: perMillion,
  }
  mkdirSync(dirname(values.out), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  if (!verdict.isRight) process.exitCode = 1
} finally {
  await scratch.drop()
}
