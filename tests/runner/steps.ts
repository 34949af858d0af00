/** One line of `npm test`. A suite is switched on by its first file. */
export type Step = CommandStep | SuiteStep
export type CommandStep = { name: string; counts: 'as one'; command: string; args: string[] }
export type SuiteStep = {
  name: string
  counts: 'each test'
  project: string
  files: string
  workers: number
  only?: string
}

/** The suites share two cores with the servers that they test. */
const WORKERS = 2

export const checks: Step[] = [
  { name: 'format', counts: 'as one', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'lint', counts: 'as one', command: 'oxlint', args: ['--type-aware', '--deny-warnings', '.'] },
  { name: 'types of the servers', counts: 'as one', command: 'tsc', args: ['-p', '.', '--checkers', '1'] },
  { name: 'types of the web', counts: 'as one', command: 'tsc', args: ['-p', 'web', '--checkers', '1'] },
  { name: 'arrows', counts: 'as one', command: 'node', args: ['tests/arrows.ts'] },
  { name: 'knip', counts: 'as one', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
  {
    name: 'messages',
    counts: 'as one',
    command: 'lingui',
    args: ['check', 'sync', '--clean', '--config', 'web/lingui.config.ts'],
  },
  { name: 'dead paths', counts: 'as one', command: 'node', args: ['tests/checks/dead-paths.ts'] },
  { name: 'invariants', counts: 'as one', command: 'node', args: ['tests/checks/invariants.ts'] },
  { name: 'slow expressions', counts: 'as one', command: 'node', args: ['tests/checks/slow-expressions.ts'] },
  { name: 'secrets', counts: 'as one', command: 'node', args: ['tests/checks/secrets.ts'] },
  { name: 'lock file', counts: 'as one', command: 'node', args: ['tests/checks/lock-file.ts'] },
  { name: 'golden', counts: 'each test', project: 'golden', files: '**/*.golden.test.ts', workers: WORKERS },
]

export const suites: Step[] = [
  { name: 'unit', counts: 'each test', project: 'unit', files: '**/*.test.ts', workers: WORKERS },
  {
    name: 'platform',
    counts: 'each test',
    project: 'platform',
    files: '{tests/{tour,limits,oracles,attacks}/*.test.ts,web/e2e/*.e2e.ts}',
    workers: 1,
  },
  { name: 'outages', counts: 'each test', project: 'outages', files: 'web/e2e/outages/*.outage.ts', workers: 1 },
  { name: 'chaos', counts: 'each test', project: 'chaos', files: 'tests/chaos/*.test.ts', workers: 1 },
]

export const commands: Record<string, Step[]> = {
  check: checks,
  test: [...checks, ...suites],
  golden: [
    ...checks.filter(({ name }) => name === 'golden'),
    // Made of the services' golden files: once more when those are written.
    {
      name: 'golden of the whole API',
      counts: 'each test',
      project: 'golden',
      files: 'gateway/src/reference/*.golden.test.ts',
      workers: 1,
      only: 'gateway/src/reference',
    },
  ],
  e2e: [
    { name: 'e2e', counts: 'each test', project: 'platform', files: 'web/e2e/*.e2e.ts', workers: 1, only: 'web/e2e' },
  ],
}
