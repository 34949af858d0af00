import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type Script = { source: string; sha: string }

const rings = readSource('rings.lua')

/** The limiter's scripts; all but the first file share the layout of the rings. */
export const scripts = {
  decide: script('decide.lua'),
  seed: script('seed.lua'),
  seedKey: script('seed-key.lua'),
  merge: script('merge.lua'),
  mergeKey: script('merge-key.lua'),
  renew: script('renew.lua'),
}

function script(file: string): Script {
  const source = `${rings}\n${readSource(file)}`
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

function readSource(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
}
