import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { json, startApiServer } from '@tapeline/testing/programs/api-server'
import { runCli } from '../../test/run-cli.fixture.ts'

const WEBHOOKS = '/api/v1/internal/webhooks'
const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
const endpoint = { id: 'e1', name: 'orders', url: 'https://example.com/hook', state: 'active' }
const delivery = (sequence: number) => ({
  id: `d${sequence}`,
  sequence,
  type: 'webhook.test',
  message_id: `msg_${sequence}`,
  subject: 'orders',
})
const body = (sequence: number) => `{"n":${sequence},"text":"é"}`

test('more deliveries than one page are forwarded all, in order', async () => {
  const sequences = Array.from({ length: 120 }, (_, n) => 120 - n)
  const local = await startApiServer({ '/hook': (reply) => reply.writeHead(204).end() })
  let lists = 0
  const api = await startApiServer({
    [WEBHOOKS]: json({ data: { endpoints: [endpoint] } }),
    [`${WEBHOOKS}/e1/deliveries`]: (reply, request) => {
      const from = Number(request.query.get('cursor') ?? 0)
      const found = (lists += 1) === 1 ? [] : sequences.slice(from, from + Number(request.query.get('limit')))
      const next_cursor = from + found.length < sequences.length ? String(from + found.length) : null
      json({ data: { deliveries: found.map(delivery), next_cursor } })(reply, request)
    },
    ...Object.fromEntries(
      sequences.map((n) => [
        `${WEBHOOKS}/e1/deliveries/d${n}`,
        json({ data: { ...delivery(n), request: { body: body(n) } } }),
      ]),
    ),
  })
  const env = { TAPELINE_URL: api.url, TAPELINE_SERVICE_KEY: 'tl_svc_abcdefgh' }
  await runCli(`webhooks listen --to ${local.url}/hook --limit 120`.split(' '), { env })
  expect(local.requests.map(({ headers }) => headers['webhook-id'])).toEqual(
    sequences.toReversed().map((n) => `msg_${n}`),
  )
})

test('deliveries after the start are forwarded in order with a genuine signature; a failing server stops nothing', async () => {
  const received: { body: string; headers: Record<string, unknown> }[] = []
  const local = await startApiServer({
    '/hook': (reply, request) => {
      received.push({ body: JSON.stringify(request.body), headers: request.headers })
      reply.writeHead(received.length === 1 ? 500 : 204).end()
    },
  })
  let isTested = false
  const api = await startApiServer({
    [WEBHOOKS]: json({ data: { endpoints: [endpoint] } }),
    [`${WEBHOOKS}/e1/test`]: (reply, request) => {
      isTested = true
      json({ data: {} })(reply, request)
    },
    [`${WEBHOOKS}/e1/deliveries`]: (reply, request) =>
      json({ data: { deliveries: (isTested ? [7, 6, 5] : [5]).map(delivery) } })(reply, request),
    ...Object.fromEntries(
      [6, 7].map((n) => [
        `${WEBHOOKS}/e1/deliveries/d${n}`,
        json({ data: { ...delivery(n), request: { body: body(n) } } }),
      ]),
    ),
  })
  const env = { TAPELINE_URL: api.url, TAPELINE_SERVICE_KEY: 'tl_svc_abcdefgh' }
  const line = `webhooks listen orders --to ${local.url}/hook --test --secret --limit 2`
  const { out, err, code } = await runCli(line.split(' '), { env, input: `${SECRET}\n` })
  expect({ err, code }).toEqual({ err: '', code: 0 })
  const rows = out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as object)
  expect(rows).toMatchObject([
    { sequence: 6, status: 500, message_id: 'msg_6' },
    { sequence: 7, status: 204, message_id: 'msg_7' },
  ])
  expect(out).not.toContain('whsec_')
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  for (const [at, sequence] of [6, 7].entries()) {
    const { headers = {}, body: text } = received[at] ?? {}
    const signed = `msg_${sequence}.${String(headers['webhook-timestamp'])}.${body(sequence)}`
    expect(text).toBe(body(sequence))
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  }
})

test('an endpoint and a local address are needed', async () => {
  const api = await startApiServer({
    [WEBHOOKS]: json({ data: { endpoints: [endpoint, { ...endpoint, name: 'b' }] } }),
  })
  const env = { TAPELINE_URL: api.url, TAPELINE_SERVICE_KEY: 'tl_svc_abcdefgh' }
  const run = async (line: string) => runCli(line.split(' '), { env })
  expect((await run('webhooks listen orders')).code).toBe(2)
  expect(await run('webhooks listen --to http://localhost:1/')).toMatchObject({
    code: 3,
    err: 'Specify one endpoint: orders, b.\n',
  })
})
