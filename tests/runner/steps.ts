import {
  CHAOS_FILES,
  DEEP_CHAOS_FILES,
  DEEP_PLATFORM_FILES,
  DEEP_UNIT_FILES,
  OUTAGE_FILES,
  PLATFORM_FILES,
} from '../lanes.ts'

/** One line of a lane's output: a check, which counts once, or a suite, which counts each of its tests. */
export type Step = CommandStep | SuiteStep
export type CommandStep = { name: string; counts: 'as one'; command: string; args: string[] }
export type SuiteStep = {
  name: string
  counts: 'each test'
  /** Projects of vitest.config.ts, which determine how many files run at a time. */
  projects: string[]
  files: string[]
  except?: string[]
  /** Suites that follow and run at the same time, one after another: this one mostly waits, and none asserts on speed. */
  beside?: string[]
  /** Paths of the only files to run; all of the project's without it. */
  only?: string[]
}

const GOLDEN = '**/*.golden.test.ts'
const PLATFORM_PROJECTS = ['platform', 'platform-alone']
const DEEP_PLATFORM_PROJECTS = ['platform-deep', 'platform-deep-alone']

export const checks: Step[] = [
  { name: 'format', counts: 'as one', command: 'oxfmt', args: ['--check', '.'] },
  { name: 'lint', counts: 'as one', command: 'oxlint', args: ['--type-aware', '--deny-warnings', '.'] },
  { name: 'types of the servers', counts: 'as one', command: 'tsc', args: ['-p', '.', '--checkers', '1'] },
  { name: 'types of the web', counts: 'as one', command: 'tsc', args: ['-p', 'web', '--checkers', '1'] },
  { name: 'import rules', counts: 'as one', command: 'node', args: ['tests/import-rules.ts'] },
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
  {
    name: 'breaking changes of the API',
    counts: 'as one',
    command: 'node',
    args: ['tests/breaking/breaking-changes.ts'],
  },
  { name: 'lock file', counts: 'as one', command: 'node', args: ['tests/checks/lock-file.ts'] },
  {
    name: 'golden',
    counts: 'each test',
    projects: ['golden'],
    files: [GOLDEN],
  },
]

const units: SuiteStep = {
  name: 'unit',
  counts: 'each test',
  projects: ['unit'],
  files: ['**/*.test.{ts,tsx}'],
  except: [GOLDEN, 'tests/{tour,limits,oracles,attacks,openapi,chaos}/**', ...DEEP_UNIT_FILES],
}
const deepUnits: SuiteStep = {
  name: 'unit-deep',
  counts: 'each test',
  projects: ['unit-deep'],
  files: DEEP_UNIT_FILES,
}

/** `npm test`: every guarantee once. */
export const suites: SuiteStep[] = [
  units,
  { ...wholeSystem('platform', PLATFORM_FILES, DEEP_PLATFORM_FILES), projects: PLATFORM_PROJECTS },
  wholeSystem('chaos', CHAOS_FILES, DEEP_CHAOS_FILES),
]

const deepPlatform: SuiteStep = {
  ...wholeSystem('platform-deep', DEEP_PLATFORM_FILES),
  projects: DEEP_PLATFORM_PROJECTS,
}
/** `npm run test:deep`: breadth. */
export const deepSuites: SuiteStep[] = [
  { ...wholeSystem('chaos-deep', DEEP_CHAOS_FILES), beside: ['unit-deep', 'outages'] },
  deepUnits,
  wholeSystem('outages', OUTAGE_FILES),
  deepPlatform,
]

export const commands: Record<string, Step[]> = {
  check: checks,
  test: [...checks, ...suites],
  'test:deep': deepSuites,
  golden: [
    ...checks.filter(({ name }) => name === 'golden'),
    // The public document reads access rules from the services' golden files, so it is generated again after those are
    // written.
    {
      name: 'golden of the whole API',
      counts: 'each test',
      projects: ['golden'],
      files: ['gateway/src/**/openapi.golden.test.ts'],
      only: ['gateway/src'],
    },
  ],
  e2e: [wholeSystem('platform-alone', ['web/e2e/*.e2e.ts'], DEEP_PLATFORM_FILES, ['web/e2e']), deepPlatform],
}

function wholeSystem(name: string, files: string[], except: string[] = [], only?: string[]): SuiteStep {
  const step: SuiteStep = { name, counts: 'each test', projects: [name], files, except }
  return only === undefined ? step : { ...step, only }
}
