import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiDocument, findBreakingChanges } from './find-breaking-changes.ts'

// node tests/breaking/breaking-changes.ts [before.json after.json]: fails when a client of `before` does not work with `after`.
// Without files it compares the last accepted API with the current one. --accept replaces the accepted API, for a new
// version.
const ACCEPTED = join(import.meta.dirname, 'accepted-api.json')
const CURRENT = join(import.meta.dirname, '../../gateway/golden/openapi.json')
/** Descriptions do not affect clients. */
const TEXTS = new Set(['description', 'summary', 'example', 'tags', 'x-tagGroups', 'x-errors', 'x-tier', 'x-access'])

const args = process.argv.slice(2)
if (args[0] === '--accept') accept()
else compare(args[0] ?? ACCEPTED, args[1] ?? CURRENT)

function compare(before: string, after: string): void {
  const found = findBreakingChanges(read(before), read(after))
  for (const text of found) console.error(text)
  if (found.length === 0) return
  console.error(`${found.length} breaking changes. A new version of the API accepts them: npm run breaking -- --accept`)
  process.exitCode = 1
}

/** One line for each call and each schema, so that a diff shows what was accepted. */
function accept(): void {
  const { paths, components } = read(CURRENT)
  const lines = (all: object) =>
    Object.entries(all).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value, withoutTexts)}`)
  const text = `{"paths": {\n${lines(paths).join(',\n')}\n},\n"components": {"schemas": {\n${lines(components.schemas).join(',\n')}\n}}}\n`
  writeFileSync(ACCEPTED, text)
}

/** A property may have the name of a keyword: its value is a schema, not a text. */
function withoutTexts(key: string, value: unknown): unknown {
  const isText = typeof value === 'string' || Array.isArray(value) || key === 'example'
  return TEXTS.has(key) && isText ? undefined : value
}

function read(file: string): ApiDocument {
  return JSON.parse(readFileSync(file, 'utf8')) as ApiDocument
}
