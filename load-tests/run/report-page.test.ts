import { expect, test } from 'vitest'
import { compareResults } from './compare-results.ts'
import { someResult } from './load-result.fixture.ts'
import { reportPage } from './report-page.ts'

const before = someResult({ at: '2026-01-01T00:00:00.000Z', commit: 'fff0000', requestsPerSecond: 40 })
const now = someResult()
const page = reportPage(now, { before, changes: compareResults(before, now) })

test('the page loads no other files', () => {
  expect(page).not.toMatch(/<script|<link|@import|https?:\/\/|src=/)
})

test('the page states whether the rules were met, the first violation, and the run it is compared with', () => {
  expect(page).toContain('3 of 5 rules are violated.')
  const rows = [...page.matchAll(/<span class="(better|worse)">(met|violated)/g)].map(([, , word]) => word)
  expect(rows).toEqual(['violated', 'violated', 'violated', 'met', 'met'])
  expect(page).toContain('commit fff0000')
  expect(page).toContain('<span class="worse">worse</span>')
})

test('names from a script are escaped', () => {
  expect(page).toContain('trades are &lt;listed&gt;')
  expect(page).not.toContain('<listed>')
})

test('a chart has a point for every slice', () => {
  const [rate = ''] = [...page.matchAll(/class="line rate" points="([^"]+)"/g)].map(([, points]) => points)
  expect(rate.split(' ')).toHaveLength(now.slices.length)
})

test('the first run has no comparison', () => {
  expect(reportPage(now)).not.toContain('Compared with the last run')
})
