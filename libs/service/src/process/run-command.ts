type Command = {
  /** Begins the lines of errors. */
  name: string
  usage: string
  /** @returns the exit code. */
  run: (args: string[]) => Promise<number>
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT'])

/** Wrong use of a command: its message is printed with the usage, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command with the arguments of this process and sets the exit code: 0 with the usage for `--help`, 2 for wrong
 * use, 1 for any other error, which is printed in one line without a stack.
 */
export async function runCommand({ name, usage, run }: Command): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(usage)
  try {
    process.exitCode = await run(args)
  } catch (error) {
    const wrongUse = wrongUseOf(error)
    process.stderr.write(`${name}: ${wrongUse === undefined ? lineOf(error) : `${wrongUse}\n\n${usage.trimEnd()}`}\n`)
    process.exitCode = wrongUse === undefined ? 1 : 2
  }
}

/** The message of a `UsageError`, or the first sentence of an error of `parseArgs`; undefined for any other error. */
function wrongUseOf(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message
  return error instanceof Error && codeOf(error).startsWith('ERR_PARSE_ARGS_')
    ? error.message.split('. ')[0]
    : undefined
}

/** Connection errors of several addresses have a code and no message. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const message = error.message || codeOf(error) || error.name
  if (!UNREACHABLE.has(codeOf(error))) return message
  return `${message}: the server cannot be reached. Start the platform with npm start, or correct the address.`
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
