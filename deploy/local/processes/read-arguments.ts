import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

/**
 * The arguments of this command. For `--help` it prints `usage` and ends the process with 0, for wrong use with 2 after
 * the reason. `positionalsMax`: most arguments that are not options.
 */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  positionalsMax = 0,
) {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage)
    process.exit(0)
  }
  const found = orUsage(usage, () => parseArgs({ args, options, allowPositionals: true }))
  const extra = found.positionals[positionalsMax]
  return extra === undefined ? found : endWith(usage, `Unexpected argument '${extra}'`)
}

function orUsage<Result>(usage: string, parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('. ')
    return endWith(usage, sentence)
  }
}

function endWith(usage: string, reason: string): never {
  process.stderr.write(`${reason}\n\n${usage}`)
  process.exit(2)
}
