import { parseArgs } from 'node:util'
import type { Command, Option } from './command.ts'
import { CommandError } from './command-error.ts'
import { parseTime } from './parse-time.ts'

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** The checked options and operands of one command. */
export class Arguments {
  readonly operands: readonly string[]
  private readonly values: Values

  constructor(values: Values, operands: readonly string[]) {
    this.values = values
    this.operands = operands
  }

  flag(name: string): boolean {
    return this.values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.values[name]
    return typeof value === 'string' ? value : undefined
  }

  /** Values of a repeated option; undefined when it is absent. */
  list(name: string): string[] | undefined {
    const value = this.values[name]
    return Array.isArray(value) ? splitLists(value.map(String)) : undefined
  }

  /** Operands, each of which may be a comma-separated list; undefined when there are none. */
  get symbols(): string[] | undefined {
    return this.operands.length === 0 ? undefined : splitLists(this.operands)
  }

  /** A whole number of at least 1. @throws CommandError */
  count(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const count = /^\d{1,12}$/.test(text) ? Number(text) : 0
    if (count < 1) throw new CommandError(`--${name} must be a whole number of at least 1, not "${text}".`)
    return count
  }

  /** RFC 3339 in UTC. @throws CommandError */
  time(name: string): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const time = parseTime(text, Date.now())
    if (time !== undefined) return time
    throw new CommandError(
      `--${name} must be 15m, 2h, 7d, a date or a time such as 2026-01-02T03:04:05Z, not "${text}".`,
    )
  }
}

function splitLists(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).filter((text) => text !== '')
}

/**
 * @throws CommandError for an unknown option, a missing value, a value that is not one of the choices, or an operand of a
 * command without operands
 */
export function parseArguments({ name, operands, options }: Command, args: readonly string[]): Arguments {
  const all = Object.entries({ ...options, help: { type: 'boolean' } as Option })
  const shapes = all.map(([option, { type, multiple }]) => [option, { type, multiple: multiple === true }] as const)
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(shapes),
    })
    const parsed = new Arguments(values, positionals)
    if (operands === undefined && positionals.length > 0) throw new CommandError(`"${name}" takes options only.`)
    for (const [option, facts] of all) checkChoices(parsed, option, facts)
    return parsed
  } catch (error) {
    if (error instanceof CommandError) throw error
    // Its first sentence names the option; what follows explains positional arguments.
    throw new CommandError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error))
  }
}

function checkChoices(parsed: Arguments, name: string, { choices }: Option): void {
  if (choices === undefined) return
  for (const value of parsed.list(name) ?? [parsed.text(name)]) {
    if (value === undefined || choices.includes(value)) continue
    throw new CommandError(`--${name} must be one of ${choices.join(', ')}, not "${value}".`)
  }
}
