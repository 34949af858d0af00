import { StartProblem } from '../local/start-problem.ts'

export type Verdicts = {
  /** Runs one check and prints the result; the error that it throws is the reason. */
  check: (what: string, run: () => Promise<string | void>) => Promise<boolean>
  skip: (what: string, why: string) => void
}

/** Prints each check as it ends and a summary; if the checks cannot run, prints one line and exits with 1. */
export async function verify(work: (verdicts: Verdicts) => Promise<void>): Promise<void> {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  const verdicts: Verdicts = {
    async check(what, run) {
      const startedAt = Date.now()
      const seconds = () => ((Date.now() - startedAt) / 1_000).toFixed(1)
      try {
        const result = await run()
        sum.passed += 1
        console.log(`ok       ${what}${result ? `: ${result}` : ''} (${seconds()} s)`)
        return true
      } catch (error) {
        if (error instanceof StartProblem) throw error
        sum.failed += 1
        console.log(`FAILED   ${what} (${seconds()} s)\n${error instanceof Error ? error.message : String(error)}`)
        return false
      }
    },
    skip(what, why) {
      sum.skipped += 1
      console.log(`skipped  ${what}: ${why}`)
    },
  }
  try {
    await work(verdicts)
    console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
    process.exitCode = sum.failed > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    console.error(error.line)
    process.exitCode = 1
  }
}
