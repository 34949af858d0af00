import type { UserActor } from '@tapeline/contracts/actor'
import { type LimitsReplay, REPLAY_DAYS_MAX, type StartReplay } from '@tapeline/contracts/audit/replay'
import { AppError } from '@tapeline/service/app-error'
import { findReplay, insertReplay, isReplayPending, type ReplayRow } from './replay-queries.ts'
import type { ReplayDeps } from './run-replay.ts'

const DAY_MS = 86_400_000

/**
 * Queues a replay: the period's requests decided again with the proposed limits. Nothing is changed.
 * @throws AppError when the period is invalid, or a replay is queued or running
 */
export async function startReplay(
  deps: ReplayDeps,
  { userId }: UserActor,
  { tier, from, to }: StartReplay,
): Promise<LimitsReplay> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  if (fromMs >= toMs) throw periodInvalid('/to', 'The period must end after it begins.')
  if (toMs - fromMs > REPLAY_DAYS_MAX * DAY_MS) {
    throw periodInvalid('/from', `The period can be at most ${REPLAY_DAYS_MAX} days long.`)
  }
  if (toMs > deps.now().getTime()) throw periodInvalid('/to', 'The period must be in the past.')
  if (await isReplayPending(deps.db)) {
    throw new AppError('replay.already_running', 'Another replay is in progress. Wait until it is done.')
  }
  const now = deps.now().toISOString()
  const row = await insertReplay(deps.db, {
    id: deps.newId(),
    requested_by: userId,
    tier: tier.name,
    rate_limits: JSON.stringify(tier.rateLimits),
    from_at: new Date(fromMs).toISOString(),
    to_at: new Date(toMs).toISOString(),
    state: 'queued',
    progress: 0,
    heartbeat_at: now,
    result: null,
    created_at: now,
  })
  return presentReplay(row)
}

/** @throws AppError when it does not exist */
export async function showReplay({ db }: Pick<ReplayDeps, 'db'>, id: string): Promise<LimitsReplay> {
  const row = await findReplay(db, id)
  if (row === undefined) throw new AppError('replay.not_found', 'There is no such replay.')
  return presentReplay(row)
}

function presentReplay({ id, tier, rate_limits, from_at, to_at, ...row }: ReplayRow): LimitsReplay {
  return {
    id,
    tier: { name: tier, rateLimits: rate_limits },
    from: from_at.toISOString(),
    to: to_at.toISOString(),
    state: row.state,
    progress: row.progress,
    created_at: row.created_at.toISOString(),
    result: row.result,
  }
}

function periodInvalid(field: string, message: string): AppError {
  return new AppError('period.invalid', message, { errors: [{ field, message }] })
}
