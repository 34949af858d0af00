import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { expect, test } from 'vitest'
import { targetsTable } from './targets-table.ts'

const PAGE = 'docs/reliability.md'
const FIRST = '| # | Target |'

test('the table of targets is generated from the committed results', async () => {
  const lines = readFileSync(join(import.meta.dirname, '..', '..', PAGE), 'utf8').split('\n')
  const from = lines.findIndex((line) => line.startsWith(FIRST))
  expect(from).toBeGreaterThan(0)
  const length = lines.slice(from).findIndex((line) => !line.startsWith('|'))
  await expectGolden(PAGE, lines.toSpliced(from, length, targetsTable()).join('\n'))
})
