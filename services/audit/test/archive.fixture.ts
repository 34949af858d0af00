import { randomBytes } from 'node:crypto'
import type { UserActor } from '@tapeline/contracts/actor'
import type { LoggedRequest, RequestPage } from '@tapeline/contracts/audit/requests'
import { type Decision, POLICIES } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { readRecordedRows } from '../src/replay/read-recorded-rows.ts'
import { archiveNextDay } from '../src/request-log/archive/archive-days.ts'
import type { ArchivedRequest } from '../src/request-log/archive/archived-request.ts'
import { closeHours } from '../src/statements/close-hours.ts'
import { openTestApp } from './app.fixture.ts'
import { openTemporaryStore } from './temporary-store.fixture.ts'

type App = Awaited<ReturnType<typeof openTestApp>>

/** The present of `openArchiveTest`. */
export const ARCHIVE_TEST_NOW = '2026-03-20T12:34:56.789Z'
const DAY_MS = 86_400_000
const ROUTES = ['/api/v1/trades/list', '/api/v1/l2events/list', '/api/v1/instruments']

/** The service with an object store, and two accounts whose log can be read. `close` it after each test. */
export async function openArchiveTest() {
  const app = await openTestApp(ARCHIVE_TEST_NOW)
  const temporary = await openTemporaryStore()
  app.deps.store = temporary.store
  const [actor, other] = [someUser({ tier: 'pro' }), someUser({ tier: 'pro' })]
  const get = async (path: string, as: UserActor = actor) => (await app.get(as, path)).json()
  return {
    ...app,
    store: temporary.store,
    folder: temporary.folder,
    actor,
    other,
    /** Requests of both accounts over eight days, two at each moment. */
    recordWeek: async (count = 120) => {
      const events = weekOf(count, [actor, actor, actor, actor, other])
      await app.record(...events)
      return events
    },
    getJson: get,
    /** All pages of the account's log. */
    walk: async (query: string): Promise<LoggedRequest[]> => {
      const rows: LoggedRequest[] = []
      let page = (await get(`requests?${query}`)).data as RequestPage
      for (;;) {
        rows.push(...page.requests)
        if (page.next_cursor === null) return rows
        page = (await get(`requests?limit=7&cursor=${page.next_cursor}`)).data as RequestPage
      }
    },
    close: async () => {
      await app.close()
      await temporary.remove()
    },
  }
}

const SECRET = Buffer.alloc(32, 9).toString('base64url')

/** The configuration of a process of the service, for threads of a test. */
export function environmentOf({ databaseUrl, folder }: Pick<ArchiveTest, 'databaseUrl' | 'folder'>) {
  return {
    DATABASE_URL: databaseUrl,
    LAKE_URL: `file:${folder}`,
    INTERNAL_KEYS: `gateway>audit=${SECRET}`,
    CURSOR_SECRET: SECRET,
    WEBHOOK_KEYS: SECRET,
    EVIDENCE_KEYS: SECRET,
    REDIS_URL: 'redis://127.0.0.1:1',
    KAFKA_BROKERS: '127.0.0.1:1',
  }
}

function weekOf(count: number, actors: readonly UserActor[]) {
  const firstMs = Date.parse(ARCHIVE_TEST_NOW) - 8 * DAY_MS
  return Array.from({ length: count }, (_, n) => {
    const atMs = Math.floor(firstMs + Math.floor(n / 2) * ((2 * 8 * DAY_MS) / count))
    const fields = {
      account_id: actors[n % actors.length]?.userId ?? '',
      route: ROUTES[n % ROUTES.length] ?? '',
      key_id: `key-${n % 2}`,
      network: `198.51.100.${n % 3}/32`,
      tier: 'pro' as const,
      at: new Date(atMs),
      id: uuidV7At(atMs + 5),
    }
    return n % 7 === 3 ? deniedUsageEvent(fields) : usageEvent({ ...fields, decision: decisionAt(n), bytes_out: n })
  })
}

