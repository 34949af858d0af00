import pg from 'pg'
import { ConnectionError } from './connection-error.ts'

const ANSWER_TIMEOUT_MS = 800
/** Once a primary is found, how long the others may take: a server that is cut off must not use up a caller's timeout. */
const OTHERS_WITHIN_MS = 200
/** The timeline increases with each promotion, which identifies a former primary that has not noticed its replacement. */
const WAL_POSITION_SQL = `select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`

/**
 * The server that accepts writes, among several; of two that do, the one that was promoted last.
 * @throws ConnectionError when none does
 */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const answers = await collect(urls.map((url) => timelineOf(url)))
  const timelines = answers.map((answer) => (answer?.status === 'fulfilled' ? answer.value : ''))
  const newest = timelines.toSorted().at(-1) ?? ''
  const primary = urls[timelines.indexOf(newest)]
  if (newest === '' || primary === undefined) {
    throw new ConnectionError('08001', `no primary: ${answers.map(describe).join('; ')}`)
  }
  return primary
}

type Answer = PromiseSettledResult<string> | undefined

/** All answers, or those that arrive until shortly after the first primary. */
async function collect(asked: readonly Promise<string>[]): Promise<Answer[]> {
  const answers: Answer[] = asked.map(() => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const take = (n: number, answer: PromiseSettledResult<string>): void => {
    answers[n] = answer
    if (!answers.includes(undefined)) resolve()
    else if (answer.status === 'fulfilled' && answer.value !== '') timer ??= setTimeout(resolve, OTHERS_WITHIN_MS)
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

async function timelineOf(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    application_name: 'find-primary',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string }>(WAL_POSITION_SQL)
    return rows[0]?.timeline ?? ''
  } finally {
    // Not awaited, because a hanging server would not answer this either.
    void client.end().catch(() => undefined)
  }
}

function describe(answer: Answer): string {
  if (answer === undefined) return 'no answer'
  return answer.status === 'fulfilled' ? 'a standby' : String(answer.reason)
}
