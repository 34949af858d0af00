import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findAddresses } from './find-addresses.ts'
import { dataFolder, REPOSITORY } from './folders.ts'
import { readSecrets, SERVICES, type ServiceName } from './secrets.ts'
import { StartProblem } from './start-problem.ts'

// npm run dead-letters -- <service> list | replay | discard <topic> <partition> <offset>: messages that could not be applied, on the running platform.
const [name = '', ...words] = process.argv.slice(2)
// Every service consumes events and stores dead letters in its own database.
const service = SERVICES.find((one) => one === name)
const USAGE = `Usage: npm run dead-letters -- ${SERVICES.join('|')} <command>

  list                                    the messages that could not be applied
  replay                                  applies all that can be applied now
  discard <topic> <partition> <offset>    deletes one
`
if ([name, ...words].some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(USAGE)
} else if (service === undefined) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  try {
    const { databaseUrl } = findAddresses(service, process.env)
    const env = { ...secretOf(service), ...process.env, DATABASE_URL: databaseUrl }
    const script = join(REPOSITORY, 'services', service, 'src', 'dead-letters.ts')
    process.exitCode = spawnSync(process.execPath, [script, ...words], { env, stdio: 'inherit' }).status ?? 1
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    process.stderr.write(`${error.line}\n`)
    process.exitCode = 1
  }
}

/** identity encrypts the mails that replayed events result in. */
function secretOf(name: ServiceName): NodeJS.ProcessEnv {
  const dir = dataFolder(process.env)
  if (name !== 'identity' || !existsSync(join(dir, 'secrets.json'))) return {}
  return { IDENTITY_SECRET: readSecrets(dir).identitySecret }
}
