import { planName, type Tier, TIERS, type UserActor } from '@tapeline/contracts/actor'
import { trialStarted } from '@tapeline/contracts/config/events'
import type { Plan, StartTrial } from '@tapeline/contracts/config/plans'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { readTiers } from '../tiers/read-tiers.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { lockOrInsert } from './lock-or-insert.ts'
import { readPlan } from './read-plan.ts'
import { recordChange } from './record-change.ts'
import { settleTrial } from './settle-trial.ts'
import { publishVersion } from './publish-version.ts'
import { insertTrial } from './trial-queries.ts'

const DAY_MS = 86_400_000

/**
 * Starts a trial of a larger tier, once per account and tier, without payment details.
 * @throws AppError when the address is not verified, or the tier was tried, is included or has no trial
 */
export async function startTrial(deps: Deps, actor: UserActor, { tier }: StartTrial): Promise<Plan> {
  const { tiers } = await readTiers(deps)
  const days = tiers[tier].billing.trialPeriod
  if (days === 0) throw new AppError('trial.not_offered', `There is no trial of the ${planName(tier)} plan.`)
  const state = await deps.findEmailState(actor.userId)
  if (state?.email_verified !== true) {
    throw new AppError('trial.email_not_verified', 'Verify your email address first, then start the trial.')
  }
  const row = await deps.db.transaction().execute((trx) => start(deps, trx, actor, { tier, days }))
  return { ...(await readPlan(deps, actor)), ...(await publishVersion(deps, row)) }
}

async function start(
  deps: Deps,
  trx: Transaction<Tables>,
  actor: UserActor,
  { tier, days }: StartTrial & { days: number },
): Promise<SubscriptionRow> {
  const now = deps.now()
  const accountId = actor.userId
  const before = await settleTrial(deps, trx, await lockOrInsert(trx, accountId, now))
  checkMayTry(before, tier)
  const endsAt = new Date(now.getTime() + days * DAY_MS)
  const trial = { account_id: accountId, tier, started_at: now, ends_at: endsAt, ended_at: null, end_reason: null }
  if (!(await insertTrial(trx, trial))) {
    throw new AppError('trial.already_used', `This account has already used its trial of the ${planName(tier)} plan.`)
  }
  await recordEvent(
    trx,
    newEvent(trialStarted, {
      id: deps.newId(),
      time: now,
      subject: accountId,
      account: accountId,
      actor,
      data: { account_id: accountId, tier, ends_at: endsAt.toISOString(), tier_after: before.tier },
    }),
  )
  const fields = { tier, trial_ends_at: endsAt, tier_after_trial: before.tier, trial_notice: 0 }
  return recordChange(deps, trx, actor, { before, fields, reason: null })
}

function checkMayTry({ tier: current, trial_ends_at }: SubscriptionRow, tier: Tier): void {
  if (trial_ends_at !== null) {
    const until = trial_ends_at.toISOString()
    throw new AppError(
      'trial.already_running',
      `A trial of the ${planName(current)} plan runs until ${until}: cancel it first.`,
    )
  }
  if (TIERS.indexOf(tier) > TIERS.indexOf(current)) return
  throw new AppError(
    'trial.tier_included',
    `Your ${planName(current)} plan already includes everything in the ${planName(tier)} plan.`,
  )
}
