export type Random = () => number

/** Changes one to three places of a JSON value, to invalid or to other valid values. */
export function mutate(random: Random, value: unknown): unknown {
  let mutated = value
  for (let n = 0; n <= Math.floor(random() * 3); n += 1) mutated = mutateOnce(random, mutated)
  return mutated
}

function mutateOnce(random: Random, value: unknown): unknown {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0
  if (isLeaf || random() < 0.1) return replacement(random, value)
  const name = pick(random, Object.keys(value)) ?? ''
  return Array.isArray(value) ? mutateList(random, value, Number(name)) : mutateFields(random, { ...value }, name)
}

function mutateList(random: Random, list: readonly unknown[], place: number): unknown {
  return random() < 0.3 ? list.toSpliced(place, 1) : list.with(place, mutateOnce(random, list[place]))
}

function mutateFields(random: Random, fields: Record<string, unknown>, name: string): unknown {
  const { [name]: part, ...rest } = fields
  const kind = random()
  if (kind < 0.15) return rest
  if (kind < 0.3) return { ...fields, [pick(random, ODD_NAMES) ?? 'x']: part }
  return { ...fields, [name]: mutateOnce(random, part) }
}

function replacement(random: Random, value: unknown): unknown {
  if (typeof value === 'number' && random() < 0.5) return pick(random, NUMBERS)
  return pick(random, ODD_VALUES)?.()
}

function pick<T>(random: Random, from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)]
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
