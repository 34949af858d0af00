import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

const LIBRARY = /^libs\/[^/]+\/src\/.*\.tsx?$/
const NOT_PUBLIC = /\.(test|fixture)\.tsx?$/
const EXPORTED = /^export (?:async )?(?:function|class|abstract class) (\w+)/

/** Exported functions and classes of libs without a docstring. */
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
    if (!isFirst || lines[at - 1]?.trimEnd().endsWith('*/') === true) return []
    return [{ file: `${file}:${at + 1}`, says: `exports ${name} without a docstring` }]
  })
}
