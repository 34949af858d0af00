import { AppError } from '@tapeline/service/app-error'

const NEEDED = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u]

/** Required by the specification for password resets: an upper case letter, a lower case letter and a digit. */
export function checkComposition(password: string): void {
  if (NEEDED.every((pattern) => pattern.test(password))) return
  const message = 'Password does not meet the security requirements.'
  throw new AppError('password.too_weak', message, { errors: [{ field: '/newPassword', message }] })
}
