import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findTool } from '../../deploy/tools/find-tool.ts'
import { PROFILES } from '../lib/profiles.ts'
import { JOURNEYS } from '../run/journeys.ts'
import { versionOf } from '../run/find-k6.ts'

const program = findTool('k6')
const k6 = program === undefined ? undefined : versionOf(program)
const why = k6 === undefined ? ' (skipped: there is no k6; npm run setup:tools -- k6)' : ''
/** Two waits of about a second and the requests between them, on a busy machine. */
const VISIT_SECONDS = 5
const dir = mkdtempSync(join(tmpdir(), 'scripts-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const account = { id: 'a', email: 'a@example.com', password: 'p', apiKey: 'k', token: 't' }
const accounts = [
  { ...account, tier: 'free' },
  { ...account, tier: 'basic' },
  { ...account, tier: 'pro' },
]
const groups = {
  readers: accounts,
  owners: accounts,
  crowd: accounts,
  patient: accounts,
  people: accounts,
  followers: accounts,
}
const accountsFile = join(dir, 'accounts.json')
writeFileSync(accountsFile, JSON.stringify({ gateways: ['http://127.0.0.1:1'], groups }))

type Inspected = {
  scenarios: Record<string, { executor: string; startRate: number; stages: { target: number }[] }>
  thresholds: Record<string, string[]>
}

/** Result of `k6 inspect`, which evaluates the top level of a script. */
function inspect(journey: string, profile: string, env: Record<string, string> = {}) {
  const words = [
    'inspect',
    '--include-system-env-vars',
    '--execution-requirements',
    join(import.meta.dirname, `${journey}.ts`),
  ]
  const { status, stdout, stderr } = spawnSync(k6?.program ?? 'k6', words, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: dir, ACCOUNTS_FILE: accountsFile, PROFILE: profile, ...env },
  })
  return { status, stderr, options: (status === 0 ? JSON.parse(stdout) : undefined) as Inspected | undefined }
}

describe.skipIf(k6 === undefined)(`k6 reads the scripts${why}`, () => {
  test.each(JOURNEYS.map(({ name }) => name))(
    '%s: iterations come when they are due, and none may be dropped',
    (name) => {
      const { options, stderr } = inspect(name, 'average')
      expect(stderr).toBe('')
      const parts = Object.values(options?.scenarios ?? {})
      expect(parts.length).toBeGreaterThan(0)
      for (const { executor } of parts) expect(executor).toBe('ramping-arrival-rate')
      expect(options?.thresholds).toMatchObject({ dropped_iterations: ['count==0'], limiter_overshoot: ['count==0'] })
    },
  )

  test('in the journey "limits", a client that waits for Retry-After must be admitted', () => {
    expect(inspect('limits', 'smoke').options?.thresholds).toMatchObject({ retry_after_honoured: ['rate==1'] })
  })

  test.each(PROFILES)('%s: patient clients are each alone on an account', (profile) => {
    const accounts = JOURNEYS.find(({ name }) => name === 'limits')?.groups.patient?.tiers.free ?? 0
    const { startRate = Infinity, stages = [] } = inspect('limits', profile).options?.scenarios['patient'] ?? {}
    const perSecond = Math.max(startRate, ...stages.map(({ target }) => target)) / 10
    expect(perSecond * VISIT_SECONDS).toBeLessThanOrEqual(accounts)
  })

  test('without accounts a script does not start', () => {
    const { status, stderr } = inspect('sign-in', 'smoke', { ACCOUNTS_FILE: '', API_KEY: '' })
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/there are no people/)
  })
})
