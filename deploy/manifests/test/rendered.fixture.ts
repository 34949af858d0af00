import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceHash } from '../../local/source-hash.ts'
import type { Manifest } from '../objects.ts'
import { readRendered } from '../read-rendered.ts'
import type { Overlay } from '../render.ts'

/** Everything that the rendered objects depend on. */
const SOURCES = [
  'k8s',
  'deploy/containers',
  'deploy/manifests/render.ts',
  'deploy/local/secrets.ts',
  'package-lock.json',
]

/** The rendered objects of an overlay: the first test file that reads them renders them, for those of the whole run. */
export function renderedOnce(overlay: Overlay): Manifest[] {
  const file = join(tmpdir(), `tapeline-rendered-${overlay}-${sourceHash(SOURCES)}.json`)
  if (!existsSync(file)) {
    const partial = `${file}.part-${process.pid}`
    writeFileSync(partial, JSON.stringify(readRendered(overlay)))
    renameSync(partial, file)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest[]
}
