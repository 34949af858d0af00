import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { COMPLETION_SCRIPTS } from '../completion/completion-script.ts'
import { writeText } from '../output/output.ts'
import { configSetCommand, configShowCommand, configUseCommand } from './config.ts'
import { filesDownloadCommand, filesListCommand } from './files.ts'
import { keysCreateCommand, keysListCommand, keysRevokeCommand, keysRotateCommand, keysShowCommand } from './keys.ts'
import { barsCommand, l2Command, tradesCommand } from './list-records.ts'
import { loginCommand, logoutCommand } from './login.ts'
import { bookCommand, instrumentsCommand, limitsCommand } from './read-state.ts'
import { requestsExplainCommand, requestsListCommand } from './requests.ts'
import { streamCommand } from './stream-records.ts'
import { usageCommand } from './usage.ts'
import { webhooksListCommand, webhooksListenCommand } from './webhooks.ts'

const completionCommand: Command = {
  name: 'completion',
  operands: '<bash|zsh|fish>',
  summary: 'Prints a completion script for a shell',
  options: {},
  run: async ({ operands: [shell = '', ...others] }) => {
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined
    if (script === undefined || others.length > 0) {
      throw new CommandError(`Specify one shell: ${Object.keys(COMPLETION_SCRIPTS).join(', ')}.`)
    }
    await writeText(script(COMMANDS))
  },
}

export const COMMANDS: readonly Command[] = [
  loginCommand,
  logoutCommand,
  tradesCommand,
  l2Command,
  bookCommand,
  barsCommand,
  instrumentsCommand,
  streamCommand,
  filesListCommand,
  filesDownloadCommand,
  limitsCommand,
  keysListCommand,
  keysShowCommand,
  keysCreateCommand,
  keysRotateCommand,
  keysRevokeCommand,
  usageCommand,
  requestsListCommand,
  requestsExplainCommand,
  webhooksListCommand,
  webhooksListenCommand,
  configSetCommand,
  configShowCommand,
  configUseCommand,
  completionCommand,
]
