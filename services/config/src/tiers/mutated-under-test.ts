type Random = () => number

const ODD: unknown[] = [
  null,
  '',
  ' ',
  'NaN',
  0,
  -1,
  1.5,
  1e309,
  -0,
  2 ** 53,
  true,
  [],
  {},
  '9'.repeat(400),
  Array.from({ length: 200 }, () => 'x'),
  JSON.parse('{"a":'.repeat(500) + '1' + '}'.repeat(500)),
  '🦆',
  '\u0000',
  '\ud800',
]

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The document with one place somewhere in it replaced, removed, added or moved by a little. */
export function mutate(document: unknown, random: Random): unknown {
  const copy: unknown = structuredClone(document)
  const places = placesIn(copy)
  const place = places[Math.floor(random() * places.length)]
  if (place === undefined || random() < 0.02) return ODD[Math.floor(random() * ODD.length)]
  const { parent, name } = place
  const value = parent[name]
  const kind = Math.floor(random() * 4)
  if (kind === 0) delete parent[name]
  else if (kind === 1) parent[`${name}${random() < 0.5 ? '_' : '\u0000'}`] = value
  else if (kind === 2 && typeof value === 'number') parent[name] = Math.round(value * random() * 3)
  else parent[name] = ODD[Math.floor(random() * ODD.length)]
  return copy
}

type Place = { parent: Record<string, unknown>; name: string }

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const parent = value as Record<string, unknown>
  return Object.keys(parent).flatMap((name) => [{ parent, name }, ...placesIn(parent[name])])
}
