import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startServers } from './servers/servers.ts'
import { StartProblem } from './start-problem.ts'

// The three servers alone, for running tests many times: node deploy/local/servers-only.ts --dir <folder> --addresses
// <file>
const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '.tapeline/servers' },
    addresses: { type: 'string', default: '.tapeline/servers.env' },
    'max-connections': { type: 'string', default: '300' },
  },
})
const addressFile = resolve(values.addresses)
try {
  rmSync(addressFile, { force: true })
  const servers = await startServers({
    dir: resolve(values.dir),
    ports: 'free',
    env: {},
    postgresSettings: { max_connections: values['max-connections'] },
  })
  // Renamed into place: once the file exists, all three servers are usable.
  writeFileSync(`${addressFile}.part`, '', { mode: 0o600 })
  appendFileSync(
    `${addressFile}.part`,
    `DATABASE_URL=${servers.databaseUrl}\nREDIS_URL=${servers.redisUrl}\nKAFKA_BROKERS=${servers.kafkaBrokers}\n`,
  )
  renameSync(`${addressFile}.part`, addressFile)
  process.stdout.write(
    `PostgreSQL, Redis and Kafka are ready; their addresses are in ${addressFile}. Ctrl-C stops them.\n`,
  )
  const stop = (): void => {
    rmSync(addressFile, { force: true })
    void servers.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // No handle keeps this process alive while the servers run.
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stderr.write(`${error instanceof StartProblem ? error.line : String(error)}\n`)
  process.exit(1)
}
