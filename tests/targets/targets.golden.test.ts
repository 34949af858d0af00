import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { expect, test } from 'vitest'
import { lossesTable } from './losses-table.ts'
import { splitTable } from './split-table.ts'
import { targetsTable } from './targets-table.ts'

const PAGE = 'docs/reliability.md'
const TABLES = [
  { first: '| # | Target |', table: targetsTable },
  { first: '| Lost | Kills |', table: () => lossesTable('verify-ha') },
  { first: '| Lost, with a Redis Cluster |', table: () => lossesTable('verify-ha-cluster') },
  { first: '| Cut off | Measured |', table: () => splitTable() },
]

test('the tables of targets and losses match the committed results', async () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', PAGE), 'utf8')
  const renewed = TABLES.reduce((text, { first, table }) => {
    const lines = text.split('\n')
    const from = lines.findIndex((line) => line.startsWith(first))
    expect(from, first).toBeGreaterThan(0)
    return lines.toSpliced(from, lengthOf(lines.slice(from)), table()).join('\n')
  }, page)
  await expectGolden(PAGE, renewed)
})

/** Lines of a table and of the sentence about its measurement. */
function lengthOf(lines: readonly string[]): number {
  const rows = lines.findIndex((line) => !line.startsWith('|'))
  return lines[rows + 1]?.startsWith('Measured at ') === true ? rows + 2 : rows
}
