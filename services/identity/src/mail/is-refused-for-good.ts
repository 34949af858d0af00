const FOR_GOOD = 500
const ABOUT_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA']

/**
 * True when the server rejects the recipient or the content. Errors of the server access are retried: an operator can
 * fix them.
 */
export function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !('command' in error) || !('responseCode' in error)) return false
  return ABOUT_THE_MAIL.includes(error.command) && Number(error.responseCode) >= FOR_GOOD
}
