import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findAddresses } from '../find-addresses.ts'
import { REPOSITORY } from '../folders.ts'
import { readPorts } from '../ports/ports.ts'
import { StartProblem } from '../start-problem.ts'

// npm run connect -- ccxt:<venue>:<SYMBOL,…>: trades of a venue without a connector of its own, into the platform that runs.
const script = join(REPOSITORY, 'services', 'market-data', 'src', 'connect-ccxt.ts')
try {
  const { databaseUrl } = findAddresses('market-data', process.env)
  const brokers = process.env.KAFKA_BROKERS || `127.0.0.1:${readPorts(process.env).kafka}`
  const env = { ...process.env, DATABASE_URL: databaseUrl, KAFKA_BROKERS: brokers }
  const child = spawn(process.execPath, [script, ...process.argv.slice(2)], { env, stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; what ends this process ends the other.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  process.exitCode = typeof code === 'number' ? code : 1
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  process.stderr.write(`${error.line}\n`)
  process.exitCode = 1
}
