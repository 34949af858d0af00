import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheFolder } from '../../deploy/local/folders.ts'
import { copySources } from './copy-sources.ts'
import type { Sabotage } from './sabotage-definition.ts'
import { SABOTAGES } from './sabotages.ts'

// npm run chaos:sabotage -- [name …]: runs each drill against a deliberately broken copy of the sources, which it must
// detect.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const RESULT_FILE = join(ROOT_DIR, 'docs', 'benchmarks', 'chaos-sabotage.json')
const DRILL_OPTIONS = ['--kills', '6', '--away', '3', '--settle', '30']

type DrillRun = { isHeld: boolean; broken: string[]; output: string }

const words = process.argv.slice(2)
const names = words.filter((word) => !word.startsWith('--'))
const selected = SABOTAGES.filter(({ name }) => names.length === 0 || names.includes(name))
if (selected.length === 0 || selected.length < names.length) {
  process.stderr.write(`Usage: npm run chaos:sabotage -- [name …] [--write] [--broken-only]\n\n`)
  process.stderr.write(SABOTAGES.map(({ name, breaks }) => `  ${name.padEnd(22)}${breaks}\n`).join(''))
  process.exit(2)
}

const rows: { name: string; breaks: string; drill: string; isRight: boolean; found: string }[] = []
for (const drill of new Set(words.includes('--broken-only') ? [] : selected.map((one) => one.drill))) {
  const { isHeld, broken, output } = await inCopy({ drill, edits: [] })
  note({
    name: '(unbroken)',
    breaks: 'nothing',
    drill,
    isRight: isHeld,
    found: broken.join('; ') || 'all checks passed',
  })
  if (!isHeld) process.stdout.write(output)
}
for (const sabotage of selected) {
  const { name, breaks, drill, caughtBy } = sabotage
  const { broken, output } = await inCopy(sabotage)
  const isRight = broken.some((guarantee) => guarantee.startsWith(caughtBy))
  note({ name, breaks, drill, isRight, found: broken.join('; ') || 'nothing: the drill passed' })
  if (!isRight) process.stdout.write(output)
}
if (words.includes('--write')) {
  writeFileSync(RESULT_FILE, `${JSON.stringify({ at: new Date().toISOString(), rows }, null, 2)}\n`)
}
const wrong = rows.filter(({ isRight }) => !isRight).length
process.stdout.write(`${rows.length - wrong} of ${rows.length} had the expected result\n`)
process.exitCode = wrong === 0 ? 0 : 1

function note(row: (typeof rows)[number]): void {
  rows.push(row)
  process.stdout.write(
    `${row.isRight ? 'right' : 'WRONG'}  ${row.name.padEnd(22)}${row.drill.padEnd(15)}${row.found}\n`,
  )
}

async function inCopy({
  drill,
  edits,
  options = [],
}: Pick<Sabotage, 'drill' | 'edits' | 'options'>): Promise<DrillRun> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-sabotage-'))
  try {
    copySources(ROOT_DIR, dir)
    for (const { file, find, replace } of edits) {
      const text = readFileSync(join(dir, file), 'utf8')
      if (text.split(find).length !== 2) throw new Error(`${file} does not hold this once: ${find}`)
      writeFileSync(
        join(dir, file),
        text.replace(find, () => replace),
      )
    }
    return await runDrill(dir, [drill, ...DRILL_OPTIONS, ...options])
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runDrill(dir: string, args: readonly string[]): Promise<DrillRun> {
  const child = spawn(process.execPath, [join(dir, 'tests', 'chaos', 'run.ts'), ...args], {
    cwd: dir,
    env: { ...process.env, TAPELINE_CACHE_DIR: cacheFolder() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: string[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  const [code] = await once(child, 'close')
  const output = chunks.join('')
  const broken = [...output.matchAll(/^ {2}FAILED {2}(.+)$/gm)].map(([, guarantee = '']) => guarantee)
  return { isHeld: code === 0, broken, output }
}
