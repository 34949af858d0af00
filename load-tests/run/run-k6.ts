import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Prepared } from '../lib/accounts.ts'
import type { LoadSummary } from '../lib/summary.ts'
import type { K6 } from './find-k6.ts'
import type { LoadOrder } from './read-arguments.ts'

/** Exit code of k6 for a violated threshold; any other code except 0 means that there is no result. */
const THRESHOLDS_CROSSED = 99
const JOURNEYS_DIR = join(import.meta.dirname, '..', 'journeys')

export type K6Run = { summary: LoadSummary; /** Output lines of the scripts. */ output: string[] }

/** Runs a journey in k6. `dir` must be private, because it contains the accounts. */
export async function runK6(k6: K6, order: LoadOrder, prepared: Prepared, dir: string): Promise<K6Run> {
  const files = {
    accounts: join(dir, 'accounts.json'),
    summary: join(dir, 'summary.json'),
    output: join(dir, 'output.log'),
  }
  writeFileSync(files.accounts, JSON.stringify(prepared), { mode: 0o600 })
  const { journey, profile, perSecond, seconds } = order
  const script = join(JOURNEYS_DIR, `${journey.name}.ts`)
  // Without the control API, whose port another k6 may use.
  const words = ['run', '--no-usage-report', '--quiet', '--address=', '--console-output', files.output, script]
  const child = spawn(k6.program, words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...withoutK6Settings(process.env),
      // On few cores, one is left to the measured platform.
      GOMAXPROCS: String(Math.max(1, availableParallelism() - 1)),
      ACCOUNTS_FILE: files.accounts,
      SUMMARY_FILE: files.summary,
      PROFILE: profile,
      ...(perSecond === undefined ? {} : { RATE: String(perSecond) }),
      ...(seconds === undefined ? {} : { SECONDS: String(seconds) }),
    },
  })
  const interrupt = () => child.kill('SIGINT')
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const [code] = await once(child, 'exit')
  process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  if (![0, THRESHOLDS_CROSSED].includes(Number(code)) || !existsSync(files.summary)) {
    throw new Error(`k6 ended with ${String(code)}${lastLineOf(files.output)}`)
  }
  return { summary: JSON.parse(readFileSync(files.summary, 'utf8')), output: linesOf(files.output) }
}

/** K6_VUS and similar variables would silently replace the scenarios. */
function withoutK6Settings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('K6_')))
}

function linesOf(file: string): string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

function lastLineOf(file: string): string {
  const line = linesOf(file).at(-1)
  return line === undefined ? '' : `: ${line}`
}
