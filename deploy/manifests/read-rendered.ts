import { parseAllDocuments } from 'yaml'
import type { Manifest, OfKind } from './objects.ts'
import { type Overlay, render } from './render.ts'

/** The rendered objects of an overlay; the schema check is what makes the cast true. */
export function readRendered(overlay: Overlay): Manifest[] {
  return parseAllDocuments(render(overlay)).map((document) => document.toJS() as Manifest)
}

export function ofKind<Kind extends Manifest['kind']>(manifests: readonly Manifest[], kind: Kind): OfKind<Kind>[] {
  return manifests.filter((one): one is OfKind<Kind> => one.kind === kind)
}
