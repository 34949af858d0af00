import type { UserActor } from '@tapeline/contracts/actor'
import { settingsChanged } from '@tapeline/contracts/config/events'
import {
  DEFAULT_SETTINGS,
  type SavedSettings,
  type SaveSettings,
  type UserSettings,
} from '@tapeline/contracts/config/settings'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockOrInsert } from '../subscriptions/lock-or-insert.ts'
import { recordChange } from '../subscriptions/record-change.ts'
import { publishVersion } from '../subscriptions/publish-version.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { parseSettings } from './parse-settings.ts'
import { deleteSettingsUpTo, findNewestSettings, findSettings, insertSettings } from './settings-queries.ts'

/** Number of old versions kept to compute the changes for an outdated tab. */
const VERSIONS_KEPT = 20

type Saver = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>
type Saved = { answer: SavedSettings; subscription: SubscriptionRow | undefined }

/**
 * Saves the fields that are sent; absent ones keep their value.
 * @throws AppError with the changes when the edited version is outdated
 */
export async function saveSettings(
  deps: Saver,
  actor: UserActor,
  { user_settings, version }: SaveSettings,
): Promise<SavedSettings> {
  const changes = parseSettings(user_settings)
  const { answer, subscription } = await deps.db
    .transaction()
    .execute((trx) => save(deps, trx, actor, { changes, version }))
  return subscription === undefined ? answer : { ...answer, ...(await publishVersion(deps, subscription)) }
}

async function save(
  deps: Saver,
  trx: Transaction<Tables>,
  actor: UserActor,
  { changes, version }: { changes: Partial<UserSettings>; version: number | undefined },
): Promise<Saved> {
  const accountId = actor.userId
  // The lock serializes concurrent saves; the row also contains the time zone.
  const subscription = await lockOrInsert(trx, accountId, deps.now())
  const newest = await findNewestSettings(trx, accountId)
  const current = { user_settings: { ...DEFAULT_SETTINGS, ...newest?.settings }, version: newest?.version ?? 0 }
  if (version !== undefined && version !== current.version)
    throw await changedMeanwhile(trx, accountId, version, current)
  const settings = { ...current.user_settings, ...changes }
  const changed = namesOf(settings).filter((name) => settings[name] !== current.user_settings[name])
  if (changed.length === 0) return { answer: current, subscription: undefined }
  const next = { user_settings: settings, version: current.version + 1 }
  await store(deps, trx, actor, { current, next, changed })
  if (settings.timezone === subscription.time_zone) return { answer: next, subscription: undefined }
  const fields = { time_zone: settings.timezone }
  const row = await recordChange(deps, trx, actor, { before: subscription, fields, reason: null })
  return { answer: next, subscription: row }
}

type Step = { current: SavedSettings; next: SavedSettings; changed: (keyof UserSettings)[] }

async function store(
  deps: Saver,
  trx: Transaction<Tables>,
  actor: UserActor,
  { current, next, changed }: Step,
): Promise<void> {
  const now = deps.now()
  const accountId = actor.userId
  const { version } = next
  await insertSettings(trx, {
    account_id: accountId,
    version,
    settings: JSON.stringify(next.user_settings),
    saved_at: now,
  })
  await deleteSettingsUpTo(trx, accountId, version - VERSIONS_KEPT)
  const only = (settings: UserSettings) => Object.fromEntries(changed.map((name) => [name, settings[name]]))
  const event = newEvent(settingsChanged, {
    id: deps.newId(),
    time: now,
    subject: accountId,
    account: accountId,
    actor,
    data: {
      account_id: accountId,
      settings_version: version,
      before: only(current.user_settings),
      after: only(next.user_settings),
    },
  })
  await recordEvent(trx, event)
}

/** Names the fields changed since the version that this tab edited. */
async function changedMeanwhile(
  trx: Transaction<Tables>,
  accountId: string,
  version: number,
  { user_settings: now, version: newest }: SavedSettings,
): Promise<AppError> {
  const edited = version === 0 ? DEFAULT_SETTINGS : (await findSettings(trx, accountId, version))?.settings
  const errors = namesOf(now)
    .filter((name) => edited === undefined || edited[name] !== now[name])
    .map((name) => ({ field: `/user_settings/${name}`, message: `${name} is now ${JSON.stringify(now[name])}` }))
  const message = `The settings were changed elsewhere: their version is now ${newest}.`
  return new AppError('settings.changed_meanwhile', message, { errors })
}

function namesOf(settings: UserSettings): (keyof UserSettings)[] {
  const isSetting = (name: string): name is keyof UserSettings => Object.hasOwn(settings, name)
  return Object.keys(DEFAULT_SETTINGS).filter(isSetting)
}
