import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import stringify from 'json-stringify-pretty-compact'
import { expect, test } from 'vitest'
import { describeServices } from '../../test/describe-services.fixture.ts'
import { createMatch } from '../routing/match-route.ts'
import { routeTable } from '../routing/route-table.ts'
import { type DocumentParts, openApiDocument, unnamedCalls } from './openapi-document.ts'
import { operations } from './operations.ts'

/** What fits stands on one line, so that a diff shows a property and not its braces. */
const LINE_LENGTH = 140
const SERVICES_DIR = join(import.meta.dirname, '..', '..', '..', 'services')

const parts: DocumentParts = {
  operations,
  routes: routeTable,
  matchRoute: createMatch(routeTable),
  described: await describeServices(),
  access: new Map(read('access.txt').flatMap((text) => text.split('\n').map(accessOf))),
}

test('every call that the gateway lets in has a name and a place in the reference', () => {
  expect(unnamedCalls(parts)).toEqual([])
})

test('the API as the gateway answers it', async () => {
  const document = openApiDocument(parts)
  await expectGolden('gateway/golden/openapi.json', stringify(document, { indent: 1, maxLength: LINE_LENGTH }))
})

function read(name: string): string[] {
  return globSync(`*/golden/${name}`, { cwd: SERVICES_DIR })
    .toSorted()
    .map((file) => readFileSync(join(SERVICES_DIR, file), 'utf8'))
}

/** `GET /path/:id  who` → `GET /path/{id}`, `who` */
function accessOf(line: string): [call: string, who: string] {
  const [call = '', who = ''] = line.split('  ')
  return [call.replaceAll(/:(\w+)/g, '{$1}'), who]
}
