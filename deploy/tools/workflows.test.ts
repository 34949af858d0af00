import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'
import { findTool } from './find-tool.ts'
import { ALL_TOOLS, TOOLS } from './tools.ts'

type Step = { uses?: string; run?: string; with?: Record<string, string | number | boolean> }
type Job = {
  'timeout-minutes'?: number
  steps: Step[]
  strategy?: { matrix: { include: { command: string; tools: string }[] } }
}
type Workflow = { permissions?: Record<string, string>; jobs: Record<string, Job> }

const FOLDER = '.github/workflows'
const ACTION = '.github/actions/prepare/action.yml'
const read = (file: string): string => readFileSync(join(REPOSITORY, file), 'utf8')
const files = globSync(`${FOLDER}/*.yml`, { cwd: REPOSITORY }).toSorted()
const workflows = files.map((file) => ({ file, workflow: parse(read(file)) as Workflow }))
const jobs = workflows.flatMap(({ file, workflow }) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file}: ${name}`, job })),
)

test('there is a workflow for lint, test, the deep lane and releases', () => {
  expect(files.map((file) => file.slice(FOLDER.length + 1))).toEqual([
    'deep.yml',
    'lint.yml',
    'release.yml',
    'test.yml',
  ])
})

test.each(workflows)('$file has read permissions only, unless a job declares more', ({ workflow }) => {
  expect(workflow.permissions).toEqual({ contents: 'read' })
})

test.each(jobs)('$name has a time limit, pinned actions, and commands that exist', ({ job }) => {
  expect(job['timeout-minutes']).toBeGreaterThan(0)
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const prepared = (parse(read(ACTION)) as { runs: { steps: Step[] } }).runs.steps
  const steps = [...job.steps, ...prepared]
  for (const uses of steps.flatMap((step) => step.uses ?? [])) expect(uses).toMatch(/^\.\/|@v\d+/)
  const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([a-z:0-9]+)/g)].map(([, name = '']) => name))
  const included = job.strategy?.matrix.include ?? []
  for (const name of [...named, ...included.map(({ command }) => command)]) expect(Object.keys(scripts)).toContain(name)
})

test.each(jobs)('$name installs tools that setup:tools has', ({ job }) => {
  const available = new Set([...Object.keys(TOOLS), ...ALL_TOOLS.map(({ name }) => name)])
  const included = job.strategy?.matrix.include ?? []
  const lists = [...job.steps.map((step) => String(step.with?.['tools'] ?? '')), ...included.map(({ tools }) => tools)]
  const words = lists.flatMap((text) => (text.includes('${{') ? [] : text.split(' '))).filter((word) => word !== '')
  expect(words.filter((word) => !available.has(word))).toEqual([])
})

const ACTIONLINT = findTool('actionlint')
const needsActionlint = 'actionlint is not installed: npm run setup:tools -- actionlint'
const TIMEOUT_MS = 120_000

test('actionlint finds no fault in the workflows', { timeout: TIMEOUT_MS }, ({ skip }) => {
  if (ACTIONLINT === undefined) return skip(needsActionlint)
  const { status, stdout } = runActionlint(REPOSITORY)
  expect(stdout).toBe('')
  expect(status).toBe(0)
})

test.for([
  ['a property that the matrix lacks', 'deep.yml', 'matrix.command', 'matrix.comand'],
  ['a job that does not exist', 'release.yml', 'needs: test', 'needs: tests'],
  ['an input that the action lacks', 'lint.yml', 'tools: actionlint', 'tool: actionlint'],
  ['an unknown permission', 'release.yml', 'packages: write', 'package: write'],
] as const)('detected: %s', { timeout: TIMEOUT_MS }, ([, file, from, to], { skip }) => {
  expect(read(join(FOLDER, file))).toContain(from)
  if (ACTIONLINT === undefined) return skip(needsActionlint)
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-workflows-'))
  try {
    execFileSync('git', ['init', '--quiet', dir])
    for (const path of [...files, ACTION]) {
      mkdirSync(join(dir, path, '..'), { recursive: true })
      writeFileSync(join(dir, path), path.endsWith(file) ? read(path).replace(from, to) : read(path))
    }
    expect(runActionlint(dir).status).toBe(1)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

/** Without shellcheck and pyflakes, which only some machines have, so that the result is the same everywhere. */
function runActionlint(cwd: string): { status: number | null; stdout: string } {
  return spawnSync(ACTIONLINT ?? '', ['-no-color', '-shellcheck=', '-pyflakes='], { cwd, encoding: 'utf8' })
}
