import { openAdminSession, type AdminAnswer, type AdminSession } from './admin-session.ts'
import { findAddresses } from './find-addresses.ts'
import { StartProblem } from './start-problem.ts'

// npm run admin -- <command>: changes by an operator, on the platform that runs from TAPELINE_DIR or on the configured
// servers.
const USAGE = `Usage: npm run admin -- <command>, with the account's email or id

  show <account>                                      user, open sessions and subscription
  set-role <account> user|tester|admin                the last active admin cannot be demoted
  set-status <account> active|inactive                inactive: its keys and tokens are rejected
  end-sessions <account> [session id]                 signs out everywhere, or one session
  unlock <account>                                    clears the count of wrong passwords; ends the sign-in delay
  reset-link <account>                                prints a link to set a new password, for you to pass on
  set-tier <account> free|basic|pro                   changes the plan; a lower one removes custom limits
  set-limits <account> '<JSON of all six rateLimits>'   sets custom limits
  set-limits <account> null                           restores the limits of the plan

When the command returns, every gateway applies the change to the next request. If Redis is unavailable, the output
contains effective_within_seconds. The command changes the platform that runs from TAPELINE_DIR (.tapeline). To use
another one, set DATABASE_URL (the server), or IDENTITY_DATABASE_URL and CONFIG_DATABASE_URL, and REDIS_URL.
`
const OF_IDENTITY = new Set(['show', 'set-role', 'set-status', 'end-sessions', 'unlock', 'reset-link'])
const OF_CONFIG = new Set(['set-tier', 'set-limits'])

const words = process.argv.slice(2)
const [command = '', who] = words
if (words.includes('--help') || words.includes('-h')) {
  process.stdout.write(USAGE)
} else if (who === undefined || !(OF_IDENTITY.has(command) || OF_CONFIG.has(command))) {
  process.stderr.write(USAGE)
  process.exitCode = 2
} else {
  try {
    process.stdout.write(`${JSON.stringify(await run(who), null, 2)}\n`)
  } catch (error) {
    const text = error instanceof StartProblem ? error.line : error instanceof Error ? error.message : String(error)
    process.stderr.write(`${text}\n`)
    process.exitCode = 1
  }
}

async function run(account: string): Promise<AdminAnswer> {
  const identity = openAdminSession('identity', findAddresses('identity', process.env))
  try {
    if (OF_IDENTITY.has(command) && command !== 'show') return await identity.run(words)
    const user = await identity.run(command === 'show' ? words : ['show', account])
    const config = openAdminSession('config', findAddresses('config', process.env))
    return await readConfig(config, user).finally(config.close)
  } finally {
    await identity.close()
  }
}

/** Config identifies accounts by id only. */
async function readConfig(config: AdminSession, user: AdminAnswer): Promise<AdminAnswer> {
  const id = String(user['account_id'])
  if (command !== 'show') return config.run([command, id, ...words.slice(2)])
  return { ...user, subscription: await config.run(['show', id]) }
}
