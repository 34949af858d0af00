import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectGolden } from '@tapeline/testing/golden'
import { test } from 'vitest'
import { type Document, typesOfDocument } from './types-of-document.ts'

const ROOT = join(import.meta.dirname, '../../..')
const OPERATIONS = [
  'list-trades',
  'list-bars',
  'list-l2-events',
  'list-quotes',
  'read-book',
  'list-instruments',
  'list-files',
  'read-limits',
]

test('the types of the client are those of the public OpenAPI document', async () => {
  const document = JSON.parse(readFileSync(join(ROOT, 'gateway/golden/openapi.json'), 'utf8')) as Document
  await expectGolden('libs/sdk/src/types.ts', formatted(typesOfDocument(document, OPERATIONS)))
})

function formatted(code: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-types-'))
  try {
    const path = join(dir, 'types.ts')
    writeFileSync(path, code)
    execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), ['-c', join(ROOT, '.oxfmtrc.json'), path], { stdio: 'ignore' })
    return readFileSync(path, 'utf8')
  } finally {
    rmSync(dir, { recursive: true })
  }
}
