const FOR_GOOD = 500
const ABOUT_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA']

/** The recipient or the text is refused. What is wrong with our own access an operator mends: then all mails wait. */
export function isRefusedForGood(error: unknown): error is Error {
  if (!(error instanceof Error) || !('command' in error) || !('responseCode' in error)) return false
  return ABOUT_THE_MAIL.includes(error.command) && Number(error.responseCode) >= FOR_GOOD
}
