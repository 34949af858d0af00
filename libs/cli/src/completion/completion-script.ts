import type { Command } from '../command.ts'

/** A script for each shell that completes commands, options, and values of options that have choices. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

function bashScript(commands: readonly Command[]): string {
  return `_tapeline() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" offered=""
  local position=$COMP_CWORD first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}"
${cases(commands)}
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _tapeline tapeline
`
}

function zshScript(commands: readonly Command[]): string {
  return `#compdef tapeline
_tapeline() {
  local previous="\${words[CURRENT-1]}" offered=""
  local position=$((CURRENT - 1)) first="\${words[2]}" second="\${words[3]}"
${cases(commands)}
  if [ -n "$offered" ]; then compadd -- \${=offered}; else _files; fi
}
compdef _tapeline tapeline
`
}

/** Sets `offered` out of position, previous, first and second word, in the syntax that bash and zsh share. */
function cases(commands: readonly Command[]): string {
  const groups = [...groupsOf(commands)]
  return [
    '  case "$previous $position $first $second" in',
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).flatMap(([option, { choices = [] }]) =>
        choices.length === 0
          ? []
          : [`    "--${option} "*" ${name}"|"--${option} "*" ${name} "*) offered="${choices.join(' ')}" ;;`],
      ),
    ),
    '  esac',
    '  if [ -z "$offered" ]; then case "$position $first $second" in',
    `    "1 "*) offered="${groups.map(([first]) => first).join(' ')}" ;;`,
    ...groups
      .filter(([, seconds]) => seconds.length > 0)
      .map(([first, seconds]) => `    "2 ${first} "*) offered="${seconds.join(' ')}" ;;`),
    ...commands.map((command) => `    *" ${command.name}"|*" ${command.name} "*) offered="${optionsOf(command)}" ;;`),
    '  esac; fi',
  ].join('\n')
}

function fishScript(commands: readonly Command[]): string {
  const groups = [...groupsOf(commands)]
  return [
    'complete -c tapeline -f',
    `complete -c tapeline -n __fish_use_subcommand -a "${groups.map(([first]) => first).join(' ')}"`,
    ...groups
      .filter(([, seconds]) => seconds.length > 0)
      .map(
        ([first, seconds]) =>
          `complete -c tapeline -n "__fish_seen_subcommand_from ${first}" -a "${seconds.join(' ')}"`,
      ),
    ...commands.flatMap(({ name, options }) =>
      Object.entries(options).map(([option, { type, choices = [], text }]) => {
        const conditions = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
        const values = choices.length === 0 ? '' : ` -a "${choices.join(' ')}"`
        const argument = type === 'string' ? ' -r' : ''
        return `complete -c tapeline -n "${conditions.join('; and ')}" -l ${option}${argument}${values} -d "${text.replaceAll(/["$\\]/g, '\\$&')}"`
      }),
    ),
    '',
  ].join('\n')
}

/** First words, each with its second words: `files` → `list`, `download`. */
function groupsOf(commands: readonly Command[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first = '', ...second] = name.split(' ')
    found.set(first, [...(found.get(first) ?? []), ...second])
  }
  return found
}

function optionsOf({ options }: Command): string {
  return [...Object.keys(options), 'help'].map((name) => `--${name}`).join(' ')
}
