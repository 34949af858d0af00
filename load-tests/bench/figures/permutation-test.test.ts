import { expect, test } from 'vitest'
import { permutationTest } from './permutation-test.ts'

/** A deterministic sequence in [0, 1). */
function seeded(seed = 42): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
}
const pairsWith = (shift: number): [number, number][] => {
  const random = seeded(7)
  return Array.from({ length: 300 }, () => [100 + 20 * random() + shift, 100 + 20 * random()])
}

test('two samples of the same distribution are not reported as different', () => {
  expect(permutationTest(pairsWith(0), { rounds: 1_000, random: seeded() }).p).toBeGreaterThan(0.05)
})

test('a difference of three milliseconds in a hundred is reported', () => {
  const { meanDifference, p } = permutationTest(pairsWith(3), { rounds: 1_000, random: seeded() })
  expect(meanDifference).toBeGreaterThan(1)
  expect(p).toBeLessThan(0.01)
})
