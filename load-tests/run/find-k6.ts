import { spawnSync } from 'node:child_process'
import { StartProblem } from '../../deploy/local/start-problem.ts'
import { findTool } from '../../deploy/tools/find-tool.ts'
import { installTool } from '../../deploy/tools/install-tool.ts'
import { ALL_TOOLS } from '../../deploy/tools/tools.ts'

/** Earlier versions cannot run TypeScript. */
const MAJOR_MIN = 1

export type K6 = { program: string; version: string }
export type FoundK6 = K6 | { problem: string }

/** The pinned k6 if it was built before, otherwise k6 from the PATH, otherwise the pinned version, built with Go. */
export async function findK6(log: (line: string) => void, env: NodeJS.ProcessEnv = process.env): Promise<FoundK6> {
  const pinned = ALL_TOOLS.find(({ name }) => name === 'k6')
  const found = findTool('k6', env)
  if (found !== undefined) {
    return versionOf(found) ?? { problem: `${found} is not k6 of version ${MAJOR_MIN} or later` }
  }
  if (pinned === undefined) return { problem: 'k6 is not among the tools that can be set up' }
  log(`building k6 ${pinned.version}: once, a few minutes`)
  try {
    await installTool(pinned, env)
  } catch (error) {
    if (error instanceof StartProblem) return { problem: error.line }
    throw error
  }
  const program = findTool('k6', env)
  return (program === undefined ? undefined : versionOf(program)) ?? { problem: `k6 ${pinned.version} does not run` }
}

export function versionOf(program: string): K6 | undefined {
  const { status, stdout } = spawnSync(program, ['version'], { encoding: 'utf8' })
  const version = status === 0 ? /v(\d+)\.\d+\.\d+/.exec(stdout) : null
  return version === null || Number(version[1]) < MAJOR_MIN ? undefined : { program, version: version[0] }
}
