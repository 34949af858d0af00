import { join } from 'node:path'
import { takeFreePort } from '../local/ports/free-port.ts'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { StartProblem } from '../local/start-problem.ts'
import { toolsFolder } from '../tools/find-tool.ts'
import type { Docker } from './docker.ts'

const PROJECT = 'tapeline-verify'
/** Separate from a platform that already runs on this machine. */
const EDGE_PREFIX = '172.31.252'
const PORTS = ['WEB_PORT', 'GATEWAY_PORT', 'MAIL_PORT', 'POSTGRES_PORT', 'REDIS_PORT'] as const
const VERSION_TIMEOUT_MS = 60_000
const COMMAND_TIMEOUT_MS = 300_000
const LINES_SHOWN = 40

export type Ports = Record<(typeof PORTS)[number], number>
export type Composition = {
  ports: Ports
  run: (args: string[], timeoutMs?: number) => Promise<string>
}

/** docker-compose.yml unchanged, with its own project name, ports and network; no image is pulled. */
export async function openComposition(docker: Docker): Promise<Composition> {
  const [command, ...before] = await findCompose(docker)
  const taken = await Promise.all(PORTS.map(async (name) => [name, await takeFreePort()] as const))
  const ports = Object.fromEntries(taken) as Ports
  const env = {
    ...process.env,
    DOCKER_BUILDKIT: '1',
    COMPOSE_PROJECT_NAME: PROJECT,
    EDGE_PREFIX,
    ...Object.fromEntries(taken.map(([name, port]) => [name, String(port)])),
  }
  const files = ['docker-compose.yml', join('deploy', 'verify', 'compose.tour.yml')].flatMap((file) => ['-f', file])
  return {
    ports,
    async run(args, timeoutMs = COMMAND_TIMEOUT_MS) {
      const all = [...before, ...files, ...args]
      const { code, output } = await runOnce(command, all, { timeoutMs, env, cwd: REPOSITORY })
      if (code === 0) return output.trim()
      throw new Error(`docker compose ${args.join(' ')}\n${output.trim().split('\n').slice(-LINES_SHOWN).join('\n')}`)
    },
  }
}

/** The engine's own plugin, or the one that was built into .tapeline/tools. */
async function findCompose(docker: Docker): Promise<[string, ...string[]]> {
  const own = join(toolsFolder(), 'docker-compose')
  const result = await runOnce(own, ['version'], { timeoutMs: VERSION_TIMEOUT_MS })
  if (result.code === 0) return [own]
  const plugin = await docker(['compose', 'version']).catch(() => undefined)
  if (plugin !== undefined) return ['docker', 'compose']
  throw new StartProblem('docker has no compose plugin.', 'Install it, or: npm run setup:tools -- compose')
}
