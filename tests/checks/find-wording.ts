import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrokenInvariant } from './find-broken-invariants.ts'
import { listFiles } from './source-files.ts'

/**
 * Words that the documentation of PostgreSQL or Stripe would not use: the noun (client, operator, process) or a verb of
 * the field is meant.
 */
const WORDS =
  /\b(whoever|whomever|nobody|somebody|strangers?|told|tells?|hears?|heard|keepers?|stumble[ds]?|everybody|anybody|felt|heed(ed|s)?|believe[ds]?)\b/i
/** In documents for users and operators, what an HTTP call returns is a response. */
const ANSWER = {
  files: /^(web\/docs\/text|docs)\/[^/]+\.md$|README\.md$|^(ARCHITECTURE|CONTRIBUTING)\.md$/,
  words: /\b(an?|the|its|every|any|no) answers?\b/i,
}
/** A request gets a response, or a program returns it: nothing "is answered 503". */
const STATUS = /\b(is|are|was|were|be|been) answered ([1-5]\d\d|[45]xx)\b/i
const TEXTS = /\.(tsx?|js|md|lua|css|sh|ya?ml|sql|env|conf|Dockerfile)$/
const NOT_READ = [
  // Measurements, generated files and translations.
  /^docs\/benchmarks\//,
  /\/golden\//,
  /\/migrations\//,
  /\.(es|fr)\.\w+$/,
  /^tests\/checks\/find-wording(\.test)?\.ts$/,
]
/** Places where the word is the correct term: a Unix user, an alert receiver, a stored value, a name. */
const TERMS: { files: RegExp; words: RegExp }[] = [
  { files: /^deploy\/(local|manifests)\/|^deploy\/observability\/alertmanager\.yml$/, words: /\bnobody\b/gi },
  { files: /^services\/identity\/src\/notice(s\/|-tables)/, words: /'told'/g },
  { files: /^services\/(identity|config)\/src\//, words: /(flips_)?told_(day|until)/g },
]

/** Lines of code, comments and documents with a word that `WORDS` lists, also as a part of an identifier. */
export function findWording(rootDir: string): BrokenInvariant[] {
  return listFiles(rootDir)
    .filter((file) => TEXTS.test(file) && !NOT_READ.some((excluded) => excluded.test(file)))
    .flatMap((file) => wordsIn(file, readFileSync(join(rootDir, file), 'utf8')))
}

function wordsIn(file: string, text: string): BrokenInvariant[] {
  const terms = TERMS.filter(({ files }) => files.test(file)).map(({ words }) => words)
  const isDocument = ANSWER.files.test(file)
  return text.split('\n').flatMap((line, at) => {
    const read = terms.reduce((text, words) => text.replaceAll(words, ''), line)
    const words = read.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
    const found = WORDS.exec(words) ?? STATUS.exec(words) ?? (isDocument ? ANSWER.words.exec(words) : null)
    return found === null
      ? []
      : [{ file: `${file}:${at + 1}`, message: `says “${found[0]}”: use the noun or verb of the field` }]
  })
}
