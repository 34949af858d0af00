import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'

export const STRENGTH_STEPS = 5

const CRITERIA = [
  { test: /^.{8,}$/su, advice: msg`Eight characters make it stronger.`, last: msg`Eight characters make it strong.` },
  { test: /[a-z]/, advice: msg`A lowercase letter makes it stronger.`, last: msg`A lowercase letter makes it strong.` },
  {
    test: /[A-Z]/,
    advice: msg`An uppercase letter makes it stronger.`,
    last: msg`An uppercase letter makes it strong.`,
  },
  { test: /\d/, advice: msg`A digit makes it stronger.`, last: msg`A digit makes it strong.` },
  { test: /[^A-Za-z0-9]/, advice: msg`A symbol makes it stronger.`, last: msg`A symbol makes it strong.` },
] as const

export type Strength = { score: number; word: string; advice: string | undefined }

/** Advisory only: under 3 weak, 3 to 4 medium, 5 strong. */
export function passwordStrength(password: string): Strength {
  const missing = CRITERIA.filter(({ test }) => !test.test(password))
  const score = STRENGTH_STEPS - missing.length
  const word = score < 3 ? t`Weak` : score < STRENGTH_STEPS ? t`Medium` : t`Strong`
  const [first] = missing
  const advice = score === STRENGTH_STEPS - 1 ? first?.last : first?.advice
  return { score, word, advice: advice === undefined ? undefined : i18n._(advice) }
}
