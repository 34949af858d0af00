import { REPOSITORY } from '../folders.ts'
import { outputTail } from '../output-tail.ts'
import { runOnce } from './run-once.ts'
import { StartProblem } from '../start-problem.ts'

type ScriptOptions = { env: NodeJS.ProcessEnv; timeoutMs: number; onLine?: (line: string) => void }

/**
 * Runs a program of the platform to its end, and returns its output.
 * @throws StartProblem with the end of the output of a program that failed
 */
export async function runScript(title: string, script: string, options: ScriptOptions): Promise<string> {
  const { code, output } = await runOnce(process.execPath, [script], {
    ...options,
    cwd: REPOSITORY,
  })
  if (code !== 0) {
    throw new StartProblem(
      `${title} failed:\n${outputTail(title, output.split('\n'))}\n`,
      'No existing data was changed. Fix the cause and start again.',
    )
  }
  return output
}
