import { readFileSync } from 'node:fs'
import { AppError } from '@tapeline/service/app-error'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'

const commonPasswords = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# ')),
)

type PasswordOwner = { email: string; field: '/password' | '/newPassword' }

/**
 * Rejects common passwords and those derived from the user's data; the contract checks the length.
 * @throws AppError for such a password
 */
export function checkNewPassword(password: string, { email, field }: PasswordOwner): void {
  const guess = password.normalize('NFKC').toLowerCase()
  const address = canonicalEmail(email)
  const isFirstGuess = commonPasswords.has(guess) || guess === address || guess === address.split('@', 1)[0]
  if (!isFirstGuess) return
  const message = 'This password is too common. Choose another one.'
  throw new AppError('password.too_common', message, { errors: [{ field, message }] })
}
