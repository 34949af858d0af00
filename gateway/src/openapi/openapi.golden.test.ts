import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import stringify from 'json-stringify-pretty-compact'
import { expect, test } from 'vitest'
import { describeServices } from '../../test/describe-services.fixture.ts'
import { createMatch } from '../routing/match-route.ts'
import { routeTable } from '../routing/route-table.ts'
import { fieldGlossaries } from './describe-fields.ts'
import { type DocumentParts, openApiDocument, unnamedCalls } from './openapi-document.ts'
import { operations } from './operations.ts'
import { type Examples, readRecorded } from './recorded-examples.ts'
import { canonical, normalised } from './schemas.ts'

/** Objects that fit are on one line, so that a diff shows a property and not its braces. */
const LINE_LENGTH = 200
const SAMPLES_DIR = join(import.meta.dirname, '..', '..', '..', 'web', 'docs', 'samples')
const EXAMPLES_DIR = join(import.meta.dirname, '..', '..', 'golden', 'examples')
const SERVICES_DIR = join(import.meta.dirname, '..', '..', '..', 'services')

const parts: DocumentParts = {
  operations,
  routes: routeTable,
  matchRoute: createMatch(routeTable),
  described: await describeServices(),
  names: await namesOfContracts(),
  examples: recordedExamples(),
  access: new Map(read('access.txt').flatMap((text) => text.split('\n').map(accessOf))),
}

test('every route of the gateway has a name and a place in the reference', () => {
  expect(unnamedCalls(parts)).toEqual([])
})

test('the OpenAPI document of the gateway', async () => {
  const document = openApiDocument(parts)
  await expectGolden('gateway/golden/openapi.json', textOf(document))
})

test('every property and parameter is described, and every description is used', () => {
  const found = { used: new Set<string>(), missing: new Set<string>() }
  openApiDocument(parts, found)
  expect([...found.missing]).toEqual([])
  const written = fieldGlossaries.flatMap((each) => Object.keys(each))
  expect(written.filter((key, index) => written.indexOf(key) !== index)).toEqual([])
  expect(written.filter((key) => !found.used.has(key))).toEqual([])
  const texts = fieldGlossaries.flatMap((each) => Object.values(each))
  expect(texts.filter((text) => !/^(`|[A-Z0-9]).{3,}[.]$/.test(text))).toEqual([])
})

/** Examples are on one line, because they are recorded and reviewers read the schemas. */
function textOf(document: Record<string, unknown>): string {
  const examples: string[] = []
  const marked: unknown = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key !== 'example' || typeof value !== 'object') return value
    return `@example ${examples.push(JSON.stringify(value)) - 1}`
  })
  const text = stringify(marked, { indent: 1, maxLength: LINE_LENGTH })
  return text.replaceAll(/"@example (\d+)"/g, (_match, index: string) => examples[Number(index)] ?? '')
}

function read(name: string): string[] {
  return globSync(`*/golden/${name}`, { cwd: SERVICES_DIR })
    .toSorted()
    .map((file) => readFileSync(join(SERVICES_DIR, file), 'utf8'))
}

/** Samples of the documentation, which are recorded calls, by the operation and status that they show. */
function recordedExamples(): Examples {
  const samples = { 'bad-field': 'list-trades', 'no-key': 'list-instruments', 'too-many': 'list-instruments' }
  const files = globSync('*.http', { cwd: SAMPLES_DIR }).map((file): [string, string] => {
    const name = file.replace('.http', '')
    return [name, new Map(Object.entries(samples)).get(name) ?? name]
  })
  const ofSamples = new Map(
    files.flatMap(([name, operation]) => {
      const found = readRecorded(readFileSync(join(SAMPLES_DIR, `${name}.http`), 'utf8'))
      if (found === undefined || !operations.has(operation)) return []
      const sent = /-d '(\{.*\})'/s.exec(readFileSync(join(SAMPLES_DIR, `${name}.sh`), 'utf8'))?.[1]
      const { status, answered } = found
      return [[`${operation} ${status}`, { sent: sent === undefined ? undefined : JSON.parse(sent), answered }]]
    }),
  )
  return new Map([...ofSamples, ...recordedCalls()])
}

/** Written by tests/openapi/examples.test.ts, which makes these calls on a running platform. */
function recordedCalls(): [string, { sent: unknown; answered: unknown }][] {
  return globSync('*.json', { cwd: EXAMPLES_DIR })
    .toSorted()
    .map((file) => {
      const { status, ...example }: { status: number; sent: unknown; answered: unknown } = JSON.parse(
        readFileSync(join(EXAMPLES_DIR, file), 'utf8'),
      )
      return [`${file.replace('.json', '')} ${status}`, example]
    })
}

/** `GET /path/:id  who` → `GET /path/{id}`, `who` */
function accessOf(line: string): [call: string, who: string] {
  const [call = '', who = ''] = line.split('  ')
  return [call.replaceAll(/:(\w+)/g, '{$1}'), who]
}

/** The exported object schemas of the contracts by their canonical text; of equal ones the first name. */
async function namesOfContracts(): Promise<Map<string, string>> {
  const dir = join(SERVICES_DIR, '..', 'libs', 'contracts', 'src')
  const files = globSync('*/*.ts', { cwd: dir }).filter((file) => !/events|[.]test/.test(file))
  const modules = await Promise.all(files.toSorted().map(async (file): Promise<object> => import(join(dir, file))))
  const found = modules.flatMap((module) => Object.entries(module)).filter(([, value]) => isObjectSchema(value))
  const names = new Map<string, string>()
  for (const [name, schema] of found) {
    const text = canonical(normalised(JSON.parse(JSON.stringify(schema))))
    if (!names.has(text) && ![...names.values()].includes(name)) names.set(text, name)
  }
  return names
}

function isObjectSchema(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'object' && 'properties' in value
  )
}
