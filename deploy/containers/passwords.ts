import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoAccount } from '@tapeline/service/demo-accounts'
import { newDemoAccounts } from '../local/demo-accounts.ts'
import { SERVICES } from '../local/secrets.ts'

/**
 * Users of each server besides PostgreSQL's service roles: one user per process, `migrate` for an installation whose migrations are
 * not run by the administrator of Kafka, and `scaler` for an autoscaler that queries the length of queues and the lag of consumers.
 */
export const REDIS_LIMITS_USERS = ['gateway', 'identity', 'api-key', 'audit', 'config', 'prepare'] as const
export const REDIS_JOBS_USERS = [...SERVICES, 'scaler'] as const
export const KAFKA_USERS = ['broker', 'admin', 'gateway', 'migrate', 'scaler', ...SERVICES] as const

export type Passwords = {
  redisLimits: Record<string, string>
  redisJobs: Record<string, string>
  kafka: Record<string, string>
  backup: string
  grafana: string
  /** Generated in advance, so that an operator can read them regardless of where the platform runs. */
  demo: DemoAccount[]
}

const PASSWORD_BYTES = 24

/** Created once per folder; users added by later versions are appended. */
export function readPasswords(folder: string): Passwords {
  const file = join(folder, 'passwords.json')
  const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Passwords>) : {}
  const passwords = fillIn(found, () => randomBytes(PASSWORD_BYTES).toString('base64url'))
  const text = JSON.stringify(passwords, null, 2)
  if (text !== JSON.stringify(found, null, 2)) writeFileSync(file, text, { mode: 0o644 })
  return passwords
}

/**
 * What the preparation of the servers needs of an existing file. It does not write the file, which is read-only in a container and,
 * after an upgrade, may lack users of the new version that it does not need.
 * @throws Error if the file does not exist or has none of these
 */
export function readForPreparation(folder: string): Pick<Passwords, 'backup' | 'demo'> {
  const { backup, demo } = JSON.parse(readFileSync(join(folder, 'passwords.json'), 'utf8')) as Partial<Passwords>
  if (backup === undefined || demo === undefined)
    throw new Error('passwords.json is incomplete: run deploy/make-secrets.ts')
  return { backup, demo }
}

function fillIn(found: Partial<Passwords>, make: () => string): Passwords {
  const each = (users: readonly string[], have: Record<string, string> = {}) =>
    Object.fromEntries(users.map((user) => [user, have[user] ?? make()]))
  return {
    redisLimits: each(REDIS_LIMITS_USERS, found.redisLimits),
    redisJobs: each(REDIS_JOBS_USERS, found.redisJobs),
    kafka: each(KAFKA_USERS, found.kafka),
    backup: found.backup ?? make(),
    grafana: found.grafana ?? make(),
    demo: found.demo ?? newDemoAccounts(),
  }
}
