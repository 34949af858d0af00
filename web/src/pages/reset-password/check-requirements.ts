import { msg } from '@lingui/core/macro'

const LENGTH_MIN = 8

/** Requirements of a new password. */
export const REQUIREMENTS = [
  { text: msg`At least 8 characters`, test: (password: string) => Array.from(password).length >= LENGTH_MIN },
  { text: msg`One uppercase letter`, test: (password: string) => /\p{Lu}/u.test(password) },
  { text: msg`One lowercase letter`, test: (password: string) => /\p{Ll}/u.test(password) },
  { text: msg`One digit`, test: (password: string) => /\p{Nd}/u.test(password) },
] as const

export function meetsRequirements(password: string): boolean {
  return REQUIREMENTS.every(({ test }) => test(password))
}
