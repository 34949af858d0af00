import type { UserActor } from '@tapeline/contracts/actor'
import type { CustomReport, ReportList, SaveReport } from '@tapeline/contracts/audit/reports'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'

const { app, clock, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const REPORTS = '/api/v1/internal/reports'
const WEEKLY: SaveReport = {
  name: 'Errors',
  api_key_id: null,
  status: null,
  breakdown: 'hour',
  weekday: 1,
  hour: 8,
  active: true,
}
const DAY_MINUTES = 1_440
const send = (actor: UserActor, method: Call['method'], path: string, body?: unknown) =>
  callAs(app, 'audit', actor, { method, url: `${REPORTS}${path}`, body })
const pro = (fields: Partial<UserActor> = {}): UserActor => ({ ...someUser({ tier: 'pro' }), ...fields })

async function create(actor: UserActor, fields: Partial<SaveReport> = {}): Promise<CustomReport> {
  const answer = await send(actor, 'POST', '', { ...WEEKLY, ...fields })
  expect(answer.statusCode).toBe(201)
  return answer.json().data
}
const list = async (actor: UserActor): Promise<ReportList> => (await get(actor, 'reports')).json().data
const preview = async (actor: UserActor, { id }: CustomReport) => (await send(actor, 'GET', `/${id}/preview`)).body

/** Requests of three days: two keys, two statuses. */
async function use(actor: UserActor, keyId: string): Promise<void> {
  const own = { account_id: actor.userId }
  await record(
    usageEvent({ ...own, at: ago(30), key_id: keyId }),
    usageEvent({ ...own, at: ago(2 * DAY_MINUTES) }),
    deniedUsageEvent({ ...own, at: ago(4 * DAY_MINUTES), key_id: keyId }),
    usageEvent({ ...own, at: ago(9 * DAY_MINUTES) }),
  )
}

test('the file equals the export of the metrics page with the same filter', async () => {
  const actor = pro()
  const keyId = crypto.randomUUID()
  await use(actor, keyId)
  for (const [fields, query] of [
    [{}, ''],
    [{ status: '4xx' }, '&status=4xx'],
    [{ api_key_id: keyId }, `&apiKeyId=${keyId}`],
    [{ api_key_id: keyId, status: '2xx' }, `&apiKeyId=${keyId}&status=2xx`],
  ] as const) {
    const report = await create(actor, fields)
    const exported = await get(actor, `apikeyaudit/export?period=7d${query}`)
    expect(await preview(actor, report)).toBe(exported.body)
    expect(exported.body.split('\r\n')).toHaveLength(171)
  }
})

test('days and parts have the totals of the dashboard', async () => {
  const actor = pro({ timeZone: 'Asia/Tokyo' })
  await use(actor, crypto.randomUUID())
  const days = (await preview(actor, await create(actor, { breakdown: 'day' }))).trimEnd().split('\r\n').slice(1)
  expect(days).toHaveLength(8)
  expect(days[1]).toMatch(/^2026-03-04T00:00:00.000\+09:00,2026-03-05T00:00:00.000\+09:00,/)
  expect(days.map((line) => Number(line.split(',')[2])).reduce((sum, total) => sum + total, 0)).toBe(3)

  const metrics = (await get(actor, 'apikeyaudit/usage-breakdown?period=7d&groupBy=status')).json().data.rows
  const statuses = (await preview(actor, await create(actor, { breakdown: 'status' }))).trimEnd().split('\r\n')
  expect(statuses[0]).toBe(
    'status,total,success,failed,denied,client_errors,server_errors,p50_ms,p95_ms,p99_ms,last_at',
  )
  expect(statuses.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual(
    metrics.map(({ key, total }: { key: string; total: number }) => [key, String(total)]),
  )
  expect(metrics).toHaveLength(2)
  const keys = (await preview(actor, await create(actor, { breakdown: 'key' }))).trimEnd().split('\r\n')
  expect(keys[0]).toMatch(/^key,name,total,/)
  expect(keys).toHaveLength(3)
})

test('a report of one route counts its requests only', async () => {
  const actor = pro()
  await record(
    usageEvent({ account_id: actor.userId, at: ago(30), route: '/api/v1/trades/list' }),
    usageEvent({ account_id: actor.userId, at: ago(30), route: '/api/v1/health' }),
  )
  const report = await create(actor, { breakdown: 'endpoint', route: '/api/v1/health' })
  const lines = (await preview(actor, report)).trimEnd().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual([['/api/v1/health', '1']])
})

test('as Parquet a report has the same values, as PDF the same table', async () => {
  const actor = pro()
  await use(actor, crypto.randomUUID())
  const csv = (await preview(actor, await create(actor, { breakdown: 'status' }))).trimEnd().split('\r\n')
  const file = async (format: 'parquet' | 'pdf') => {
    const report = await create(actor, { name: 'Ventas – añil', breakdown: 'status', format })
    return send(actor, 'GET', `/${report.id}/preview`)
  }
  const parquet = await file('parquet')
  expect(parquet.headers).toMatchObject({
    'content-type': 'application/vnd.apache.parquet',
    'content-disposition': 'attachment; filename="tapeline-report-2026-03-10.parquet"',
  })
  const bytes = new Uint8Array(parquet.rawPayload)
  const rows = await parquetReadObjects({ file: bytes.buffer })
  expect(Object.keys(rows[0] ?? {}).join(',')).toBe(csv[0])
  expect(rows.map(({ status, total }) => `${String(status)},${String(total)}`)).toEqual(
    csv.slice(1).map((line) => line.split(',').slice(0, 2).join(',')),
  )
  const pdf = (await file('pdf')).rawPayload.toString('latin1')
  expect([pdf.slice(0, 9), pdf.slice(-6)]).toEqual(['%PDF-1.4\n', '%%EOF\n'])
  const texts = [...pdf.matchAll(/<([0-9a-f]*)> Tj/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
  expect(texts[0]).toBe('Ventas ? añil')
  expect(texts.map((text) => text.trim())).toEqual(
    expect.arrayContaining(csv.slice(0, 2).flatMap((line) => line.split(',').slice(0, 7))),
  )
  const table = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
  expect(pdf.slice(table, table + 4)).toBe('xref')
})

test('a report is made next at its weekday and hour in the time zone of the account', async () => {
  const actor = pro({ timeZone: 'America/New_York' })
  const report = await create(actor, { weekday: 2, hour: 9 })
  expect(report.next_at).toBe('2026-03-10T13:00:00.000Z')
  const { name, api_key_id, status, route, breakdown, format, weekday, hour } = report
  const body = { name, api_key_id, status, route, breakdown, format, weekday, hour, active: false }
  const saved = await send(actor, 'PUT', `/${report.id}`, body)
  expect(saved.json().data).toMatchObject({ active: false, next_at: null })
  expect((await list(actor)).reports).toEqual([saved.json().data])
})

test('changes are in the trail, with the name and what changed', async () => {
  const actor = pro()
  const report = await create(actor)
  await send(actor, 'PUT', `/${report.id}`, { ...WEEKLY, name: ' Renamed ' })
  await send(actor, 'PUT', `/${report.id}`, { ...WEEKLY, name: 'Renamed' })
  await send(actor, 'DELETE', `/${report.id}`)
  const { entries } = (await get(actor, `audit-trail?subject=${report.id}`)).json().data
  expect(entries).toMatchObject([
    { type: 'audit.report-deleted.v1', target: { type: 'report', id: report.id, name: 'Renamed' } },
    { type: 'audit.report-updated.v1', changes: [{ field: 'name', before: 'Errors', after: 'Renamed' }] },
    { type: 'audit.report-created.v1', actor: { kind: 'user', id: actor.userId } },
  ])
  expect(entries).toHaveLength(3)
  expect((await list(actor)).reports).toEqual([])
})

test('on a tier without reports, existing reports are locked and can only be deleted', async () => {
  const owner = pro()
  const report = await create(owner)
  const basic: UserActor = { ...someUser({ tier: 'basic' }), userId: owner.userId }
  expect(await list(owner)).toMatchObject({ locked: null, max: 20 })
  expect(await list(basic)).toMatchObject({
    reports: [{ id: report.id }],
    locked: { feature: 'customReports', tier: 'pro' },
  })
  for (const [method, path, body] of [
    ['POST', '', WEEKLY],
    ['PUT', `/${report.id}`, WEEKLY],
    ['POST', `/${report.id}/send`, undefined],
    ['GET', `/${report.id}/preview`, undefined],
  ] as const) {
    const answer = await send(basic, method, path, body)
    expect(answer.json(), `${method} ${path}`).toMatchObject({ status: 403, code: 'tier.feature_not_included' })
  }
  expect((await send(basic, 'DELETE', `/${report.id}`)).statusCode).toBe(200)
})

test("another account's report looks like one that does not exist", async () => {
  const report = await create(pro())
  for (const [method, path, body] of [
    ['PUT', '', WEEKLY],
    ['DELETE', '', undefined],
    ['POST', '/send', undefined],
    ['GET', '/preview', undefined],
  ] as const) {
    const answer = await send(pro(), method, `/${report.id}${path}`, body)
    expect(answer.json()).toMatchObject({ status: 404, code: 'report.not_found' })
  }
})

test('an account has at most 20 reports, also when they are created at the same time', async () => {
  const actor = pro()
  const answers = await Promise.all(Array.from({ length: 22 }, () => send(actor, 'POST', '', WEEKLY)))
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  for (const one of refused) expect(one.json()).toMatchObject({ status: 403, code: 'report.limit_reached' })
  expect((await list(actor)).reports).toHaveLength(20)
})

test.each([
  [{ name: ' ' }],
  [{ name: 'a\r\nBcc: b' }],
  [{ weekday: 0 }],
  [{ hour: 24 }],
  [{ status: '418' }],
  [{ breakdown: 'minute' }],
  [{ format: 'xlsx' }],
  [{ route: 'no path' }],
  [{ surprise: 1 }],
])('%j is rejected', async (fields) => {
  const answer = await send(pro(), 'POST', '', { ...WEEKLY, ...fields })
  expect(answer.json()).toMatchObject({ status: 400, code: 'request.invalid' })
})

test('a report that was sent is sent again after a minute', async () => {
  const actor = pro()
  const report = await create(actor)
  const sent = await send(actor, 'POST', `/${report.id}/send`)
  expect(sent.statusCode).toBe(202)
  expect(sent.json().data).toMatchObject({ last_made_at: '2026-03-10T12:34:56.789Z', next_at: report.next_at })
  const again = await send(actor, 'POST', `/${report.id}/send`)
  expect(again.json()).toMatchObject({ status: 429, code: 'report.made_recently' })
  expect(again.headers['retry-after']).toBe('60')
  clock.nowMs += 60_000
  expect((await send(actor, 'POST', `/${report.id}/send`)).statusCode).toBe(202)
})
