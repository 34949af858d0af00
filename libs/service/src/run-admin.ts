import { createInterface } from 'node:readline'
import { AppError, type FieldError } from './app-error.ts'

/** One command as words, for example `set-tier`, an account, `pro`; its answer becomes JSON. */
export type AdminCommand = (words: readonly string[]) => Promise<unknown>
export type AdminOutcome = { answer: unknown } | { error: string; errors: FieldError[] }

/**
 * A service's own administration: the command in the arguments, or without any, commands from standard input until it
 * ends, each a line with a JSON array of words, each answered with a line of JSON.
 */
export async function runAdmin(args: readonly string[], command: AdminCommand): Promise<void> {
  if (args.length > 0) {
    const outcome = await outcomeOf(command, args)
    if ('answer' in outcome) process.stdout.write(`${JSON.stringify(outcome.answer, null, 2)}\n`)
    else {
      process.stderr.write(`${linesOf(outcome).join('\n')}\n`)
      process.exitCode = 1
    }
    return
  }
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await outcomeOf(command, wordsOf(line)))}\n`)
  }
}

async function outcomeOf(command: AdminCommand, words: readonly string[]): Promise<AdminOutcome> {
  try {
    return { answer: await command(words) }
  } catch (error) {
    if (error instanceof AppError) return { error: error.message, errors: error.errors ?? [] }
    return { error: error instanceof Error ? error.message : String(error), errors: [] }
  }
}

function linesOf({ error, errors }: Extract<AdminOutcome, { error: string }>): string[] {
  return [error, ...errors.map(({ field, message }) => `  ${field}: ${message}`)]
}

function wordsOf(line: string): string[] {
  const value: unknown = JSON.parse(line)
  if (!Array.isArray(value)) throw new Error('a command is a JSON array of words')
  return value.map(String)
}
