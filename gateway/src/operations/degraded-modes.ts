/**
 * What callers see while something is away, how long, and how it heals: docs/degraded-modes.md is written from this table,
 * and every row has its drill in degraded-modes.test.ts.
 */
export type DegradedMode = {
  id: string
  /** What is away, and how. */
  condition: string
  /** What goes on as ever. */
  worksOn: string
  callersSee: string
  lasts: string
  heals: string
}

function mode<Id extends string>(id: Id, condition: string, rest: Omit<DegradedMode, 'id' | 'condition'>) {
  return { id, condition, ...rest }
}

const share =
  'Each process admits its part of what was left (last known remaining / processes, at least 1 per window, none where the limit ' +
  'was full), once per outage: late replies, merges and reconnections within 60 s of each other are one. ' +
  '`X-RateLimit-Policy: degraded`; 429 beyond the share. Never a 5xx; in every rolling window at most the limit and one share ' +
  'per process'
const merged = 'A connection that answers decides again at once; what the share admitted is added to the windows'

export const degradedModes = [
  mode('redis-refused', 'Redis refuses connections', {
    worksOn: 'Everything; sign-in throttles count per process',
    callersSee: share,
    lasts: 'Until Redis accepts connections; records are asked of their owners again every 5 s',
    heals: merged,
  }),
  mode('redis-hung', 'Redis accepts and never answers', {
    worksOn: 'Everything; sign-in throttles count per process',
    callersSee: `The requests that wait are decided after LIMITER_REPLY_WITHIN_MS (50 ms), all others at once. ${share}`,
    lasts: 'Until a ping is answered; a connection that stays silent for 2 s is made anew',
    heals: merged,
  }),
  mode('redis-slow', 'Redis answers later than LIMITER_REPLY_WITHIN_MS', {
    worksOn: 'Everything',
    callersSee: `As when it hangs. ${share}. A late reply grants nothing: it says what is used, and a limit that is full stays full`,
    lasts: 'Until a ping is answered; tried again at once, so that a slow Redis decides whatever it can',
    heals: merged,
  }),
  mode('redis-flushed', 'Redis lost its data (FLUSHALL)', {
    worksOn: 'Everything',
    callersSee:
      'Nothing: counters are set from what audit has counted, versions from the owners, before the first decision. ' +
      'What audit had not counted yet is forgotten',
    lasts: 'One request of each account, at most 500 ms; without audit the share decides until it answers',
    heals: 'By the first request of each account',
  }),
  mode('redis-restarted-empty', 'Redis was restarted without its file', {
    worksOn: 'Everything',
    callersSee: 'The share while it is away, then as after a flush; every record is asked of its owner once before use',
    lasts: 'The restart, then one request of each account',
    heals:
      'By itself: scripts are loaded on the new connection, counters are seeded; what the share admitted is among what audit ' +
      'has counted, and is not added again',
  }),
  mode('kafka-away', 'Kafka is away', {
    worksOn: 'Every request; changes hold on the next request all the same, their versions are in Redis',
    callersSee: 'Nothing, until the journal is full; the numbers of the dashboard stand still and say as of when',
    lasts: 'JOURNAL_BYTES_MAX of usage events (256 MiB, about 400,000 requests); alarm at 80 %',
    heals: 'The journal is shipped in order, nothing is lost or counted twice',
  }),
  mode('journal-full', 'The usage journal is at its bound, or cannot be written', {
    worksOn: 'What is not counted: the dashboard, sign-in, `/api/v1/limits`',
    callersSee:
      'Counted requests: 503 `journal.full`, `Retry-After: 1`, rather than served uncounted; also after a restart on a ' +
      'full disk. Events of requests answered like this are never shipped',
    lasts: 'Until Kafka has acknowledged some of it, or the disk has room: tried four times a second',
    heals: 'By itself. A start on a full disk ships what is there first, which makes room',
  }),
  mode('identity-away', 'The identity service is away', {
    worksOn: 'Requests by key and by access token of every account that this process has met',
    callersSee:
      'Sign-in, sign-up and profile: 503 `service.unavailable`, `Retry-After: 1`. ' +
      'An account nobody has met here, or that has just changed: 503 `account.unavailable`, never the outdated record',
    lasts: 'Until it answers; one call a second finds out',
    heals: 'By the first call that succeeds',
  }),
  mode('api-key-away', 'The api-key service is away', {
    worksOn: 'Every key that this process has met; access tokens',
    callersSee:
      'The list of keys and changes to keys: 503 `service.unavailable`. A key nobody has met here: 503 ' +
      '`account.unavailable`, `Retry-After: 1`, never 401',
    lasts: 'Until it answers',
    heals: 'By the first call that succeeds',
  }),
  mode('config-away', 'The config service is away', {
    worksOn: 'Every account that this process has met; tier documents are kept on disk for a start without it',
    callersSee:
      'Settings, flags and prices: 503 `service.unavailable`. An account nobody has met here: 503 `account.unavailable`',
    lasts: 'Until it answers',
    heals: 'By the first call that succeeds',
  }),
  mode('audit-away', 'The audit service is away', {
    worksOn: 'Every request; nothing is lost, usage events wait in Kafka',
    callersSee:
      'The numbers of the dashboard: 503 `service.unavailable`. An account that Redis lost: the share decides',
    lasts: 'Until it answers',
    heals: 'By the first call that succeeds; the consumer goes on where it was',
  }),
  mode('market-data-away', 'The market-data service is away', {
    worksOn: 'Everything else',
    callersSee:
      'Market data: 503 `service.unavailable`, `Retry-After: 1`; 502 `upstream.unavailable` for the request that was under way, ' +
      'tried once more when it only reads. Each is counted as served with an error',
    lasts:
      'Until it answers; the breaker opens when half of 10 or more calls of 10 s failed, then one call a second finds out',
    heals: 'By the first call that succeeds',
  }),
  mode('market-data-hung', 'The market-data service accepts and never answers', {
    worksOn: 'Everything else',
    callersSee:
      'Market data: 504 `upstream.timed_out` after 2 s, and 503 `service.unavailable` at once when the breaker is open',
    lasts: 'Until it answers',
    heals: 'By the first call that succeeds',
  }),
  mode('redis-and-owners-away', 'Redis and the owners of records are away together', {
    worksOn: 'Every caller that this process has met in the last 10 minutes',
    callersSee: `${share}. Callers nobody has met here: 503 \`account.unavailable\`, \`Retry-After: 1\``,
    lasts: '10 minutes after the last word of Redis or the owner; then 503 for everybody',
    heals: 'As either comes back',
  }),
  mode('overloaded', 'More is open than IN_FLIGHT_MAX, or the event loop is later than LOOP_DELAY_MAX_MS', {
    worksOn: 'Health, sign-in, and whatever revokes, deactivates or signs out',
    callersSee:
      '503 `gateway.overloaded` with `Retry-After`, before the limiter is asked: from 60 % exports, from 80 % free and anonymous, ' +
      'from 90 % basic, from 100 % pro. It consumes nothing and is no row of usage',
    lasts: 'While it is so, request by request',
    heals: 'By itself',
  }),
] satisfies readonly DegradedMode[]

export type DegradedModeId = (typeof degradedModes)[number]['id']
