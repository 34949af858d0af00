import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

const LIBRARY = /^libs\/[^/]+\/src\/.*\.tsx?$/
const NOT_PUBLIC = /\.(test|fixture)\.tsx?$/
const EXPORTED = /^export (?:async )?(?:function|class|abstract class) (\w+)/

/** Errors thrown by test support end the test, so their message is enough. */
const TEST_SUPPORT = /^libs\/testing\//

/**
 * Exported functions and classes of libs without a docstring, and functions whose docstring lacks the error that they
 * throw.
 */
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
    const missing = isFirst ? missingPart(file, lines, at) : undefined
    return missing === undefined ? [] : [{ file: `${file}:${at + 1}`, message: `exports ${name}${missing}` }]
  })
}

function missingPart(file: string, lines: readonly string[], at: number): string | undefined {
  const from = lines.slice(0, at).findLastIndex((line) => line.includes('/**'))
  const docstring = lines[at - 1]?.trimEnd().endsWith('*/') === true ? lines.slice(from, at).join('\n') : undefined
  if (docstring === undefined) return ' without a docstring'
  const isExempt = TEST_SUPPORT.test(file) || !throwsNew(lines, at)
  return isExempt || docstring.includes('@throws') ? undefined : ', whose docstring has no @throws'
}

function throwsNew(lines: readonly string[], from: number): boolean {
  if (lines[from]?.includes('function') !== true) return false
  const end = lines.indexOf('}', from)
  return lines.slice(from, end === -1 ? lines.length : end).some((line) => /\bthrow new \w/.test(line))
}
