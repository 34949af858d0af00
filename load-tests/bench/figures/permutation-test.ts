export type PermutationResult = { meanDifference: number; p: number }

/**
 * p of a paired permutation test: the share of random swaps of the sides whose mean difference is at least as far from
 * 0. `random` is in [0, 1).
 */
export function permutationTest(
  pairs: readonly (readonly [number, number])[],
  { rounds, random }: { rounds: number; random: () => number },
): PermutationResult {
  const differences = pairs.map(([one, other]) => one - other)
  const meanDifference = meanOf(differences)
  let asFar = 0
  for (let round = 0; round < rounds; round += 1) {
    const swapped = differences.map((difference) => (random() < 0.5 ? difference : -difference))
    if (Math.abs(meanOf(swapped)) >= Math.abs(meanDifference)) asFar += 1
  }
  return { meanDifference, p: (asFar + 1) / (rounds + 1) }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
