import { AppError } from '@tapeline/service/app-error'

/**
 * Runs every reader before failing, so that one response names all invalid fields.
 * @throws AppError with the code of the first failure and the field errors of all
 */
export function checkFields(...readers: readonly (() => unknown)[]): void {
  const failures = readers.flatMap((read) => failureOf(read))
  const [first] = failures
  if (first === undefined) return
  throw new AppError(first.code, first.message, { errors: failures.flatMap(({ errors }) => errors ?? []) })
}

function failureOf(read: () => unknown): AppError[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof AppError) return [error]
    throw error
  }
}
