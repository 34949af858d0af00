import { TapelineError } from '@tapeline/client'

/** Exit codes of every command. An interrupt (Ctrl-C) ends with 130, as shells expect. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2, refused: 3, unavailable: 4, interrupted: 130 } as const

type FailureCode = (typeof EXIT_CODES)[Exclude<keyof typeof EXIT_CODES, 'done'>]

/** A failure with a message for the user; the process ends with `exitCode`. */
export class CommandError extends Error {
  readonly exitCode: FailureCode

  constructor(message: string, exitCode: FailureCode = EXIT_CODES.usage) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Exit codes: 3 if the platform returned 4xx; 4 after a 5xx, no answer, or a damaged answer. */
export function exitCodeOf(error: unknown): FailureCode {
  if (error instanceof CommandError) return error.exitCode
  if (!(error instanceof TapelineError)) return EXIT_CODES.failed
  const isRefused = error.status !== undefined && error.status < 500
  return isRefused ? EXIT_CODES.refused : EXIT_CODES.unavailable
}

/** Lines for standard error: the failure, the fields it names, and when a retry can succeed. Never a stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof TapelineError)) return error instanceof Error ? error.message : String(error)
  const fields = (error.problem?.errors ?? []).map(({ field, message }) => `  ${field}: ${message}`)
  const { retryAfterMs } = error
  const retry = retryAfterMs === undefined ? [] : [`  Retry in ${Math.ceil(retryAfterMs / 1_000)} s.`]
  const text = [error.message, ...fields, ...retry].join('\n')
  // Text from outside must not move the cursor of a terminal.
  return text.replaceAll(/[^\P{Cc}\n]/gu, '?')
}
