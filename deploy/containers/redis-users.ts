import { hash } from 'node:crypto'
import { SERVICES } from '../local/secrets.ts'

/** Reading, writing and scripts, and nothing that concerns the server: no flush, no configuration, no look at other users. */
const COMMANDS =
  'resetchannels -@all +@read +@write +@scripting +@connection +@transaction +time -@dangerous +info +cluster|slots +cluster|shards +cluster|nodes +cluster|info'

/** The keys that each process touches: gateway/README.md names them. */
const LIMITS_KEYS: Record<string, string> = {
  gateway: '~acct:* ~windows:* ~leases:* ~usage:* ~merged:* ~throttle:*',
  identity: '~acct:* ~tries:*',
  'api-key': '~acct:*',
  config: '~acct:*',
  audit: '%R~acct:* %R~usage:* %R~leases:*',
  prepare: '~acct:*',
}

export function redisLimitsUsers(passwords: Record<string, string>): string {
  return aclFile(passwords, LIMITS_KEYS)
}

/** A service's queues begin with its name. */
export function redisJobsUsers(passwords: Record<string, string>): string {
  return aclFile(passwords, Object.fromEntries(SERVICES.map((service) => [service, `~{jobs}:${service}*`])))
}

function aclFile(passwords: Record<string, string>, keys: Record<string, string>): string {
  const users = Object.entries(passwords).map(
    ([user, password]) => `user ${user} on #${hash('sha256', password)} resetkeys ${keys[user]} ${COMMANDS}\n`,
  )
  return ['user default off\n', ...users].join('')
}
