import { PROCESS_SABOTAGES } from './process-sabotages.ts'
import type { Sabotage } from './sabotage-definition.ts'

/** A short day on which identity and config are killed and api-key loses its database. */
const DAY_WITH_OWNERS_AWAY = ['--seed', '5']

/** The wrong order of steps is the fault; pauses make its rare moments frequent enough for a few kills. */
export const SABOTAGES: readonly Sabotage[] = [
  {
    name: 'journal-after-answer',
    breaks: 'the usage event is written after the answer has left',
    drill: 'kills',
    caughtBy: 'every fully answered request has a row',
    edits: [
      {
        file: 'gateway/src/usage/usage-journal.ts',
        find: 'this.waiting.push(whenDone)',
        replace: 'whenDone.onJournaled(true)\n    this.waiting.push({ onJournaled: () => {} })',
      },
      {
        file: 'gateway/src/usage/usage-journal.ts',
        find: 'setImmediate(() => this.flush())',
        replace: 'setTimeout(() => this.flush(), 300)',
      },
    ],
  },
  {
    name: 'offset-before-rows',
    breaks: 'the consumer moves its offset first and writes the rows in another transaction',
    drill: 'kills',
    caughtBy: 'every fully answered request has a row',
    edits: [
      {
        file: 'libs/events/src/consumer/apply-batch.ts',
        find: '  await options.db.transaction().execute(async (trx) => {\n    const next',
        replace: '  let later = -1\n  await options.db.transaction().execute(async (trx) => {\n    const next',
      },
      {
        file: 'libs/events/src/consumer/apply-batch.ts',
        find: '    await apply(trx, from)\n',
        replace: '    later = from\n',
      },
      {
        file: 'libs/events/src/consumer/apply-batch.ts',
        find: 'BigInt(last.offset) + 1n)\n  })\n',
        replace:
          'BigInt(last.offset) + 1n)\n  })\n  await new Promise((resolve) => setTimeout(resolve, 200))\n' +
          '  if (later !== -1) await options.db.transaction().execute((trx) => apply(trx, later))\n',
      },
    ],
  },
  {
    name: 'no-dedupe',
    breaks: 'a row is written each time its event arrives',
    drill: 'twice',
    caughtBy: 'no request and no event is stored twice',
    edits: [
      {
        file: 'services/audit/src/ingest/usage-event-queries.ts',
        find: ' on conflict do nothing returning id`',
        replace: ' returning id`',
      },
      {
        file: 'services/audit/src/migrations/0001-create-usage.ts',
        find: ',\n        primary key (id, time)\n',
        replace: '\n',
      },
    ],
  },
  {
    name: 'sums-of-all',
    breaks: 'roll-ups are made of all rows that arrive, not of those that were new',
    drill: 'twice',
    caughtBy: 'the roll-ups are the sums of the rows',
    edits: [
      {
        file: 'services/audit/src/ingest/usage-event-queries.ts',
        find: 'filter(({ id }) => newIds.has(id))',
        replace: 'filter(({ id }) => newIds.has(id) || id !== "")',
      },
    ],
  },
  {
    name: 'lost-letters',
    breaks: 'what cannot be applied is passed over without a word',
    drill: 'poison',
    caughtBy: 'every invalid event is stored in the table',
    edits: [
      {
        file: 'libs/events/src/consumer/apply-batch.ts',
        find: 'if (letters.length > 0) await storeDeadLetters(work, trx, place, letters)',
        replace: '',
      },
    ],
  },
  {
    name: 'late-revocation',
    breaks: 'gateways learn of a revoked key only through the relay',
    drill: 'kills',
    caughtBy: 'no request that started after the revocation was allowed',
    edits: [
      {
        file: 'services/api-key/src/keys/key-version.ts',
        find: 'versionChanges(change).map((one) => deps.raiseVersion(one))',
        replace: 'versionChanges(change).map(async () => true)',
      },
      { file: 'libs/events/src/relay.ts', find: 'const POLL_MS = 150', replace: 'const POLL_MS = 2_000' },
    ],
  },
  {
    name: 'sign-in-needs-redis',
    breaks: 'a sign-in waits for an unavailable Redis',
    drill: 'sign-in-away',
    caughtBy: 'a sign-in is answered with 200, or with 503',
    edits: [
      {
        file: 'services/identity/src/sign-in-limits/sign-in-tries.ts',
        find: '.then(Number, () => countTry(localCounts(key), rules, nowMs))',
        replace: '.then(Number, () => new Promise<number>(() => {}))',
      },
    ],
  },
  {
    name: 'forgetful-seed',
    breaks: 'a limiter that lost its counters begins at nothing',
    drill: 'redis-flushed',
    caughtBy: 'hour: never more than the limit',
    edits: [
      {
        file: 'services/audit/src/usage-seeds/read-usage-seed.ts',
        find: 'minutes: minutes.map(',
        replace: 'minutes: [].map(',
      },
      {
        file: 'services/audit/src/usage-seeds/read-usage-seed.ts',
        find: 'month: months.reduce((sum, count) => sum + count, 0)',
        replace: 'month: 0',
      },
    ],
  },
  {
    name: 'share-without-end',
    breaks: 'what a share has admitted does not count against it',
    drill: 'redis-slow',
    caughtBy: 'replies 300 ms late, burst: at most the limit',
    edits: [
      {
        file: 'gateway/src/limiter/fallback-windows.ts',
        find: '[...this.windows, ...this.pending]',
        replace: '[...this.pending]',
      },
    ],
  },
  {
    name: 'database-away-is-a-mistake',
    breaks: 'a service without its database answers with an internal error instead of Retry-After',
    drill: 'databases-away',
    caughtBy: 'inside of the radius, failures are',
    edits: [
      {
        file: 'libs/service/src/to-app-error.ts',
        find: 'if (isTemporary(error)) {',
        replace: 'if (isTemporary(error) && error === null) {',
      },
    ],
  },
  {
    name: 'refusals-keep-places',
    breaks: 'a rejected request occupies a slot for a second, so that rejecting costs as much as serving',
    drill: 'overload',
    caughtBy: 'goodput: at least',
    edits: [
      {
        file: 'gateway/src/operations/overload.ts',
        find: '    this.shed[priority] += 1\n',
        replace:
          '    this.shed[priority] += 1\n    this.inFlight += 1\n    setTimeout(() => (this.inFlight -= 1), 1_000)\n',
      },
    ],
  },
  {
    name: 'pro-like-free',
    breaks: 'pro requests are rejected as early as all others',
    drill: 'overload',
    caughtBy: 'pro: at least',
    edits: [
      {
        file: 'gateway/src/operations/overload.ts',
        find: 'vital: Infinity, pro: 1, basic: 0.9',
        replace: 'vital: Infinity, pro: 0.8, basic: 0.9',
      },
    ],
  },
  {
    name: 'nothing-is-known',
    breaks:
      'a gateway requests every record from its owner again, so that the outage of one service affects every area',
    drill: 'day',
    options: DAY_WITH_OWNERS_AWAY,
    caughtBy: 'unaffected callers were served',
    edits: [
      {
        file: 'gateway/src/account-cache/cached-record.ts',
        find: 'this.loaded !== undefined &&',
        replace: 'this.loaded !== undefined && performance.now() - this.loadBegunMs < 300 &&',
      },
    ],
  },
  {
    name: 'a-day-by-chance',
    breaks: 'the day follows the clock, not its seed',
    drill: 'day',
    options: DAY_WITH_OWNERS_AWAY,
    caughtBy: 'the faults match the plan of the seed',
    edits: [
      {
        file: 'tests/chaos/random.ts',
        find: 'const next = seededRandom(seed)',
        replace: 'const next = seededRandom(seed + Date.now())',
      },
    ],
  },
  ...PROCESS_SABOTAGES,
]
