/**
 * What callers see during each outage, how long, and how it recovers: docs/degraded-modes.md is generated from this table, and
 * every row has its drill in degraded-modes.test.ts, or in the file that it names.
 */
export type DegradedMode = {
  id: string
  /** The part that fails, and how. */
  condition: string
  /** Calls and functions that are not affected. */
  worksOn: string
  clientEffect: string
  lasts: string
  recovery: string
  /** The file of a drill of another service; a test there has the id as its name. */
  drill?: string
}

function mode<Id extends string, Fields extends Omit<DegradedMode, 'id' | 'condition'>>(
  id: Id,
  condition: string,
  fields: Fields,
) {
  return { id, condition, ...fields }
}

/** The page describes the share once, below its introduction. */
const share = 'Each process admits its [share](#share), then returns 429. Never a 5xx'
const STREAM_OUTAGES = 'services/market-data/src/stream/outages.test.ts'
const merged =
  'Redis decides again as soon as the connection answers; requests that the share admitted are added to the windows'

export const degradedModes = [
  mode('redis-refused', 'Redis refuses connections', {
    worksOn: 'Everything; sign-in throttles count per process',
    clientEffect: share,
    lasts: 'Until Redis accepts connections; records are loaded from their owners again every 5 s',
    recovery: merged,
  }),
  mode('redis-hung', 'Redis accepts connections but does not answer', {
    worksOn: 'Everything; sign-in throttles count per process',
    clientEffect: `Waiting requests are decided after LIMITER_REPLY_WITHIN_MS (50 ms), all others immediately. ${share}`,
    lasts: 'Until a ping is answered; a connection that stays silent for 2 s is replaced',
    recovery: merged,
  }),
  mode('redis-slow', 'Redis answers later than LIMITER_REPLY_WITHIN_MS', {
    worksOn: 'Everything',
    clientEffect: `As when Redis hangs. ${share}. A late reply admits nothing: it only reports the usage, and an exhausted limit stays exhausted`,
    lasts: 'Until a ping is answered; retried immediately, so that a slow Redis still decides some requests',
    recovery: merged,
  }),
  mode('redis-flushed', 'Redis lost its data (FLUSHALL)', {
    worksOn: 'Everything',
    clientEffect:
      'Nothing: before the first decision, counters are set from the sums of audit and versions by the owners of the records. ' +
      'Requests that audit had not counted yet are missing in the counters',
    lasts: 'One request per account, at most 500 ms; while audit is unavailable, the fallback limiter decides',
    recovery: 'With the first request of each account',
  }),
  mode('redis-restarted-empty', 'Redis was restarted without its data file', {
    worksOn: 'Everything',
    clientEffect:
      'During the restart, each process admits its [share](#share); then as after a flush; every record is loaded from its owner once before use',
    lasts: 'The restart, then one request per account',
    recovery:
      'Automatically: scripts are loaded on the new connection, counters are seeded; audit has counted the requests that the share admitted, ' +
      'so they are not added again',
  }),
  mode('kafka-unavailable', 'Kafka is unavailable', {
    worksOn: 'Every request; changes still apply to the next request, because their versions are in Redis',
    clientEffect: 'Nothing, until the journal is full; the dashboard shows older numbers and their age',
    lasts:
      'JOURNAL_BYTES_MAX of usage events (256 MiB, about 200,000 requests); alert at 50 %, warning in the log at 80 %',
    recovery: 'The journal is shipped in order, nothing is lost or counted twice',
  }),
  mode('journal-full', 'The usage journal is at its size limit, or cannot be written', {
    worksOn:
      'Requests that are not counted: the dashboard, sign-in, `/api/v1/limits`. Open live streams; their deliveries are ' +
      'counted once there is space',
    clientEffect:
      'Counted requests: 503 `journal.full`, `Retry-After: 1`, rather than served uncounted; also after a restart on a ' +
      'full disk. No events of these requests are shipped',
    lasts: 'Until Kafka has acknowledged some of it, or the disk has space: checked four times a second',
    recovery: 'Automatically. A start on a full disk ships the journal first, which frees space',
  }),
  mode('identity-unavailable', 'The identity service is unavailable', {
    worksOn: 'Requests by key and by access token of every account in the cache of the process',
    clientEffect:
      'Sign-in, sign-up and profile: 503 `service.unavailable`, `Retry-After: 1`. ' +
      'An account that is not cached, or that has just changed: 503 `account.unavailable`, never the outdated record',
    lasts: 'Until it answers; checked by one call a second',
    recovery: 'With the first call that succeeds',
  }),
  mode('api-key-unavailable', 'The api-key service is unavailable', {
    worksOn: 'Every key in the cache of the process; access tokens',
    clientEffect:
      'The list of keys and changes to keys: 503 `service.unavailable`. A key that is not cached: 503 ' +
      '`account.unavailable`, `Retry-After: 1`, never 401',
    lasts: 'Until it answers',
    recovery: 'With the first call that succeeds',
  }),
  mode('config-unavailable', 'The config service is unavailable', {
    worksOn: 'Every account in the cache of the process; tier documents are kept on disk for a start without config',
    clientEffect:
      'Settings, flags and prices: 503 `service.unavailable`. An account that is not cached: 503 `account.unavailable`',
    lasts: 'Until it answers',
    recovery: 'With the first call that succeeds',
  }),
  mode('audit-unavailable', 'The audit service is unavailable', {
    worksOn: 'Every request; nothing is lost, usage events wait in Kafka',
    clientEffect:
      'Usage reports and the dashboard: 503 `service.unavailable`. Accounts whose counters Redis lost: the fallback limiter decides, within the [share](#share) of each process',
    lasts: 'Until it answers',
    recovery: 'With the first call that succeeds; the consumer resumes at its offset',
  }),
  mode('market-data-unavailable', 'The market-data service is unavailable', {
    worksOn: 'Everything else',
    clientEffect:
      'Market data: 503 `service.unavailable`, `Retry-After: 1`; 502 `upstream.unavailable` for a request in progress, ' +
      'after one retry if it only reads. Each is counted as a server error',
    lasts:
      'Until it answers; the breaker opens when half of 10 or more calls in 10 s failed, then one call a second checks',
    recovery: 'With the first call that succeeds',
  }),
  mode('market-data-hung', 'The market-data service accepts connections but does not answer', {
    worksOn: 'Everything else',
    clientEffect:
      'Market data: 504 `upstream.timed_out` after 2 s, and 503 `service.unavailable` immediately while the breaker is open',
    lasts: 'Until it answers',
    recovery: 'With the first call that succeeds',
  }),
  mode('redis-and-owners-unavailable', 'Redis and the owners of records are unavailable together', {
    worksOn: 'Every caller whose records were confirmed in the last 10 minutes',
    clientEffect: `${share}. Callers that are not cached: 503 \`account.unavailable\`, \`Retry-After: 1\``,
    lasts: '10 minutes after the last reply of Redis or the owner; then 503 for all callers',
    recovery: 'When either answers again',
  }),
  mode('streams-without-redis', 'Redis is unavailable while streams are open or are opened', {
    worksOn: 'Every open stream; a change of access is received from Kafka',
    clientEffect:
      'New streams: each process allows its share of `streamConnections` (limit / processes, at least 1), 429 ' +
      '`limit.stream_connections_exceeded` beyond it. Tickets: 503 `service.unavailable`, `Retry-After: 1`',
    lasts: 'Until Redis answers',
    recovery: 'Within 3 s every process writes the leases of its open streams to Redis',
  }),
  mode('streams-without-service', 'The service of live streams is unavailable', {
    worksOn: 'Everything else; its circuit breaker is separate from that of market-data',
    clientEffect:
      'Open streams end with `error` `upstream.unavailable` and `goodbye`, a WebSocket with code 1011; new ones get 503 ' +
      '`service.unavailable`, `Retry-After: 1`',
    lasts: 'Until it answers',
    recovery: 'With the first stream that opens; clients continue from their cursor',
  }),
  mode('streams-without-kafka', 'Kafka is unavailable while streams are open or are opened', {
    worksOn: 'Open streams, new ones, and streams that continue from a cursor',
    clientEffect:
      'Stored records arrive with the next check of the store, at most 5 s later. Records from venues and the simulator, which ' +
      'arrive through Kafka, are stored and sent after the outage',
    lasts: 'Until Kafka answers',
    recovery: 'Automatically; no record is missing or repeated',
    drill: STREAM_OUTAGES,
  }),
  mode('streams-without-postgresql', 'PostgreSQL of market-data is unavailable while streams are open or are opened', {
    worksOn: 'Open live subscriptions: announcements contain the records; heartbeats continue',
    clientEffect:
      'New subscriptions, and those that are catching up, end with `error` `service.unavailable` on a WebSocket that stays open; as ' +
      'server-sent events 503 `service.unavailable`, `Retry-After: 1`',
    lasts: 'Until PostgreSQL answers; no records are stored meanwhile',
    recovery: 'With the next subscription; clients continue from their cursor',
    drill: STREAM_OUTAGES,
  }),
  mode('streams-without-lake', 'The bucket or folder of sealed days is unavailable', {
    worksOn:
      'Live streams, and streams that continue from records in PostgreSQL, of instruments with at least one day that is not sealed',
    clientEffect: 'A subscription that has to read sealed days ends with `error` `data.unavailable`',
    lasts: 'Until the store answers',
    recovery: 'With the next subscription from the same cursor',
    drill: STREAM_OUTAGES,
  }),
  mode('overloaded', 'Open requests approach IN_FLIGHT_MAX, or the event-loop delay approaches LOOP_DELAY_MAX_MS', {
    worksOn: 'Health, sign-in, and calls that revoke, deactivate or sign out',
    clientEffect:
      '503 `gateway.overloaded` with `Retry-After`, before the limiter decides: exports from 60 % of the maximum, free and anonymous callers from 80 %, ' +
      'Basic from 90 %, Pro from 100 %. It consumes nothing and causes no usage event',
    lasts: 'As long as the overload lasts; each request is decided separately',
    recovery: 'Automatically',
  }),
] satisfies readonly DegradedMode[]

export type DegradedModeId = (typeof degradedModes)[number]['id']
/** Rows with a drill of another service. */
export type DrilledElsewhere = 'streams-without-kafka' | 'streams-without-postgresql' | 'streams-without-lake'
