import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { signUpUser } from '@tapeline/testing/api-client'
import { setLimits, setTier } from '@tapeline/testing/set-subscription'
import { startTestPlatform, type TestPlatform } from '@tapeline/testing/test-platform'
import { runOnce } from '../../deploy/local/processes/run-once.ts'
import { toolsFolder } from '../../deploy/tools/find-tool.ts'

// npm run verify:schemathesis -- [--cases 20000] [--seed <n>] [--write]: generated requests, valid and invalid, for every call of the
// OpenAPI document that an account makes; all checks of Schemathesis on every answer. Needs python3 with venv, and PyPI once.
// Runs in parts, each with a separate seed, and ends after the first part that finds a failure.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const RESULT = join(ROOT_DIR, 'docs', 'benchmarks', 'schemathesis.json')
const DOCUMENT = join(ROOT_DIR, 'gateway', 'golden', 'openapi.json')
const SCHEMATHESIS = 'schemathesis==4.32.5'
const INSTALL_TIMEOUT_MS = 600_000
const RUN_TIMEOUT_MS = 7_200_000
const LINES_SHOWN = 400
const CASES_PER_PART = 5_000
/**
 * A request can have the right form and name something that does not exist, such as a state of a sign-in or a symbol,
 * or a range that ends before it begins, or an idempotency key of another request: the documented rejections are
 * accepted, every other check stays as it is.
 */
const SETTINGS = `[checks]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "406", "409", "414", "415", "422", "428", "429", "5xx"]
positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "406", "409", "410", "422", "429", "503"]

# Its boundary, a message of 5,000 characters, takes the generator hours.
[[operations]]
include-operation-id = "contact"
phases.coverage.enabled = false
`
/** Calls that would end the account, its session, its plan or the run; and calls with endless responses. */
const LEFT_OUT = [
  'delete-account',
  'log-out',
  'end-session',
  'end-other-sessions',
  'change-password',
  'start-trial',
  'cancel-plan',
  'open-stream',
  'stream-events',
  'stream-sample',
]
/** Administrators' calls change the platform for everyone, including the checks. */
const OF_ADMINISTRATORS = '^/api/v1/admin/'

type Event = { ScenarioFinished?: { recorder: { interactions: object } } }

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    write: { type: 'boolean', default: false },
  },
})
const casesMin = Number(values.cases)
const seed = Number(values.seed)
const result = beginResult()
const python = await install()
const platform = await startTestPlatform({ servers: process.env })
const dir = mkdtempSync(join(tmpdir(), 'tapeline-schemathesis-'))
writeFileSync(join(dir, 'schemathesis.toml'), SETTINGS)
try {
  let [cases, failedPart] = [0, undefined as number | undefined]
  for (let part = 0; cases < casesMin && failedPart === undefined; part += 1) {
    const ran = await runPart(part, await signIn(platform))
    cases += ran.cases
    if (!ran.isClean) failedPart = part
    process.stdout.write(`${cases} cases after part ${part + 1}, seed ${seed + part}\n`)
  }
  const isClean = failedPart === undefined
  if (values.write) result.write(RESULT, { tool: SCHEMATHESIS, seed, cases, isClean })
  process.exitCode = isClean ? 0 : 1
} finally {
  rmSync(dir, { recursive: true, force: true })
  await platform.stop()
}

async function install(): Promise<string> {
  const folder = join(toolsFolder(), 'schemathesis')
  const options = { timeoutMs: INSTALL_TIMEOUT_MS }
  const created = await runOnce('python3', ['-m', 'venv', folder], options)
  const pip = await runOnce(join(folder, 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS], options)
  if (created.code !== 0 || pip.code !== 0)
    throw new Error(`Schemathesis is not installed:\n${created.output}${pip.output}`)
  return join(folder, 'bin', 'schemathesis')
}

/** A session on the largest plan without limits, so that every case reaches the service. */
async function signIn({ gatewayUrl, databaseUrls, addresses }: TestPlatform): Promise<string> {
  const { user, jwtToken } = await signUpUser(gatewayUrl)
  const config = { configDatabaseUrl: databaseUrls.config, redisUrl: addresses.redisUrl }
  await setTier(config, user.id, 'pro')
  await setLimits(config, user.id, {})
  return jwtToken
}

/** Examples and boundaries are the same in every part, so only the first sends them. */
async function runPart(part: number, token: string): Promise<{ cases: number; isClean: boolean }> {
  const { code, output } = await runOnce(python, argumentsFor(part, token), {
    timeoutMs: RUN_TIMEOUT_MS,
    cwd: dir,
    onLine: (line) => process.stdout.write(`${line}\n`),
  })
  const cases = countCases(join(dir, 'events.ndjson'))
  if (code !== 0) process.stdout.write(`${output.split('\n').slice(-LINES_SHOWN).join('\n')}\n`)
  if (cases === 0) throw new Error(`Schemathesis sent nothing and ended with ${code}.`)
  return { cases, isClean: code === 0 }
}

function argumentsFor(part: number, token: string): string[] {
  const examples = Math.ceil(Math.min(casesMin, CASES_PER_PART) / countOperations())
  const options = [
    `run|${DOCUMENT}|--url|${platform.gatewayUrl}|--header|Authorization: Bearer ${token}`,
    '--checks|all|--workers|2',
    `--phases|${part === 0 ? 'examples,coverage,fuzzing' : 'fuzzing'}`,
    `--max-examples|${examples}|--seed|${seed + part}`,
    '--continue-on-failure|--request-timeout|60|--no-color|--warnings|off',
    '--report|ndjson|--report-ndjson-path|events.ndjson',
    `--exclude-path-regex|${OF_ADMINISTRATORS}`,
    ...LEFT_OUT.map((id) => `--exclude-operation-id|${id}`),
  ]
  return options.flatMap((line) => line.split('|'))
}

function countOperations(): number {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> }
  return Object.values(paths).flatMap((methods) => Object.keys(methods)).length
}

/** The requests of every scenario of the report. */
function countCases(file: string): number {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const scenarios = lines.map((line) => (JSON.parse(line) as Event).ScenarioFinished)
  return scenarios.reduce((sum, scenario) => sum + Object.keys(scenario?.recorder.interactions ?? {}).length, 0)
}
