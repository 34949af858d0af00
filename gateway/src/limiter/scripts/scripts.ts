import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type Script = { source: string; sha: string }

/** The limiter's scripts, each with the functions that it uses. */
export const scripts = {
  decide: script('rings.lua', 'decide.lua', 'shadow.lua'),
  renew: script('rings.lua', 'renew.lua'),
  takeSlot: script('rings.lua', 'take-slot.lua'),
  countSlots: script('rings.lua', 'count-slots.lua'),
  seed: script('rings.lua', 'rings-whole.lua', 'seed.lua'),
  seedKey: script('rings.lua', 'rings-whole.lua', 'seed-key.lua'),
  merge: script('rings.lua', 'rings-whole.lua', 'merge.lua'),
  mergeKey: script('rings.lua', 'rings-whole.lua', 'merge-key.lua'),
}

function script(...files: string[]): Script {
  const source = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}
