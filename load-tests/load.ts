import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readAcceptedAnswers } from './run/accepted-answers.ts'
import { findK6, type K6 } from './run/find-k6.ts'
import { commitResult, saveResult } from './run/save-result.ts'
import { type LoadResult, verdictsOf } from './run/load-result.ts'
import { type LoadPlatform, openPlatform } from './run/load-platform.ts'
import { measureCosts } from './run/measure-costs.ts'
import { prepareAccounts } from './run/prepare-accounts.ts'
import { type LoadOrder, readArguments, USAGE } from './run/read-arguments.ts'
import { runK6 } from './run/run-k6.ts'
import { textOf } from './run/result-text.ts'

// npm run load -- <journey> [profile]: runs a journey under load, evaluates it, and stores the result as JSON and HTML.
const words = process.argv.slice(2)
if (words.length === 0 || words.includes('--help')) {
  process.stdout.write(USAGE)
  process.exit(words.length === 0 ? 2 : 0)
}
const read = readArguments(words)
if ('problem' in read) exitWith(read.problem, 2)
const k6 = await findK6(print)
if ('problem' in k6) exitWith(k6.problem, 1)
try {
  const result = await runLoad(k6, read.order)
  const saved = saveResult(result)
  process.stdout.write(`${textOf(result, saved.comparison)}\n`)
  print(`page: ${relative(process.cwd(), saved.page)}`)
  if (read.order.isKept) print(`written: ${relative(process.cwd(), commitResult(result))}`)
  process.exitCode = result.held ? 0 : 1
} catch (error) {
  exitWith(`no result: ${error instanceof Error ? error.message : String(error)}`, 1)
}

async function runLoad(program: K6, order: LoadOrder): Promise<LoadResult> {
  const platform = await openPlatform(order, print)
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-k6-'))
  try {
    print('preparing accounts')
    const prepared = await prepareAccounts(platform, order.journey)
    print(`${order.journey.name}, ${order.profile}: ${order.journey.description}`)
    const before = load()
    const costsOf = measureCosts(platform)
    const { summary, output } = await runK6(program, order, prepared, dir)
    const answers = readAcceptedAnswers(output)
    const verdicts = verdictsOf(summary, answers)
    return {
      ...summary,
      ...runContext(program, platform),
      loadAverage: { before, after: load() },
      costs: costsOf(summary.requests),
      answers,
      verdicts,
      held: verdicts.every(({ held }) => held),
    }
  } finally {
    await platform.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function runContext({ version }: K6, { isOwn, gateways }: LoadPlatform) {
  return {
    at: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    k6: version,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    platform: isOwn ? ('own' as const) : ('named' as const),
    gateways: gateways.length,
  }
}

function load(): number {
  return Math.round(100 * (loadavg()[0] ?? 0)) / 100
}

function print(line: string): void {
  process.stderr.write(`${line}\n`)
}

function exitWith(line: string, code: number): never {
  print(line)
  process.exit(code)
}
