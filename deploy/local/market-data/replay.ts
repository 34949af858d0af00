import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findAddresses } from '../find-addresses.ts'
import { REPOSITORY } from '../folders.ts'
import { readPorts } from '../ports/ports.ts'
import { StartProblem } from '../start-problem.ts'

// npm run replay -- <venue:SYMBOL,…> <files…> [--speed 1|<n>|max]: raw frames into the platform that runs.
const script = join(REPOSITORY, 'services', 'market-data', 'src', 'replay.ts')
try {
  const { databaseUrl } = findAddresses('market-data', process.env)
  const brokers = process.env.KAFKA_BROKERS || `127.0.0.1:${readPorts(process.env).kafka}`
  const env = { ...process.env, DATABASE_URL: databaseUrl, KAFKA_BROKERS: brokers }
  process.exitCode =
    spawnSync(process.execPath, [script, ...process.argv.slice(2)], { env, stdio: 'inherit' }).status ?? 1
} catch (error) {
  if (!(error instanceof StartProblem)) throw error
  process.stderr.write(`${error.line}\n`)
  process.exitCode = 1
}
