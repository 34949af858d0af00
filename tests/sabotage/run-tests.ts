import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { type Fault, partOf } from './find-faults.ts'

export type Failed = { files: string[]; title: string }
type FileReport = {
  name: string
  status: string
  message: string
  assertionResults: { status: string; fullName: string }[]
}

/** A fault may make a test wait forever; this timeout counts as detected. */
const TESTS_LIMIT_MS = 300_000

/** Runs test files of the `unit` and `golden` projects in the copy `dir`; undefined when they pass. */
export async function runTests(dir: string, files: readonly string[]): Promise<Failed | undefined> {
  const isGolden = (file: string) => file.endsWith('.golden.test.ts')
  // One run cannot have both: the projects differ in their number of workers.
  const unit = await runProject(
    dir,
    'unit',
    files.filter((file) => !isGolden(file)),
  )
  return unit ?? runProject(dir, 'golden', files.filter(isGolden))
}

async function runProject(dir: string, project: string, files: readonly string[]): Promise<Failed | undefined> {
  if (files.length === 0) return undefined
  const reportDir = mkdtempSync(join(tmpdir(), 'tapeline-report-'))
  const report = join(reportDir, 'report.json')
  try {
    const args = ['run', '--project', project, '--bail', '1', '--passWithNoTests']
    const code = await run(dir, 'vitest', [...args, '--reporter=json', `--outputFile=${report}`, ...files])
    if (code === 0) return undefined
    return readFailure(report, dir) ?? { files: [...files], title: 'the tests did not end' }
  } finally {
    rmSync(reportDir, { recursive: true, force: true })
  }
}

/** Runs lint and types on the part of a fault's file; the name of the one that fails. */
export async function runChecks(
  dir: string,
  { kind, file }: Pick<Fault, 'kind' | 'file'>,
): Promise<string | undefined> {
  // Lint reports the constant that replaces the removed condition, not the removal.
  const isLinted = kind !== 'lost condition'
  if (isLinted && (await run(dir, 'oxlint', ['--type-aware', '--deny-warnings', file])) !== 0) return 'lint'
  const project = 'tsconfig.part.json'
  writeFileSync(join(dir, project), JSON.stringify({ extends: './tsconfig.json', include: [partOf(file), 'libs'] }))
  return (await run(dir, 'tsc', ['-p', project, '--checkers', '1'])) === 0 ? undefined : 'types'
}

/**
 * Type-checks a copy that contains all of `faults`, and returns those at which the compiler reports an error: one run
 * instead of one per fault. An error in another file is not attributed.
 */
export async function findTypeErrors(dir: string, faults: readonly Fault[]): Promise<Fault[]> {
  const child = spawn(
    join(dir, 'node_modules', '.bin', 'tsc'),
    ['--noEmit', '--pretty', 'false', '-p', 'tsconfig.json'],
    {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const errors = new Set<string>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, file, number] = /^(\S+?)\((\d+),\d+\): error/.exec(line) ?? []
    if (file !== undefined) errors.add(`${file}:${number}`)
  }
  return faults.filter(({ file, line }) => errors.has(`${file}:${line}`))
}

function readFailure(report: string, dir: string): Failed | undefined {
  try {
    const { testResults }: { testResults: FileReport[] } = JSON.parse(readFileSync(report, 'utf8'))
    for (const { name, assertionResults } of testResults) {
      const test = assertionResults.find(({ status }) => status === 'failed')
      if (test !== undefined)
        return { files: [relative(dir, name)], title: `${relative(dir, name)}: ${test.fullName.trim()}` }
    }
    // Files that were cancelled by the first failure have no message.
    const broken = testResults.find(({ status, message }) => status === 'failed' && message !== '')
    if (broken === undefined) return undefined
    return { files: [relative(dir, broken.name)], title: `${relative(dir, broken.name)}: does not start` }
  } catch {
    return undefined
  }
}

/** Resolves with the exit code, or null when the time was up; the whole process group ends with it. */
async function run(cwd: string, command: string, args: readonly string[]): Promise<number | null> {
  const child = spawn(join(cwd, 'node_modules', '.bin', command), args, { cwd, detached: true, stdio: 'ignore' })
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, TESTS_LIMIT_MS)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  return code
}
