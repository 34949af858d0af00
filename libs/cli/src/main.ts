#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { parseArguments } from './arguments.ts'
import type { Command, Option } from './command.ts'
import { CommandError, describeFailure, EXIT_CODES, exitCodeOf } from './command-error.ts'
import { COMMANDS } from './commands/all.ts'
import { writeText } from './output/output.ts'

const HELP_COLUMN = 24

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(HELP_COLUMN)}${summary}`)
  return `Usage: tapeline <command> [options]

${lines.join('\n')}

"tapeline <command> --help" lists the options of a command, "tapeline --version" prints the version.
`
}

function helpOf({ name, operands, summary, options }: Command): string {
  const lines = Object.entries(options).map(([option, facts]) => optionLine(option, facts))
  const usage = ['tapeline', name, ...(operands === undefined ? [] : [operands])].join(' ')
  return `Usage: ${usage}${lines.length === 0 ? '' : ' [options]'}\n\n${summary}.\n${lines.length === 0 ? '' : '\n'}${lines.join('')}`
}

function optionLine(option: string, { value, choices, text }: Option): string {
  const optionText = `--${option}${value === undefined ? '' : ` <${value}>`}`
  const accepted = choices === undefined ? '' : `One of ${choices.join(', ')}. `
  const explained = text.includes('Default') ? text.replace('Default', `${accepted}Default`) : `${text} ${accepted}`
  return `  ${optionText.padEnd(HELP_COLUMN)}${explained.trimEnd()}\n`
}

/** @throws CommandError for words that name no command */
function findCommand(words: readonly string[]): { command: Command; remaining: readonly string[] } {
  const command = COMMANDS.find(({ name }) => name.split(' ').every((word, n) => words[n] === word))
  if (command !== undefined) return { command, remaining: words.slice(command.name.split(' ').length) }
  const siblings = COMMANDS.filter(({ name }) => name.startsWith(`${words[0] ?? ''} `)).map(({ name }) => name)
  if (siblings.length > 0) throw new CommandError(`Specify one of: ${siblings.join(', ')}.`)
  throw new CommandError(`There is no command "${words[0] ?? ''}". "tapeline --help" lists them.`)
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

async function run(words: readonly string[]): Promise<void> {
  if (words.length === 0) throw new CommandError(overview().trimEnd())
  if (words[0] === '--help' || words[0] === 'help') return writeText(overview())
  if (words[0] === '--version') return writeText(`${await readVersion()}\n`)
  const { command, remaining } = findCommand(words)
  const args = parseArguments(command, remaining)
  if (args.flag('help')) return writeText(helpOf(command))
  return command.run(args)
}

/** The reader of the pipe has closed it, or the output cannot be stored: the process ends. */
function endWithOutput(error: Error & { code?: string }): void {
  if (error.code === 'EPIPE') process.exit(EXIT_CODES.done)
  process.stderr.write(`${error.message}\n`, () => process.exit(EXIT_CODES.failed))
}

process.stdout.on('error', endWithOutput)
// Messages are lost with their reader; the exit code is not.
process.stderr.on('error', () => undefined)
process.on('SIGINT', () => process.exit(EXIT_CODES.interrupted))
try {
  await run(process.argv.slice(2))
  // A prompt or an open connection must not keep a finished command alive.
  process.stdout.write('', () => process.exit(EXIT_CODES.done))
} catch (error) {
  const text = describeFailure(error)
  process.stderr.write(text === '' ? '' : `${text}\n`, () => process.exit(exitCodeOf(error)))
}
