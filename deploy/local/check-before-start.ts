import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkExternalServers } from './external-servers.ts'
import { cacheFolder } from './folders.ts'
import { isPortFree } from './ports/free-port.ts'
import { readLauncherLock } from './processes/launcher-lock.ts'
import { PortInUse } from './ports/port-in-use.ts'
import type { PortName, Ports } from './ports/ports.ts'
import { StartProblem } from './start-problem.ts'

export const DISK_BYTES_MIN = 1_000_000_000

/** Inexpensive checks before anything is started, so that a start fails early and reports all problems. */
export async function checkBeforeStart(dir: string, ports: Ports, env: NodeJS.ProcessEnv): Promise<void> {
  for (const problem of [
    checkNode(),
    checkFolder(dir, 'TAPELINE_DIR'),
    checkFolder(cacheFolder(), 'TAPELINE_CACHE_DIR'),
    checkDisk(dir),
  ]) {
    if (problem !== undefined) throw problem
  }
  const [problem] = [...(await checkPorts(dir, ports, env)), ...(await checkExternalServers(env))]
  if (problem !== undefined) throw problem
}

export function checkNode(version: string = process.versions.node): StartProblem | undefined {
  if (Number(version.split('.')[0]) >= 26) return undefined
  return new StartProblem(
    `Node.js ${version} is running this command; Tapeline requires Node.js 26.`,
    'Run it through npm, or put node_modules/.bin first on the PATH. npm ci --include=optional installs Node.js 26.',
  )
}

export function checkFolder(dir: string, variable: 'TAPELINE_DIR' | 'TAPELINE_CACHE_DIR'): StartProblem | undefined {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (cause) {
    return new StartProblem(
      `The folder ${dir} is not writable.`,
      `Change its permissions, or set ${variable} to another folder.`,
      {
        cause,
      },
    )
  }
}

export function checkDisk(dir: string): StartProblem | undefined {
  const { bavail, bsize } = statfsSync(nearestFolder(dir))
  const free = bavail * bsize
  if (free >= DISK_BYTES_MIN) return undefined
  return new StartProblem(
    `Only ${(free / 1e6).toFixed(0)} MB are free on the disk of ${dir}.`,
    `Tapeline needs ${DISK_BYTES_MIN / 1e6} MB: free some, or set TAPELINE_DIR to another disk.`,
  )
}

/** No warning while a launcher of this folder is running, or when its leftover processes are about to be stopped. */
export async function checkPorts(dir: string, ports: Ports, env: NodeJS.ProcessEnv): Promise<StartProblem[]> {
  const isConfigured: Partial<Record<PortName, boolean>> = {
    postgres: Boolean(env.DATABASE_URL),
    redis: Boolean(env.REDIS_URL),
    kafka: Boolean(env.KAFKA_BROKERS),
    'kafka-controller': Boolean(env.KAFKA_BROKERS),
  }
  const { holder, leftovers } = readLauncherLock(dir)
  if (holder !== undefined) return []
  const problems: StartProblem[] = []
  for (const [name, port] of Object.entries(ports) as [PortName, number][]) {
    if (isConfigured[name] === true || (await isPortFree(port))) continue
    const problem = new PortInUse(name, port)
    if (problem.owner === undefined || !leftovers.includes(problem.owner.pid)) problems.push(problem)
  }
  return problems
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
