export const STRENGTH_STEPS = 5

const CRITERIA = [
  { test: /^.{8,}$/su, advice: 'Eight characters make' },
  { test: /[a-z]/, advice: 'A lowercase letter makes' },
  { test: /[A-Z]/, advice: 'An uppercase letter makes' },
  { test: /\d/, advice: 'A digit makes' },
  { test: /[^A-Za-z0-9]/, advice: 'A symbol makes' },
] as const

export type Strength = { score: number; word: 'Weak' | 'Medium' | 'Strong'; advice: string | undefined }

/** Advisory only (specification §5): under 3 weak, 3 to 4 medium, 5 strong. */
export function passwordStrength(password: string): Strength {
  const missing = CRITERIA.filter(({ test }) => !test.test(password))
  const score = STRENGTH_STEPS - missing.length
  const word = score < 3 ? 'Weak' : score < STRENGTH_STEPS ? 'Medium' : 'Strong'
  const [first] = missing
  const goal = score === STRENGTH_STEPS - 1 ? 'it strong' : 'it stronger'
  return { score, word, advice: first === undefined ? undefined : `${first.advice} ${goal}.` }
}
