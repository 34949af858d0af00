import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Platform, type PlatformOptions, startPlatform } from '../../../deploy/local/platform.ts'

/** All requests of a test suite come from one address, so throttles by address would only affect the tests. */
export const NO_THROTTLES = Object.fromEntries(
  ['PUBLIC', 'SAMPLE', 'SIGN_IN', 'SIGN_UP', 'REFRESH', 'ACCOUNT', 'FAILURES'].map((name) => [
    `THROTTLE_${name}_PER_MINUTE`,
    '1000000',
  ]),
)

/** A killed process loses nothing that the operating system has accepted. */
const WITHOUT_POWER_CUTS = { fsync: 'off' }

export type TestPlatformOptions = Pick<
  PlatformOptions,
  | 'gateways'
  | 'processesPerService'
  | 'streamProcesses'
  | 'env'
  | 'overrideEnvironment'
  | 'servers'
  | 'isRestarting'
  | 'only'
>
/** `logFile` contains every line logged by the processes. */
export type TestPlatform = Platform & { logFile: string; topicPrefix: string }

/** Starts the same platform as `npm start` on free ports, in a temporary directory that `stop` removes. */
export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-platform-'))
  const run = crypto.randomUUID().slice(0, 8)
  const logFile = join(dir, 'processes.log')
  const topicPrefix = `p${run}-`
  const removeAtExit = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', removeAtExit)
  const remove = () => {
    process.off('exit', removeAtExit)
    removeAtExit()
  }
  try {
    const platform = await startPlatform({
      ...options,
      dir,
      ports: 'free',
      postgresSettings: WITHOUT_POWER_CUTS,
      databasePrefix: `p${run}_`,
      topicPrefix,
      env: {
        ...options.env,
        gateway: { ...NO_THROTTLES, ...options.env?.['gateway'] },
        ...gatewaysBeyondTheFirst(options),
      },
      onLine(name, line) {
        appendFileSync(logFile, `${name} ${line}\n`)
        showLine(name, line)
      },
    })
    return {
      ...platform,
      logFile,
      topicPrefix,
      async stop() {
        await platform.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

function gatewaysBeyondTheFirst({ gateways = 1, env }: TestPlatformOptions): Record<string, NodeJS.ProcessEnv> {
  const names = Array.from({ length: gateways - 1 }, (_, n) => `gateway-${n + 2}`)
  return Object.fromEntries(names.map((name) => [name, { ...NO_THROTTLES, ...env?.['gateway'], ...env?.[name] }]))
}

/** TEST_LOG=1 prints the logs of the processes. */
function showLine(name: string, line: string): void {
  if (process.env['TEST_LOG'] === '1') process.stderr.write(`${name} ${line}\n`)
}
