import type { ExportFile } from '@tapeline/contracts/identity/account-deletion'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { type KnownDevice, listKnownDevices } from '../sessions/known-device-queries.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { encrypt } from '@tapeline/service/encryption'
import { presentUser } from '../users/present-user.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'
import { findExport, markExportReady } from './export-queries.ts'

export const EXPORT_PURPOSE = 'what an export holds'
const USAGE_DAYS = 90
const DAY_MS = 86_400_000
const DEVICES_MAX = 1_000

/**
 * Collects the account's data from every service. Idempotent: file and mail are one change, made once.
 * @throws when a service does not respond; the queue retries
 */
export async function buildExport(deps: Deps, exportId: string): Promise<'built' | 'done before'> {
  const row = await findExport(deps.db, exportId)
  const user = row && (await findUser(deps.db, row.user_id))
  if (user === undefined || row?.ready_at !== null || row.failed_at !== null) return 'done before'
  const content = encrypt({ secret: deps.secret, purpose: EXPORT_PURPOSE }, JSON.stringify(await gather(deps, user)))
  return deps.db.transaction().execute(async (trx) => {
    const at = deps.now()
    const expiresAt = new Date(at.getTime() + deps.exports.lifeMs)
    if (!(await markExportReady(trx, exportId, { at, expiresAt, content }))) return 'done before'
    const mail = { kind: 'export-ready', export_id: exportId } as const
    await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail })
    return 'built'
  })
}

/** Fields are listed explicitly, so that a column added later is not exported by accident. */
async function gather(deps: Deps, user: UserRow): Promise<ExportFile> {
  const to = deps.now()
  const from = new Date(to.getTime() - USAGE_DAYS * DAY_MS)
  const [profile, subscription, keys, usage, { sessions }, devices] = await Promise.all([
    deps.fetchProfile(user.id, user.role),
    deps.fetchSubscription(user.id),
    deps.fetchKeys(user.id),
    deps.fetchUsage(user.id, { from, to }),
    listSessions(deps, { userId: user.id, sessionId: null }),
    listKnownDevices(deps.db, user.id, DEVICES_MAX),
  ])
  return {
    format: 'tapeline-account/1',
    made_at: to.toISOString(),
    profile: presentUser(user, profile),
    sessions,
    known_devices: devices.map(presentDevice),
    api_keys: keys.apiKeys,
    subscription,
    settings: profile.configs.user_settings ?? null,
    usage: { from: from.toISOString(), to: to.toISOString(), ...usage },
  }
}

function presentDevice({ device, network, last_used_at }: KnownDevice) {
  return { device, network: network === '' ? null : network, last_used_at: last_used_at.toISOString() }
}
