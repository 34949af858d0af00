type Random = () => number

/** Mulberry32: the same seed gives the same mutations everywhere. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A JSON value with one to three places made wrong, or right in another way: whoever takes it has to look. */
export function mutate(random: Random, value: unknown): unknown {
  let mutated = value
  for (let n = 0; n <= Math.floor(random() * 3); n += 1) mutated = mutateOnce(random, mutated)
  return mutated
}

function mutateOnce(random: Random, value: unknown): unknown {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0
  if (isLeaf || random() < 0.1) return replacement(random, value)
  const names = Object.keys(value)
  const name = names[Math.floor(random() * names.length)] ?? ''
  const kind = random()
  if (Array.isArray(value)) {
    const place = Number(name)
    return kind < 0.3 ? value.toSpliced(place, 1) : value.with(place, mutateOnce(random, value[place]))
  }
  const { [name]: part, ...rest } = value as Record<string, unknown>
  if (kind < 0.15) return rest
  if (kind < 0.3) return { ...value, [ODD_NAMES[Math.floor(random() * ODD_NAMES.length)] ?? 'x']: part }
  return { ...value, [name]: mutateOnce(random, part) }
}

function replacement(random: Random, value: unknown): unknown {
  if (typeof value === 'number' && random() < 0.5) return NUMBERS[Math.floor(random() * NUMBERS.length)]
  return ODD_VALUES[Math.floor(random() * ODD_VALUES.length)]?.()
}

const NUMBERS = [0, -1, -0, 1.5, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 31, 1_000_000_001]
const ODD_NAMES = ['', ' ', 'prototype', 'toString', 'a/b~c', '\u0000', 'ü', '\ud800', 'x'.repeat(300)]
const ODD_VALUES: (() => unknown)[] = [
  () => null,
  () => '',
  () => '   ',
  () => 'NaN',
  () => 'Infinity',
  () => '-5',
  () => '\u0000',
  () => '\ud800 half a character',
  () => '<script>alert(1)</script>',
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [null],
  () => 'x'.repeat(200_000),
  () => Array.from({ length: 3_000 }, () => 1e300),
  () => nested(40),
  () => nested(3_000),
]

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { inner: value }
  return value
}
