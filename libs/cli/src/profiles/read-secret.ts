import { CommandError, EXIT_CODES } from '../command-error.ts'

/** Return, line feed, end of transmission (Ctrl-D). */
const ENTER = ['\r', '\n', '\u0004']
const INTERRUPT = '\u0003'
const BACKSPACE = ['\b', '\u007F']

/** The first line of standard input; typed at a terminal it is not shown. @throws CommandError when interrupted */
export async function readSecret(prompt: string): Promise<string> {
  return process.stdin.isTTY ? readTyped(prompt) : readPiped()
}

async function readPiped(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) text += String(chunk)
  return (text.split('\n')[0] ?? '').trim()
}

async function readTyped(prompt: string): Promise<string> {
  const { stdin, stderr } = process
  stdin.setEncoding('utf8')
  // Raw mode first, so that input typed after the prompt is not echoed.
  stdin.setRawMode(true)
  stderr.write(prompt)
  try {
    let typed = ''
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (ENTER.includes(character)) return typed.trim()
        if (character === INTERRUPT) throw new CommandError('', EXIT_CODES.interrupted)
        typed = BACKSPACE.includes(character) ? typed.slice(0, -1) : typed + character
      }
    }
    return typed.trim()
  } finally {
    stdin.setRawMode(false)
    stderr.write('\n')
  }
}
