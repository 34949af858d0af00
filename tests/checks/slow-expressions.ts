import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectExpressions, type Expression } from './collect-expressions.ts'
import { compareVerdicts, measureGrowth, nameOf, type Verdicts } from './judge-expressions.ts'

// Checks that no input makes a regular expression slow. --write adds verdicts for new expressions, --all renews all of
// them.
const FILE = join(import.meta.dirname, 'expressions.json')

const words = process.argv.slice(2)
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Verdicts
const all = collectExpressions(process.cwd())
const changed = words.includes('--all') ? await measureAll(all, recorded) : []
if (words.includes('--write')) writeFileSync(FILE, `${JSON.stringify(await measureNew(all, recorded), null, 2)}\n`)
const verdicts = JSON.parse(readFileSync(FILE, 'utf8')) as Verdicts
for (const message of changed) console.error(message)
const wrong = compareVerdicts(all, verdicts)
for (const { file, message } of wrong) console.error(`${file}: ${message}`)
if (wrong.some(({ message }) => message.endsWith('never judged'))) {
  console.error('run node tests/checks/slow-expressions.ts --write to check new expressions')
}
// The checker leaves a child process that would keep this one alive.
process.exit(wrong.length + changed.length > 0 ? 1 : 0)

async function measureNew(expressions: readonly Expression[], before: Verdicts): Promise<Verdicts> {
  const found: Verdicts = {}
  for (const one of expressions) {
    const name = nameOf(one)
    found[name] ??= before[name] ?? { grows: await measureGrowth(one) }
  }
  const sorted = Object.entries(found).toSorted(([name], [other]) => (name < other ? -1 : 1))
  return Object.fromEntries(sorted)
}

async function measureAll(expressions: readonly Expression[], before: Verdicts): Promise<string[]> {
  const differences: string[] = []
  for (const one of new Map(expressions.map((each) => [nameOf(each), each])).values()) {
    const grows = await measureGrowth(one)
    const was = before[nameOf(one)]?.grows
    if (was !== grows) differences.push(`${nameOf(one)}: ${grows}, the list says ${was}`)
  }
  return differences
}