/** Closes all hours that ended two days ago. */
export async function closeAllHours({ db, deps }: Pick<App, 'db' | 'deps'>): Promise<void> {
  await sql`
    insert into usage_progress (topic, complete_until, checked_until) values ('usage', ${deps.now()}, ${deps.now()})
    on conflict (topic) do update set complete_until = excluded.complete_until`.execute(db)
  while ((await closeHours(deps)) > 0);
}

/** Closes hours, and archives the days that are due. Returns the number of archived days. */
export async function archiveDueDays(app: Pick<App, 'db' | 'deps'>, archiveAfterDays = 2): Promise<number> {
  const { deps } = app
  await closeAllHours(app)
  for (let days = 0; ; days += 1) {
    if ((await archiveNextDay({ ...deps, archiveAfterDays })) === undefined) return days
  }
}

/** Two windows in use, as the limiter reports them. */
function decisionAt(n: number): Decision {
  const windows = POLICIES.slice(0, 2).map((policy) => ({ policy, used: n % 50, limit: 1_000, reset_ms: 900 + n }))
  return { verdict: 'admitted', degraded: false, denied_by: [], retry_after_ms: 0, windows }
}

/** A request as an archived day has it, for files without PostgreSQL. */
export function archivedRequest(fields: Partial<ArchivedRequest> = {}): ArchivedRequest {
  const { id, time, data } = usageEvent()
  const request = { ...data, id, timeUs: Date.parse(time) * 1_000, account: 1, rejected_fields: undefined }
  return { ...request, request_id: randomBytes(16).toString('hex'), ...fields }
}

export type ArchiveTest = Awaited<ReturnType<typeof openArchiveTest>>

async function readReplayed(archive: ArchiveTest, limit: number): Promise<unknown[]> {
  const rows: unknown[] = []
  let after = { at: '2026-01-01T00:00:00Z', id: '00000000-0000-0000-0000-000000000000' }
  for (;;) {
    const page = await readRecordedRows(
      archive.deps,
      { accountId: archive.actor.userId, to: new Date(ARCHIVE_TEST_NOW) },
      after,
      limit,
    )
    for (const { request_id, decision, key_id, tier, time_ms, latency_us } of page)
      rows.push({ request_id, decision, key_id, tier, timeMs: Number(time_ms), latency: Number(latency_us) })
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return rows
    after = { at: last.at, id: last.id }
  }
}

const MOMENTS = ['2026-03-13T07:07:00Z', '2026-03-16T21:21:00Z']

/** What users and jobs read of the log, in every way. */
export async function readEverything(
  archive: ArchiveTest,
  events: readonly { id: string; data: { request_id: string; account_id: string } }[],
) {
  const own = events.filter(({ data }) => data.account_id === archive.actor.userId)
  const one = own[5]
  if (one === undefined) throw new Error('there are six')
  return {
    pages: await archive.walk('limit=7'),
    whole: await archive.walk('limit=100'),
    denied: await archive.walk('limit=3&outcome=denied'),
    ofKey: await archive.walk(`limit=4&apiKeyId=key-1&status=2xx&route=/api/v1/trades/list`),
    between: await archive.walk(`limit=5&from=${MOMENTS[0]}&to=${MOMENTS[1]}`),
    byWholeId: await archive.walk(`limit=5&requestId=${one.data.request_id}`),
    part: await archive.walk(`requestId=${one.data.request_id.slice(3, 13)}`),
    byEvent: (await archive.getJson(`requests/${one.id}`)).data,
    byRequest: (await archive.getJson(`requests/${one.data.request_id}`)).data,
    ofLatest: (await archive.getJson('requests/ffffffff-ffff-7fff-8fff-ffffffffffff')).code,
    ofOther: (await archive.getJson(`requests/${one.data.request_id}`, archive.other)).code,
    exported: (await archive.get(archive.actor, 'requests/export?format=jsonl')).body,
    networks: (await archive.getJson(`apikeyaudit/usage-breakdown?groupBy=network&from=${MOMENTS[0]}&to=${MOMENTS[1]}`))
      .data.rows,
    replayed: [await readReplayed(archive, 9), await readReplayed(archive, 1_000)],
  }
}

/** The id that a gateway makes at this time (RFC 9562, 5.7). */
export function uuidV7At(timeMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(timeMs, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
