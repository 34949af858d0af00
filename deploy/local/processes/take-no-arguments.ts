/** For a command without options: prints `usage` and ends the process if there are arguments; `--help` is no error. */
export function takeNoArguments(usage: string): void {
  const [first] = process.argv.slice(2)
  if (first === undefined) return
  const isHelp = first === '--help' || first === '-h'
  if (isHelp) process.stdout.write(usage)
  else process.stderr.write(`Unexpected argument '${first}'\n\n${usage}`)
  process.exit(isHelp ? 0 : 2)
}
