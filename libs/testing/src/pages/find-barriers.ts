import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '../browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violation = { id: string; nodes: { target: unknown[] }[] }

/**
 * Accessibility violations reported by axe: rule and element, one line each. Playwright's evaluate bypasses the
 * page's CSP.
 */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  // With forced colors the system's colors apply, but axe reads -webkit-text-fill-color, which Chromium reports as the page
  // set it.
  const isForced = await page.evaluate<boolean>(`matchMedia('(forced-colors: active)').matches`)
  const rules = { 'color-contrast': { enabled: !isForced } }
  const run = `axe.run({ runOnly: ${JSON.stringify(RULES)}, rules: ${JSON.stringify(rules)} }).then(({ violations }) => violations)`
  const violations = await page.evaluate<Violation[]>(run)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
