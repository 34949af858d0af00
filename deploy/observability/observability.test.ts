import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'
import { findTool } from '../tools/find-tool.ts'
import { readAlerts, readMeasuringSource, readNames, readQueries, readRules, unknownMetrics } from './read-metrics.ts'

const SECTIONS = ['**Meaning.**', '**Impact.**', '**Dashboard.**', '## Diagnose', '## Recover', '## Reproduce']
const alerts = readAlerts()
const TESTS = ['budgets.test.yml', 'budgets.hours.test.yml', 'budgets.days.test.yml', 'state.test.yml']

test('every metric of the list is produced by some source', () => {
  const source = readMeasuringSource()
  const parts = (name: string) => [
    name,
    name.replace(/^nodejs_|^process_/, ''),
    name.replace(/_(total|seconds|(available|total|used)_bytes)$/, ''),
  ]
  expect(readNames().filter((name) => !parts(name).some((part) => source.includes(part)))).toEqual([])
})

test.each([...readQueries(), ...readRules().map(({ alert, record, expr }) => ({ where: alert ?? record, expr }))])(
  '$where uses only existing metrics',
  ({ expr }) => {
    expect(unknownMetrics(expr)).toEqual([])
  },
)

test('an unknown metric is detected', () => {
  expect(unknownMetrics('sum by (route) (rate(gateway_request_total{job="gateway"}[5m])) > 0')).toEqual([
    'gateway_request_total',
  ])
})

test.each(alerts)('$alert has a runbook page with all sections', ({ alert, annotations }) => {
  const file = join(REPOSITORY, annotations.runbook_url)
  expect(annotations.runbook_url).toBe(`docs/runbooks/${alert}.md`)
  expect(existsSync(file)).toBe(true)
  const page = readFileSync(file, 'utf8')
  expect(SECTIONS.filter((section) => !page.includes(section))).toEqual([])
  const commands = /```sh\n([\s\S]*?)\n```/.exec(page)?.[1]?.split('\n') ?? []
  expect(commands).toHaveLength(3)
  const [, dashboard = '', panel = ''] = /\*\*Dashboard\.\*\* (?:(\w+): (.+)|none)/.exec(page) ?? []
  const shown = readQueries().map(({ where }) => where.toLowerCase())
  const isShown = shown.some(
    (where) => where.startsWith(`dashboards/${dashboard}.json`.toLowerCase()) && where.includes(panel.toLowerCase()),
  )
  expect(dashboard === '' || isShown, `${dashboard}: ${panel}`).toBe(true)
})

test('every alert is a page or a ticket, and has a test in which it fires and one in which it does not', () => {
  const cases = readTests().flatMap((one) => one.alert_rule_test)
  for (const { alert, labels } of alerts) {
    expect(['page', 'ticket']).toContain(labels.severity)
    const own = cases.filter(({ alertname }) => alertname === alert)
    expect(
      own.some(({ exp_alerts }) => exp_alerts.length > 0),
      alert,
    ).toBe(true)
    expect(
      own.some(({ exp_alerts }) => exp_alerts.length === 0),
      alert,
    ).toBe(true)
  }
})

const PROMTOOL = findTool('promtool')
/** Each mutation hides a fault or causes a false alert; the named test case must fail. */
const MUTATIONS: { what: string; file: string; from: string; to: string; testName: string }[] = [
  {
    what: 'a threshold ten times as high',
    file: 'promises.yml',
    from: '14.4 * 0.001',
    to: '144 * 0.001',
    testName: '5 % page within half an hour',
  },
  {
    what: 'an hour that is five minutes',
    file: 'promises.yml',
    from: 'tapeline:data_errors:ratio_rate1h >',
    to: 'tapeline:data_errors:ratio_rate5m >',
    testName: 'three bad minutes do not page',
  },
  {
    what: 'no minimum number of requests',
    file: 'promises.yml',
    from: '[5m])) >= 20',
    to: '[5m])) >= 0',
    testName: 'one failed request at night does not page',
  },
  {
    what: 'missing data does not page',
    file: 'state.yml',
    from: ' or absent(up{job="gateway"})',
    to: '',
    testName: 'missing data pages',
  },
  {
    what: 'a limiter that may be unavailable',
    file: 'state.yml',
    from: 'min(gateway_limiter_up) == 0',
    to: 'max(gateway_limiter_up) == 0',
    testName: 'Redis is unavailable',
  },
  {
    what: 'a journal that may be full',
    file: 'state.yml',
    from: 'gateway_journal_bytes_max) > 0.5',
    to: 'gateway_journal_bytes_max) > 5',
    testName: 'Kafka is unavailable and the journal grows',
  },
]
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeline-rules-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Timeout for a busy machine. */
const PROMTOOL_TIMEOUT_MS = 300_000
const needsPromtool = 'promtool is not installed: npm run setup:tools (or Debian: the package prometheus)'

test.for(TESTS)('the rules pass the tests of %s', { timeout: PROMTOOL_TIMEOUT_MS }, (file, { skip }) => {
  if (PROMTOOL === undefined) return skip(needsPromtool)
  const { status, output } = runPromtool(join(import.meta.dirname, file))
  expect(status, output).toBe(0)
})

test.for(MUTATIONS)('detected: $what', { timeout: PROMTOOL_TIMEOUT_MS }, ({ file, from, to, testName }, { skip }) => {
  const rules = readFileSync(join(import.meta.dirname, file), 'utf8')
  expect(rules).toContain(from)
  const tests = readTests().filter(({ name }) => name === testName)
  expect(tests).toHaveLength(1)
  if (PROMTOOL === undefined) return skip(needsPromtool)
  const one = join(folder, 'one.test.yml')
  writeFileSync(one, JSON.stringify({ rule_files: [file], evaluation_interval: '1m', tests }))
  writeFileSync(join(folder, file), rules)
  expect(runPromtool(one).status).toBe(0)
  writeFileSync(join(folder, file), rules.replaceAll(from, to))
  expect(runPromtool(one).status).not.toBe(0)
})

function readTests(): { name: string; alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[] {
  return TESTS.flatMap((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    return (parse(text) as { tests: ReturnType<typeof readTests> }).tests
  })
}

function runPromtool(file: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL ?? '', ['test', 'rules', file], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}
