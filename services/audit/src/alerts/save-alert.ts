import { isDeepStrictEqual } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import {
  type AlertList,
  ALERTS_MAX,
  type DeletedAlert,
  type SaveAlert,
  type UsageAlert,
} from '@tapeline/contracts/audit/alerts'
import { alertCreated, alertDeleted, alertUpdated } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { recordInTrail } from '../trail/record-in-trail.ts'
import {
  type AlertRow,
  deleteAlertRow,
  insertAlert,
  listAlertRows,
  lockAlert,
  lockAlertCreations,
  updateAlert,
} from './alert-queries.ts'

type AlertDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'ownsKey'>
const FIELDS = ['name', 'api_key_id', 'policy', 'percent', 'channels', 'active'] as const

/** All alerts of the actor, oldest first. */
export async function listAlerts({ db }: Pick<Deps, 'db'>, { userId }: UserActor): Promise<AlertList> {
  return { alerts: (await listAlertRows(db, userId)).map(presentAlert), max: ALERTS_MAX }
}

/** @throws AppError when the account has the maximum, or the key does not exist */
export async function createAlert(deps: AlertDeps, actor: UserActor, input: SaveAlert): Promise<UsageAlert> {
  const fields = await checkedFields(deps, actor, input)
  return deps.db.transaction().execute(async (trx) => {
    await lockAlertCreations(trx, actor.userId)
    if ((await listAlertRows(trx, actor.userId)).length >= ALERTS_MAX) {
      throw new AppError('alert.limit_reached', `An account has at most ${ALERTS_MAX} alerts. Delete one first.`)
    }
    const created_at = deps.now().toISOString()
    const row = await insertAlert(trx, {
      ...fields,
      id: deps.newId(),
      account_id: actor.userId,
      last_raised_at: null,
      created_at,
    })
    const data = { ...aboutAlert(row), after: fields }
    await recordInTrail(trx, [newEvent(alertCreated, { ...eventOf(deps, actor, row.id), data })])
    return presentAlert(row)
  })
}

/**
 * Replaces an alert's fields.
 * @throws AppError when the alert or its key does not exist
 */
export async function updateAlertFields(
  deps: AlertDeps,
  actor: UserActor,
  id: string,
  input: SaveAlert,
): Promise<UsageAlert> {
  const fields = await checkedFields(deps, actor, input)
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockAlert(trx, actor.userId, id)
    if (row === undefined) throw noSuchAlert()
    const changed = FIELDS.filter((field) => !isDeepStrictEqual(row[field], fields[field]))
    if (changed.length === 0) return presentAlert(row)
    const saved = await updateAlert(trx, row, fields)
    const before = Object.fromEntries(changed.map((field) => [field, row[field]]))
    const after = Object.fromEntries(changed.map((field) => [field, fields[field]]))
    const data = { ...aboutAlert(saved), before, after }
    await recordInTrail(trx, [newEvent(alertUpdated, { ...eventOf(deps, actor, id), data })])
    return presentAlert(saved)
  })
}

export async function deleteAlert(deps: AlertDeps, actor: UserActor, id: string): Promise<DeletedAlert> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await deleteAlertRow(trx, actor.userId, id)
    if (row === undefined) throw noSuchAlert()
    await recordInTrail(trx, [newEvent(alertDeleted, { ...eventOf(deps, actor, id), data: aboutAlert(row) })])
  })
  return { id }
}

function aboutAlert({ id, account_id, name }: AlertRow) {
  return { alert_id: id, account_id, name }
}

function eventOf({ now, newId }: Pick<Deps, 'now' | 'newId'>, actor: UserActor, alertId: string) {
  return { id: newId(), time: now(), subject: alertId, account: actor.userId, actor }
}

async function checkedFields({ ownsKey }: AlertDeps, actor: UserActor, input: SaveAlert): Promise<SaveAlert> {
  if (input.api_key_id !== null && (await ownsKey(actor, input.api_key_id)) === false) {
    throw new AppError('api_key.not_found', 'There is no such API key.')
  }
  return { ...input, name: input.name.trim() }
}

function presentAlert(row: AlertRow): UsageAlert {
  const { id, name, api_key_id, policy, percent, channels, active } = row
  return {
    id,
    name,
    api_key_id,
    policy,
    percent,
    channels,
    active,
    last_raised_at: row.last_raised_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

function noSuchAlert(): AppError {
  return new AppError('alert.not_found', 'There is no such alert.')
}
