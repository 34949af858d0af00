import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

const LETTERS_MIN = 4
/** Words and the abbreviations that every web developer knows. */
const SHORT_WORDS: ReadonlySet<string> = new Set(
  [
    'app ask bad bar bid btn buy cta day end faq fit gap hit id kbd key log nav new now off on or',
    'p50 p95 p99 row sub tag toc top try two up use who why',
  ].flatMap((line) => line.split(' ')),
)
const COMMENT = /\/\*[\s\S]*?\*\//g
/** What precedes a block: a selector, or the condition of an at-rule. */
const PRELUDE = /([^{};]+)\{/g
const CLASS = /\.([a-z][\w-]*)/gi

/** Class names that are too short to be meaningful. */
export function findShortClasses(rootDir: string): BrokenInvariant[] {
  return listFiles(rootDir)
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => {
      const text = readFileSync(join(rootDir, file), 'utf8').replaceAll(COMMENT, '')
      const names = [...text.matchAll(PRELUDE)].flatMap(([, prelude = '']) =>
        [...prelude.matchAll(CLASS)].map(([, name = '']) => name),
      )
      const short = names.filter((name) => name.length < LETTERS_MIN && !SHORT_WORDS.has(name))
      return [...new Set(short)].map((name) => ({
        file,
        message: `has the class .${name}: a class name is a word that says what it is`,
      }))
    })
}
