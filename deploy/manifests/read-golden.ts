import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { REPOSITORY } from '../local/folders.ts'
import type { Manifest, OfKind } from './objects.ts'
import { goldenOf, type Overlay } from './render.ts'

/** What an overlay says, rendered; the schemas are what makes the cast true. */
export function readGolden(overlay: Overlay): Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(REPOSITORY, goldenOf(overlay)), 'utf8'))
  return documents.map((document) => document.toJS() as Manifest)
}

export function ofKind<Kind extends Manifest['kind']>(manifests: readonly Manifest[], kind: Kind): OfKind<Kind>[] {
  return manifests.filter((one): one is OfKind<Kind> => one.kind === kind)
}
