import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findAddresses } from '../find-addresses.ts'
import { REPOSITORY } from '../folders.ts'
import { readPorts } from '../ports/ports.ts'
import { StartProblem } from '../start-problem.ts'

/**
 * Runs a script of market-data with the arguments of this process, against the platform running from TAPELINE_DIR; its
 * help needs no platform. Sets the exit code of this process.
 */
export async function runWithAddresses(script: string): Promise<void> {
  const args = process.argv.slice(2)
  const isHelp = args.length === 0 || args.includes('--help') || args.includes('-h')
  try {
    const env = isHelp ? process.env : withAddresses(process.env)
    const path = join(REPOSITORY, 'services', 'market-data', 'src', script)
    const child = spawn(process.execPath, [path, ...args], { env, stdio: 'inherit' })
    // A terminal sends Ctrl-C to both processes; other signals are forwarded.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    const [code] = await once(child, 'exit')
    process.exitCode = typeof code === 'number' ? code : 1
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    process.stderr.write(`${error.line}\n`)
    process.exitCode = 1
  }
}

function withAddresses(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { databaseUrl } = findAddresses('market-data', env)
  const brokers = env.KAFKA_BROKERS || `127.0.0.1:${readPorts(env).kafka}`
  return { ...env, DATABASE_URL: databaseUrl, KAFKA_BROKERS: brokers }
}
