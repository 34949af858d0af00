import { LANGUAGES } from '@tapeline/contracts/language'
import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { referenceGroups } from '../reference/reference-path.ts'
import { operations } from '../reference/read-operations.ts'
import { readFieldWords, readOperationWords } from '../reference/reference-words.ts'
import { docTexts } from './doc-list.ts'
import { errorCodes, readErrorTexts } from './error-texts.ts'
import { linkTarget } from './link-target.ts'
import { parseText } from './parse-text.ts'
import { readText } from './read-text.ts'

const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en')
const names = [...docTexts.map(({ text }) => text), 'codes', 'operations', 'fields']

test.each(names.flatMap((name) => TRANSLATIONS.map((language) => [name, language] as const)))(
  '%s has the same sections, samples, code and links in %s as in English',
  (name, language) => {
    expect(skeletonOf(readText(name, language).body)).toEqual(skeletonOf(readText(name, 'en').body))
  },
)

test.each(LANGUAGES)('every error code is explained in %s: what it means and what to do', (language) => {
  const texts = readErrorTexts(language)
  const incomplete = errorCodes.filter((code) => {
    const { means = [], todo = [] } = texts.get(code) ?? {}
    return means.length === 0 || todo.length === 0
  })
  expect(incomplete).toEqual([])
})

test.each(LANGUAGES)('every call of the reference has a name in %s', (language) => {
  const words = readOperationWords(language)
  const expected = new Set(operations.flatMap(({ id, group }) => [id, group]))
  expect([...expected].filter((id) => (words.get(id)?.title ?? '') === '')).toEqual([])
  expect([...words.keys()].filter((id) => !expected.has(id))).toEqual([])
})

test.each(LANGUAGES)(
  'in %s the row of each group precedes the rows of its calls, as the search reads them',
  (language) => {
    const groups = Map.groupBy(operations, ({ group }) => group)
    const expected = [...groups].flatMap(([group, calls]) => [group, ...calls.map(({ id }) => id)])
    expect([...readOperationWords(language).keys()]).toEqual(expected)
  },
)

test('every group of the OpenAPI document has a page, and the calls of administrators have their own', () => {
  const isOfAdmin = new Map(operations.map(({ group, path }) => [group, path.startsWith('/api/v1/admin/')]))
  const groupsOf = (admin: boolean) => [...isOfAdmin].flatMap(([group, is]) => (is === admin ? [group] : []))
  expect({ api: groupsOf(false), admin: groupsOf(true) }).toEqual(referenceGroups)
  const mixed = operations.filter(({ group, path }) => isOfAdmin.get(group) !== path.startsWith('/api/v1/admin/'))
  expect(mixed).toEqual([])
})

test('the names of the reference are those of the OpenAPI document', () => {
  const words = readOperationWords('en')
  expect(operations.filter(({ id, summary }) => words.get(id)?.title !== summary)).toEqual([])
})

test.each(TRANSLATIONS)('the same fields are explained in %s', (language) => {
  expect([...readFieldWords(language).keys()]).toEqual([...readFieldWords('en').keys()])
})

test('every field that is explained is a field of some call', () => {
  const allowed = new Set(
    operations
      .flatMap(({ id, parameters, body }) =>
        [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})].map((name) => ({ id, name })),
      )
      .flatMap(({ id, name }) => [name, `${id}.${name}`]),
  )
  expect([...readFieldWords('en').keys()].filter((name) => !allowed.has(name))).toEqual([])
})

test.each(names)('every link of %s leads to a page, a section, a code or a call that exists', (name) => {
  const anchors = new Map<string, Set<string>>(
    docTexts.map(({ path, text }) => {
      const english = readText(text, 'en').body
      return [path, new Set(parseText(english, english).map(({ id }) => id))]
    }),
  )
  const ids = new Set(operations.map(({ id }) => id))
  const codes = new Set<string>(errorCodes)
  const dead = linksIn(readText(name, 'en').body).filter((href) => {
    const [scheme, target = ''] = href.split(':')
    if (scheme === 'error') return !codes.has(target)
    if (scheme === 'operation') return !ids.has(target)
    const [path = '', anchor] = linkTarget(href).split('#')
    return anchor !== undefined && anchors.get(path)?.has(anchor) !== true
  })
  expect(dead).toEqual([])
})

/** All that a translation must not change: without the words, and without their order in a sentence. */
function skeletonOf(body: string) {
  const sections = parseText(body, body)
  return {
    sections: sections.map(({ pairs }) => pairs.map(({ side }) => side)),
    blocks: lexer(body).flatMap(({ type, raw }) => (type === 'code' ? [raw] : type === 'space' ? [] : [type])),
    links: linksIn(body).toSorted(),
    code: [...body.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code).toSorted(),
  }
}

function linksIn(body: string): string[] {
  return [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href)
}
