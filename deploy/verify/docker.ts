import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { StartProblem } from '../local/start-problem.ts'
import { findTool } from '../tools/find-tool.ts'

export type Docker = (args: string[], options?: { timeoutMs?: number; env?: NodeJS.ProcessEnv }) => Promise<string>

const VERSION_TIMEOUT_MS = 60_000
const COMMAND_TIMEOUT_MS = 180_000
const LINES_SHOWN = 15

/** The engine that DOCKER_HOST names, or this machine's; a command that fails throws its output. */
export async function findDocker(): Promise<Docker> {
  const program = findTool('docker')
  if (program === undefined) throw new StartProblem('docker is not on the PATH.', 'Install Docker 20.10 or newer.')
  const result = await runOnce(program, ['version', '--format', '{{.Server.Version}}'], {
    timeoutMs: VERSION_TIMEOUT_MS,
  })
  if (result.code !== 0) {
    const message = result.output.trim().split('\n').at(-1) ?? ''
    throw new StartProblem(`No Docker engine answers: ${message}`, 'Start one, or name it in DOCKER_HOST.')
  }
  return async (args, { timeoutMs = COMMAND_TIMEOUT_MS, env = {} } = {}) => {
    const whole = { ...process.env, DOCKER_BUILDKIT: '1', ...env }
    const { code, output } = await runOnce(program, args, { timeoutMs, env: whole, cwd: REPOSITORY })
    if (code === 0) return output.trim()
    throw new Error(`docker ${args.join(' ')}\n${output.trim().split('\n').slice(-LINES_SHOWN).join('\n')}`)
  }
}

/** Restrictions of a container, as in docker-compose.yml and the manifests. */
export const CONFINED = [
  '--read-only',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges:true',
  '--tmpfs',
  '/tmp',
]
