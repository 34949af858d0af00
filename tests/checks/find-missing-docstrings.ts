import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

const LIBRARY = /^libs\/[^/]+\/src\/.*\.tsx?$/
const NOT_PUBLIC = /\.(test|fixture)\.tsx?$/
const EXPORTED = /^export (?:async )?(?:function|class|abstract class) (\w+)/

/** Errors of test support end the test: their text is enough. */
const TEST_SUPPORT = /^libs\/testing\//

/** Exported functions and classes of libs without a docstring, and functions whose docstring lacks the error that they throw. */
export function findMissingDocstrings(rootDir: string): BrokenInvariant[] {
  return listFiles(rootDir)
    .filter((file) => LIBRARY.test(file) && !NOT_PUBLIC.test(file))
    .flatMap((file) => undocumented(file, readFileSync(join(rootDir, file), 'utf8').split('\n')))
}

function undocumented(file: string, lines: readonly string[]): BrokenInvariant[] {
  return lines.flatMap((line, at) => {
    const name = EXPORTED.exec(line)?.[1]
    // The next overload shares the docstring of the first.
    const isFirst = name !== undefined && EXPORTED.exec(lines[at - 1] ?? '')?.[1] !== name
    if (!isFirst) return []
    const place = `${file}:${at + 1}`
    if (lines[at - 1]?.trimEnd().endsWith('*/') !== true)
      return [{ file: place, says: `exports ${name} without a docstring` }]
    const isExempt = !line.includes('function') || TEST_SUPPORT.test(file) || !throwsNew(lines, at)
    if (isExempt || docstringAbove(lines, at).includes('@throws')) return []
    return [{ file: place, says: `exports ${name}, whose docstring has no @throws` }]
  })
}

function throwsNew(lines: readonly string[], from: number): boolean {
  const end = lines.indexOf('}', from)
  return lines.slice(from, end === -1 ? lines.length : end).some((line) => /\bthrow new \w/.test(line))
}

function docstringAbove(lines: readonly string[], at: number): string {
  const from = lines.slice(0, at).findLastIndex((line) => line.includes('/**'))
  return lines.slice(from, at).join('\n')
}
