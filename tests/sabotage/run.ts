import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from '../checks/source-files.ts'
import { copySources } from '../chaos/copy-sources.ts'
import { applyEdit, type Fault, findFaults, pickFaults } from './find-faults.ts'
import { findTestsOf } from './find-tests-of.ts'
import { findTypeErrors, runChecks, runTests } from './run-tests.ts'

// npm run sabotage -- [--seed 1 --per-kind 12 --out <file> --again --list]: one-line faults in a copy of the sources; the tests of the
// part must notice each. Rows of the result file are kept, so an interrupted run continues; --again repeats survivors.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const PRODUCT = /^(?:gateway|services\/[^/]+|libs\/(?:contracts|service|database|events|sdk|cli))\/src\/.*\.ts$/
/** Wiring of processes, which only a running platform executes; migrations; tests; generated types. */
const NOT_TRIED = /\.(?:test|fixture|d)\.ts$|\/(?:main|migrate|config)\.ts$|\/migrations\/|^libs\/sdk\/src\/types\.ts$/
/** Maximum number of test files, because a widely used file has many; the nearest ones run first. */
const NEAREST = 8
const TESTS_MAX = 48

type Row = Pick<Fault, 'kind' | 'file' | 'line' | 'before' | 'after'> & { detectedBy: string | null }

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'per-kind': { type: 'string', default: '12' },
    again: { type: 'boolean', default: false },
    most: { type: 'string', default: '1000' },
    out: { type: 'string', default: 'docs/benchmarks/sabotage.json' },
    list: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const sources = new Map(
  listFiles(ROOT_DIR)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(ROOT_DIR, file), 'utf8')] as const),
)
const candidates = [...sources].filter(([file]) => PRODUCT.test(file) && !NOT_TRIED.test(file))
const faults = pickFaults(
  candidates.flatMap(([file, text]) => findFaults(file, text)),
  { seed, perKind: Number(values['per-kind']) },
)
if (values.list) {
  for (const { kind, file, line, before, after } of faults)
    console.log(`${kind}  ${file}:${line}\n- ${before}\n+ ${after}`)
  process.exit(0)
}

const recorded = readRows().filter(({ detectedBy }) => detectedBy !== null || !values.again)
const rows = faults.map((fault) => recorded.find((row) => isSame(row, fault)))
let remaining = Number(values.most)
const dir = mkdtempSync(join(tmpdir(), 'tapeline-sabotage-'))
try {
  copySources(ROOT_DIR, dir)
  const mistyped = await tryTypes(faults.filter((_, n) => rows[n] === undefined))
  for (const [n, { kind, file, line, before, after }] of faults.entries()) {
    if (mistyped.has(n)) rows[n] = { kind, file, line, before, after, detectedBy: 'types' }
  }
  writeRows()
  for (const [n, fault] of faults.entries()) {
    if (rows[n] !== undefined || remaining === 0) continue
    remaining -= 1
    const { kind, file, line, before, after } = fault
    const detectedBy = await tryFault(fault)
    rows[n] = { kind, file, line, before, after, detectedBy }
    console.log(`${n + 1} ${kind}  ${file}:${line}\n- ${before}\n+ ${after}\n  ${detectedBy ?? 'SURVIVED'}`)
    writeRows()
  }
} finally {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}
const tried = rows.filter((row) => row !== undefined)
const detected = tried.filter(({ detectedBy }) => detectedBy !== null).length
console.log(`${detected} of ${tried.length} detected; ${faults.length - tried.length} not tried yet`)

/** Numbers of the faults that the compiler reports; tests run for the others. A file has one fault at a time. */
async function tryTypes(open: readonly Fault[]): Promise<Set<number>> {
  const detected = new Set<number>()
  const edited = new Map(open.map((fault) => [fault.file, fault]))
  for (const [file, fault] of edited) writeFileSync(join(dir, file), applyEdit(sources.get(file) ?? '', fault))
  for (const fault of await findTypeErrors(dir, [...edited.values()])) detected.add(faults.indexOf(fault))
  for (const file of edited.keys()) writeFileSync(join(dir, file), sources.get(file) ?? '')
  return detected
}

/** Names the test, or the check, that fails with the fault and passes without it. */
async function tryFault(fault: Fault): Promise<string | null> {
  const path = join(dir, fault.file)
  const whole = sources.get(fault.file) ?? ''
  const tests = findTestsOf(fault.file, sources).slice(0, TESTS_MAX)
  for (const some of [tests.slice(0, NEAREST), tests.slice(NEAREST)]) {
    let remaining = some
    while (remaining.length > 0) {
      writeFileSync(path, applyEdit(whole, fault))
      const failed = await runTests(dir, remaining)
      writeFileSync(path, whole)
      if (failed === undefined) break
      const isPassing = (await runTests(dir, failed.files)) === undefined
      writeFileSync(path, applyEdit(whole, fault))
      const isFailing = (await runTests(dir, failed.files)) !== undefined
      writeFileSync(path, whole)
      if (isPassing && isFailing) return failed.title
      // These tests fail without the fault too, or only once, for example on a busy machine; only other tests count.
      remaining = remaining.filter((file) => !failed.files.includes(file))
    }
  }
  writeFileSync(path, applyEdit(whole, fault))
  const check = await runChecks(dir, fault)
  writeFileSync(path, whole)
  // A check that fails without the fault too, for example because a package is not installed, proves nothing.
  const isReal = check !== undefined && (await runChecks(dir, fault)) === undefined
  return isReal ? check : null
}

function isSame(row: Row, { kind, file, before, after }: Fault): boolean {
  return row.kind === kind && row.file === file && row.before === before && row.after === after
}

function readRows(): Row[] {
  try {
    const { rows: previous }: { rows: Row[] } = JSON.parse(readFileSync(values.out, 'utf8'))
    return previous
  } catch {
    return []
  }
}

function writeRows(): void {
  const done = rows.filter((row) => row !== undefined)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim()
  const count = done.filter(({ detectedBy }) => detectedBy !== null).length
  const result = { at: new Date().toISOString(), commit, seed, tried: done.length, detected: count, rows: done }
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
}
