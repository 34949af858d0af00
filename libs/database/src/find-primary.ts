import pg from 'pg'
import { ConnectionError } from './connection-error.ts'
import { newestTimelineOf } from './newest-timeline.ts'

const ANSWER_TIMEOUT_MS = 800
/** Once the primary is found, how long the others may take: a server that is cut off must not use up a caller's timeout. */
const OTHERS_WITHIN_MS = 200
const TIMELINE_SQL = `select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/**
 * The server that accepts writes, among several; of two that do, the one that was promoted last. A server that was
 * promoted earlier than one that this process has found before is refused. The first search of a process has no such
 * knowledge and gives every server 0.8 s.
 * @throws ConnectionError when none does
 */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const newest = newestTimelineOf(urls)
  const othersWithinMs = newest.value() === '' ? ANSWER_TIMEOUT_MS : OTHERS_WITHIN_MS
  const ask = async (url: string): Promise<string> => {
    const timeline = await timelineAt(url)
    // Also when the search has ended: connections to a former primary are closed then.
    newest.record(timeline)
    return timeline
  }
  const isPrimary = (timeline: string): boolean => timeline !== '' && timeline === newest.value()
  const answers = await collect(urls.map(ask), isPrimary, othersWithinMs)
  const primary = urls[answers.findIndex((answer) => answer?.status === 'fulfilled' && isPrimary(answer.value))]
  if (primary === undefined) {
    throw new ConnectionError('08001', `no primary: ${answers.map((one) => describe(one, newest.value())).join('; ')}`)
  }
  return primary
}

/** @returns the timeline of a server that accepts writes, `''` of a standby */
export async function readTimeline(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ timeline: string }>(TIMELINE_SQL)
  return rows[0]?.timeline ?? ''
}

type Answer = PromiseSettledResult<string> | undefined

/** All answers, or those that arrive until `othersWithinMs` after the first primary. */
async function collect(
  asked: readonly Promise<string>[],
  isPrimary: (timeline: string) => boolean,
  othersWithinMs: number,
): Promise<Answer[]> {
  const answers: Answer[] = asked.map(() => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const take = (n: number, answer: PromiseSettledResult<string>): void => {
    answers[n] = answer
    if (!answers.includes(undefined)) resolve()
    else if (answer.status === 'fulfilled' && isPrimary(answer.value)) timer ??= setTimeout(resolve, othersWithinMs)
  }
  for (const [n, one] of asked.entries()) {
    one.then(
      (value) => take(n, { status: 'fulfilled', value }),
      (reason: unknown) => take(n, { status: 'rejected', reason }),
    )
  }
  await promise
  clearTimeout(timer)
  return [...answers]
}

async function timelineAt(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'find-primary',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await readTimeline(client)
  } finally {
    // Not awaited, because a hanging server would not answer this either.
    void client.end().catch(() => undefined)
  }
}

function describe(answer: Answer, newest: string): string {
  if (answer === undefined) return 'no response'
  if (answer.status === 'rejected') return String(answer.reason)
  return answer.value === '' ? 'a standby' : `a former primary, timeline ${answer.value} instead of ${newest}`
}
