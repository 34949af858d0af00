import { endGuarded } from '../../../deploy/local/processes/guard.ts'
import { StartProblem } from '../../../deploy/local/start-problem.ts'
import type { TestPlatform } from '@tapeline/testing/test-platform'
import type { Field, Size } from '../drill.ts'
import { createHistory } from '../history.ts'
import { createRandom } from '../random.ts'
import { startWires } from '../wires.ts'
import { beginRun, historyFile, type RunRecord } from './run-record.ts'

const SETTLED_WITHIN_MS = 180_000
const EXIT_INTERRUPTED = 130

type StartedPlatform = { platform: TestPlatform; stop: () => Promise<void> }

/** `name`: of the history's file. `verify` returns whether all checks passed. */
export type Verification<Platform extends StartedPlatform> = {
  name: string
  seed: number
  start: (print: RunRecord['print']) => Promise<Platform>
  verify: (ha: Platform, field: Field, run: RunRecord) => Promise<boolean>
}

/** Runs a verification on a platform of its own and sets the exit code; a signal ends everything that it started. */
export async function runVerification<Platform extends StartedPlatform>(
  verification: Verification<Platform>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void endGuarded().then(() => process.exit(EXIT_INTERRUPTED)))
  try {
    process.exitCode = (await verifyOnPlatform(verification)) ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof StartProblem ? error.line : String(error)}\n`)
    process.exitCode = 1
  }
}

async function verifyOnPlatform<Platform extends StartedPlatform>({
  name,
  seed,
  start,
  verify,
}: Verification<Platform>): Promise<boolean> {
  const run = beginRun()
  const ha = await start(run.print)
  const wires = await startWires()
  const size: Size = { kills: 0, awayMs: 0, settledWithinMs: SETTLED_WITHIN_MS, isTimed: false }
  const random = createRandom(seed)
  const history = createHistory(historyFile(name, seed))
  const field: Field = { platform: ha.platform, wires, seed, random, history, size, loads: [] }
  try {
    return await verify(ha, field, run)
  } finally {
    await Promise.all(field.loads.map((load) => load.stop()))
    await wires.stop()
    await ha.stop()
  }
}
