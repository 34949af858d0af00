import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { expect, test } from 'vitest'
import { createMatch } from '../match-upstream.ts'
import { upstreams } from '../upstreams.ts'
import { type DocumentParts, openApiDocument, type Paths, unnamedCalls } from './openapi-document.ts'
import { operations } from './operations.ts'

const SERVICES_DIR = join(import.meta.dirname, '..', '..', '..', 'services')

/** What each service says of itself, in its own golden files. */
const parts: DocumentParts = {
  operations,
  matchUpstream: createMatch(upstreams),
  described: Object.assign({}, ...read('openapi.json').map((text) => pathsOf(text))),
  access: new Map(read('access.txt').flatMap((text) => text.split('\n').map(accessOf))),
}

test('every call that the gateway lets in has a name and a place in the reference', () => {
  expect(unnamedCalls(parts)).toEqual([])
})

test('the API as the gateway answers it', async () => {
  const document = openApiDocument(parts)
  await expectGolden('gateway/golden/openapi.json', JSON.stringify(document, null, 1))
})

function read(name: string): string[] {
  return globSync(`*/golden/${name}`, { cwd: SERVICES_DIR })
    .toSorted()
    .map((file) => readFileSync(join(SERVICES_DIR, file), 'utf8'))
}

function pathsOf(text: string): Paths {
  const { paths }: { paths: Paths } = JSON.parse(text)
  return paths
}

/** `GET /path/:id  who` → `GET /path/{id}`, `who` */
function accessOf(line: string): [call: string, who: string] {
  const [call = '', who = ''] = line.split('  ')
  return [call.replaceAll(/:(\w+)/g, '{$1}'), who]
}
