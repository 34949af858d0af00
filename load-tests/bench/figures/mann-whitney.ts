/**
 * Two-sided p of the Mann-Whitney U test by its normal approximation, for samples of 20 values or more: the probability
 * that two samples of the same distribution have ranks at least this different. Equal values share their mean rank.
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))]
  all.sort((a, b) => a.value - b.value)
  const { rankSum, ties } = rank(all)
  const [n, m, total] = [one.length, other.length, all.length]
  const u = rankSum - (n * (n + 1)) / 2
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  if (deviation === 0) return 1
  return erfc(Math.abs(u - (n * m) / 2) / deviation / Math.SQRT2)
}

function rank(sorted: readonly { value: number; isOne: boolean }[]): { rankSum: number; ties: number } {
  let [rankSum, ties] = [0, 0]
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.value === sorted[from]?.value) to += 1
    const equal = to - from
    ties += equal ** 3 - equal
    for (const { isOne } of sorted.slice(from, to)) if (isOne) rankSum += (from + 1 + to) / 2
    from = to
  }
  return { rankSum, ties }
}

/** Abramowitz and Stegun, 7.1.26: within 1.5e-7 for x of 0 or more. */
function erfc(x: number): number {
  const t = 1 / (1 + 0.3275911 * x)
  const polynomial = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
  return polynomial.reduce((sum, factor) => sum * t + factor, 0) * t * Math.exp(-x * x)
}
