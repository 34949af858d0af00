import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { type Browser, openBrowser } from '@tapeline/testing/browser'
import { cacheFolder, REPOSITORY } from '../deploy/local/folders.ts'
import { readDemoAccounts } from '../deploy/local/demo-accounts.ts'
import { measureMemory, measureProcessor, type Share } from '../deploy/local/measure-processes.ts'

/**
 * Measures the platform of `npm start` without requests: time of the first start (empty data folder, no
 * compile caches; jars and built pages are present) and of the second, CPU and memory of every process, and what an
 * open dashboard adds.
 */
const { values } = parseArgs({
  options: {
    'port-offset': { type: 'string', default: '5100' },
    'settle-seconds': { type: 'string', default: '180' },
    seconds: { type: 'string', default: '60' },
    out: { type: 'string', default: 'docs/benchmarks/idle.json' },
  },
})
const PORT_OFFSET = Number(values['port-offset'])
const SETTLE_MS = Number(values['settle-seconds']) * 1_000
const MEASURED_MS = Number(values.seconds) * 1_000
const WEB_URL = `http://localhost:${3_000 + PORT_OFFSET}`
const AIMS = { coldStartSeconds: 15, secondStartSeconds: 5, cpuPercent: 5, memoryMb: 900, dashboardCpuPercent: 1 }
const START_TIMEOUT_MS = 300_000
/** Time for the page to load its data. */
const DASHBOARD_SETTLE_MS = 20_000

type Started = { launcher: ChildProcess; pid: number; seconds: number }
type Figures = {
  cpuPercent: number
  memoryMb: number
  processes: { name: string; cpuPercent: number; memoryMb: number }[]
}

const dir = mkdtempSync(join(tmpdir(), 'tapeline-idle-'))
const cache = join(dir, 'cache')
const data = join(dir, 'data')
const result = beginResult()
try {
  linkDownloads()
  const first = await start()
  await stop(first)
  const second = await start()
  try {
    await measure(first.seconds, second)
  } finally {
    await stop(second)
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

async function measure(coldStartSeconds: number, { pid, seconds: secondStartSeconds }: Started): Promise<void> {
  await delay(SETTLE_MS)
  const idle = await figuresOf(pid)
  const browser = await openBrowser()
  let withDashboard: Figures
  try {
    await openDashboard(browser)
    await delay(DASHBOARD_SETTLE_MS)
    withDashboard = await figuresOf(pid)
  } finally {
    await browser.close()
  }
  const dashboardCpuPercent = rounded(withDashboard.cpuPercent - idle.cpuPercent)
  const { cpuPercent, memoryMb } = idle
  console.table(idle.processes)
  console.table({ coldStartSeconds, secondStartSeconds, cpuPercent, memoryMb, dashboardCpuPercent })
  const method = { settledSeconds: SETTLE_MS / 1_000, measuredSeconds: MEASURED_MS / 1_000 }
  result.write(values.out, {
    aims: AIMS,
    ...method,
    coldStartSeconds,
    secondStartSeconds,
    dashboardCpuPercent,
    idle,
    withDashboard,
  })
}

/** Links downloads and built pages into the cache; the first start creates everything else. */
function linkDownloads(): void {
  mkdirSync(cache)
  for (const name of existsSync(cacheFolder()) ? readdirSync(cacheFolder()) : []) {
    if (/^((kafka|redis)-[0-9a-f]{12}|web-[0-9a-f]{16})$/.test(name))
      symlinkSync(join(cacheFolder(), name), join(cache, name))
  }
}

async function start(): Promise<Started> {
  const env = {
    ...process.env,
    TAPELINE_DIR: data,
    TAPELINE_CACHE_DIR: cache,
    TAPELINE_PORT_OFFSET: String(PORT_OFFSET),
  }
  const startedMs = performance.now()
  const launcher = spawn(process.execPath, [join(REPOSITORY, 'deploy', 'local', 'start.ts')], { env, stdio: 'pipe' })
  const { promise: ready, resolve, reject } = Promise.withResolvers<number>()
  let output = ''
  launcher.stdout.on('data', (chunk: Buffer) => {
    output = (output + String(chunk)).slice(-10_000)
    if (output.includes('Tapeline is ready')) resolve((performance.now() - startedMs) / 1_000)
  })
  launcher.stderr.on('data', (chunk: Buffer) => void (output += String(chunk)))
  launcher.once('exit', () => reject(new Error(`the platform ended:\n${output}`)))
  const timer = setTimeout(() => reject(new Error(`the platform is not ready:\n${output}`)), START_TIMEOUT_MS)
  const seconds = await ready
    .then(rounded)
    .catch((error: unknown) => {
      launcher.kill('SIGTERM')
      throw error
    })
    .finally(() => clearTimeout(timer))
  console.log(`ready after ${seconds} s`)
  return { launcher, pid: launcher.pid ?? 0, seconds }
}

async function stop({ launcher }: Started): Promise<void> {
  launcher.kill('SIGTERM')
  if (launcher.exitCode === null) await once(launcher, 'exit')
}

async function figuresOf(pid: number): Promise<Figures> {
  const cpu = await measureProcessor(data, pid, MEASURED_MS)
  const memory = new Map(measureMemory(data, pid).map(({ name, value }) => [name, value]))
  const ended = cpu.filter(({ name }) => (memory.get(name) ?? 0) === 0)
  if (ended.length > 0) throw new Error(`ended during the measurement: ${ended.map(({ name }) => name).join(', ')}`)
  const processes = cpu.map(({ name, value }) => ({ name, cpuPercent: value, memoryMb: memory.get(name) ?? 0 }))
  return { cpuPercent: rounded(sum(cpu)), memoryMb: [...memory.values()].reduce((all, one) => all + one, 0), processes }
}

/** The metrics page of a signed-in account, which updates itself. */
async function openDashboard(browser: Browser): Promise<void> {
  const { email, password } = readDemoAccounts(data).accounts.find(({ email: one }) => one.startsWith('pro@')) ?? {}
  if (email === undefined || password === undefined) throw new Error('there is no demo account')
  const page = await browser.newPage()
  await page.goto(`${WEB_URL}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await page.goto(`${WEB_URL}/dashboard/metrics`)
}

function sum(shares: Share[]): number {
  return shares.reduce((all, { value }) => all + value, 0)
}

function rounded(value: number): number {
  return Number(value.toFixed(1))
}
