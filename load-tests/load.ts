import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const HOW_TO_GET_K6 =
  'k6 is not on PATH: go install go.k6.io/k6@v1.8.1, or see https://grafana.com/docs/k6/latest/set-up/install-k6/'

/** `npm run load -- <name>`: one question to the running platform, asked by k6 with the demo key. */
const [name = 'smoke', ...k6Arguments] = process.argv.slice(2)
const script = join(import.meta.dirname, `${name}.js`)
const problem = whatIsMissing()
if (problem !== undefined) {
  console.error(problem)
  process.exit(1)
}
const env = { ...process.env, API_KEY: process.env['API_KEY'] ?? demoKey() }
const { status } = spawnSync('k6', ['run', '--no-usage-report', ...k6Arguments, script], { env, stdio: 'inherit' })
process.exit(status ?? 1)

function whatIsMissing(): string | undefined {
  if (!existsSync(script)) return `there is no load test ${name}; there are: ${listScripts()}`
  if (spawnSync('k6', ['version']).status !== 0) return HOW_TO_GET_K6
  if (process.env['API_KEY'] === undefined && demoKey() === undefined) {
    return 'no API key: start the platform with npm start, or set API_KEY'
  }
  return undefined
}

function listScripts(): string {
  const scripts = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.js'))
  return scripts.map((file) => file.replace('.js', '')).join(', ')
}

function demoKey(): string | undefined {
  const folder = process.env['TAPELINE_DIR'] ?? join(import.meta.dirname, '..', '.tapeline')
  const file = join(folder, 'demo-accounts.json')
  if (!existsSync(file)) return undefined
  const accounts: { api_key: string | null } = JSON.parse(readFileSync(file, 'utf8'))
  return accounts.api_key ?? undefined
}
