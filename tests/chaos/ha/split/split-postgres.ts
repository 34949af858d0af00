import { LOOPBACK } from '@tapeline/testing/programs/place'
import { waitUntil } from '@tapeline/testing/wait-until'
import { type Field, type Outcome, pause } from '../../drill.ts'
import type { Loss } from '../recovery.ts'
import { checkPostgresSplit, type PostgresSplit, postgresTimes } from './check-postgres.ts'
import type { CutPlace } from './network.ts'
import { createRows, listRows, type RowWriter, startRowWriter } from './row-writer.ts'
import type { SplitPlatform } from './split-platform.ts'

export type SplitOutcome = Outcome & { loss: Loss }

const COMMITS_BEFORE = 50
const READY_WITHIN_MS = 30_000
/** Longer than Patroni's lease (20 s), a failover and its effects. */
const CUT_MS = 35_000
const WRITES_WITHIN_MS = 60_000
const AFTER_MS = 3_000
/** Read-only, shutting down or connection refused: the server is no longer a primary. */
const NO_PRIMARY = new Set(['25006', '57P01', '57P03', 'ECONNREFUSED'])

/** Cuts off the PostgreSQL primary while clients beside it and elsewhere commit, and heals the network. */
export async function splitPostgres(ha: SplitPlatform, { history }: Field): Promise<SplitOutcome> {
  const { postgres } = ha
  const number = (await postgres.roles()).indexOf('primary')
  const [place, url] = [ha.postgresPlaces[number], postgres.urls[number]]
  if (place === undefined || url === undefined) throw new Error('PostgreSQL has no primary')
  await createRows(await postgres.primaryUrl())
  const cutSide = await startRowWriter(ha.dir, place, 'cut', [url])
  const keptSide = await startRowWriter(ha.dir, LOOPBACK, 'kept', postgres.urls)
  const cutServer = new URL(url).host
  try {
    await waitUntil(
      'both sides commit',
      () => [cutSide, keptSide].every(({ acknowledged }) => acknowledged.length >= COMMITS_BEFORE),
      READY_WITHIN_MS,
    )
    const cutMs = await cutFor(place, history, keptSide, cutServer)
    const healedMs = Date.now()
    // Without a standby again, the check of the roles fails.
    await postgres.untilWhole().catch(() => undefined)
    const rejoinedMs = Date.now()
    await pause(AFTER_MS)
    await Promise.all([cutSide.stop(), keptSide.stop()])
    const split: PostgresSplit = {
      cutServer,
      cutMs,
      healedMs,
      cutSide: cutSide.acknowledged,
      keptSide: keptSide.acknowledged,
      refused: cutSide.failed.filter(({ atMs }) => atMs > cutMs && atMs < healedMs).length,
      demotedAtMs: cutSide.failed.find(({ atMs, code }) => atMs > cutMs && NO_PRIMARY.has(code))?.atMs,
      stored: await listRows(await postgres.primaryUrl()),
      roles: await postgres.roles(),
    }
    return {
      checks: checkPostgresSplit(split),
      figures: {
        postgresCommits: cutSide.acknowledged.length + keptSide.acknowledged.length,
        postgresRefused: split.refused,
        postgresMissing: [...split.cutSide, ...split.keptSide].filter(({ id }) => !split.stored.includes(id)).length,
        ...prefixed(postgresTimes(split)),
        ...(split.demotedAtMs === undefined ? {} : { postgresDemotedMs: split.demotedAtMs - cutMs }),
        postgresRejoinedMs: rejoinedMs - healedMs,
      },
      loss: {
        names: [`${place.name} cut off`],
        kinds: ['PostgreSQL primary cut off'],
        killedMs: cutMs,
        restartedMs: healedMs,
        endMs: Date.now(),
      },
    }
  } finally {
    place.heal()
    await Promise.all([cutSide.stop(), keptSide.stop()])
  }
}

/** Returns the time of the cut; the network is healed when the successor accepts writes, and at least some time later. */
async function cutFor(
  place: CutPlace,
  history: Field['history'],
  keptSide: RowWriter,
  cutServer: string,
): Promise<number> {
  const cutMs = Date.now()
  await history.during('cut', place.name, async () => place.cut())
  await waitUntil(
    'the successor accepts writes',
    () => keptSide.acknowledged.some(({ server }) => server !== cutServer),
    WRITES_WITHIN_MS,
  )
  await pause(Math.max(0, cutMs + CUT_MS - Date.now()))
  place.heal()
  return cutMs
}

function prefixed({ acknowledgedForMs, writesBackMs, bothMs }: ReturnType<typeof postgresTimes>) {
  return {
    postgresAcknowledgedForMs: acknowledgedForMs,
    postgresBothMs: bothMs,
    ...(writesBackMs === undefined ? {} : { postgresWritesBackMs: writesBackMs }),
  }
}
