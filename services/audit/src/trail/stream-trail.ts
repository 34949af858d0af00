import type { Deps } from '../deps.ts'
import { findLastPosition, listByPosition, lockWriters } from '../anchors/anchor-queries.ts'
import { signatureHeaders, type SignedMessage } from '../webhooks/deliveries/sign-message.ts'
import { allowIdle, findBatchEnd, findStreamed, lockStreamed, markPending, moveStreamed } from './streamed-queries.ts'

/** Endpoint at which the operator collects security events. */
export type TrailReceiver = { url: string; secret: string }

const BATCH_ENTRIES = 500
const BATCHES_PER_RUN = 20
const REQUEST_TIMEOUT_MS = 10_000
/** Longer than a request, with reading the batch and recording its answer. */
const SEND_TIMEOUT_MS = 15_000
const WRITERS_WAIT_MS = 5_000
const MS_PER_SECOND = 1_000

type Trx = Parameters<typeof lockStreamed>[0]
type StreamDeps = Pick<Deps, 'db' | 'now'> & { trailReceiver: TrailReceiver | undefined }

/**
 * Job. Sends new entries of all accounts in order, and continues after a batch only when the receiver has accepted it: after
 * an outage no entry is missing, and a batch can arrive twice with the same `webhook-id` and entries.
 * @throws Error when the receiver does not accept a batch; the next run repeats it
 */
export async function streamTrail({ db, now, trailReceiver }: StreamDeps): Promise<number> {
  if (trailReceiver === undefined || (await findLastPosition(db)) === (await findStreamed(db))) return 0
  const through = await findSettledPosition(db)
  let sent = 0
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    await db.transaction().execute((trx) => chooseBatch(trx, through))
    const entries = await db.transaction().execute((trx) => sendBatch({ trx, now, trailReceiver }))
    if (entries === 0) break
    sent += entries
  }
  return sent
}

/** No entry can appear below this position any more: a transaction with a lower one may end after a higher one. */
function findSettledPosition(db: Deps['db']): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await lockWriters(trx, WRITERS_WAIT_MS)
    return findLastPosition(trx)
  })
}

/** Stores the end of the next batch before it is sent, so that a repeated batch has the same entries and id. */
async function chooseBatch(trx: Trx, through: string): Promise<void> {
  const streamed = await lockStreamed(trx)
  // Another process is sending, or the previous batch has not been accepted.
  if (streamed === undefined || streamed.pending !== null) return
  const last = await findBatchEnd(trx, { after: streamed.position, through }, BATCH_ENTRIES)
  if (last !== null) await markPending(trx, last)
}

type Sending = { trx: Trx; now: () => Date; trailReceiver: TrailReceiver }

async function sendBatch({ trx, now, trailReceiver }: Sending): Promise<number> {
  await allowIdle(trx, SEND_TIMEOUT_MS)
  const streamed = await lockStreamed(trx)
  if (streamed === undefined || streamed.pending === null) return 0
  const { position: after, pending: through } = streamed
  const rows = await listByPosition(trx, { after, through }, BATCH_ENTRIES)
  const timestampS = Math.floor(now().getTime() / MS_PER_SECOND)
  await post(trailReceiver, { id: `trail-${after}-${through}`, timestampS, body: rows.map(lineOf).join('') })
  await moveStreamed(trx, through, now())
  return rows.length
}

async function post({ url, secret }: TrailReceiver, message: SignedMessage): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...signatureHeaders(message, [secret]) },
    body: message.body,
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the receiver of the trail's stream returned ${response.status}`)
}

type Row = Awaited<ReturnType<typeof listByPosition>>[number]

function lineOf({ scope: _scope, personal_hash: _personal, salt: _salt, ...row }: Row): string {
  return `${JSON.stringify({ ...row, time: row.time.toISOString(), hash: row.hash.toString('hex') })}\n`
}
