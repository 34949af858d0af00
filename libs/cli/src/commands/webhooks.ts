import { createHmac } from 'node:crypto'
import type { Tapeline } from '@tapeline/client'
import type { Arguments } from '../arguments.ts'
import { callOptions, type Command } from '../command.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { forwardedColumns, webhookColumns } from '../output/columns.ts'
import { formatOf, takeRecords, writeBatches, writeOne } from '../output/output.ts'
import { connectAccount, PATIENT } from '../profiles/connect.ts'
import { readSecret } from '../profiles/read-secret.ts'

const WEBHOOKS = '/api/v1/internal/webhooks'
const PAGE_SIZE = 50
/** Polls count toward the limits of a service key: 20 a minute. */
const POLL_MS = 3_000
const FORWARD_TIMEOUT_MS = 10_000
const SECRET = /^whsec_[A-Za-z0-9+/]{16,}={0,2}$/

type Endpoint = { id: string; name: string; url: string; state: string }
type Delivery = { id: string; sequence: number; type: string; message_id: string; subject: string }
type Page = { deliveries: Delivery[]; next_cursor: string | null }
type Detail = Delivery & { request: { body: string } }

export const webhooksListCommand: Command = {
  name: 'webhooks list',
  summary: 'Endpoints of the account with their state',
  options: callOptions,
  run: async (args) => {
    const endpoints = await listEndpoints(await connectAccount(args))
    await writeOne({ whole: { data: endpoints }, rows: endpoints }, formatOf(args), webhookColumns)
  },
}

export const webhooksListenCommand: Command = {
  name: 'webhooks listen',
  operands: '[endpoint]',
  summary: 'Forwards new deliveries of an endpoint to a server on this machine',
  options: {
    to: { type: 'string', value: 'url', text: 'Local address, such as http://localhost:4000/hook. Required.' },
    test: { type: 'boolean', text: 'Sends a test event at the start.' },
    secret: {
      type: 'boolean',
      text: 'Reads the signing secret of the endpoint and signs forwarded deliveries with it.',
    },
    limit: { type: 'string', value: 'n', text: 'Stops after this number of deliveries. Default: at Ctrl-C.' },
    ...callOptions,
  },
  run: async (args) => {
    const to = checkLocal(args.text('to'))
    const limit = args.count('limit') ?? Infinity
    const secret = args.flag('secret') ? checkSecret(await readSecret('Signing secret: ')) : undefined
    const account = await connectAccount(args)
    const path = `${WEBHOOKS}/${(await findEndpoint(account, args)).id}`
    const newest = await listDeliveries(account, path, { limit: 1 })
    const after = newest.deliveries[0]?.sequence ?? 0
    if (args.flag('test')) await account.call({ method: 'POST', path: `${path}/test` })
    const forwarded = forwardNew(account, path, { after, to, secret })
    await writeBatches(takeRecords(forwarded, limit), formatOf(args), forwardedColumns)
  },
}

type Forwarding = { after: number; to: string; secret: string | undefined }

/** In the order of their sequence, each once; a local server that fails does not stop the others. */
async function* forwardNew(account: Tapeline, path: string, { after, to, secret }: Forwarding) {
  for (let last = after; ;) {
    for (const { id, sequence } of await listDeliveriesAfter(account, path, last)) {
      const call = { method: 'GET', path: `${path}/deliveries/${id}` } as const
      const { data } = await account.call<{ data: Detail }>(call, PATIENT)
      yield { data: [await forward(data, to, secret)] }
      last = sequence
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function forward({ request: { body }, message_id: id, sequence, type }: Detail, to: string, secret?: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(secret === undefined ? {} : { 'webhook-signature': sign(`${id}.${timestamp}.${body}`, secret) }),
  }
  const startMs = Date.now()
  const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
  const answered = await fetch(to, { method: 'POST', headers, body, signal, redirect: 'manual' }).then(
    async (answer) => {
      await answer.body?.cancel()
      return { status: answer.status, error: null }
    },
    () => ({ status: null, error: 'no response' }),
  )
  return { sequence, type, message_id: id, ...answered, latency_ms: Date.now() - startMs }
}

/** Signature of Standard Webhooks. */
function sign(text: string, secret: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}

async function listEndpoints(account: Tapeline): Promise<Endpoint[]> {
  return (await account.call<{ data: { endpoints: Endpoint[] } }>({ method: 'GET', path: WEBHOOKS })).data.endpoints
}

/** Oldest first, from as many pages as necessary: the list has the newest first. */
async function listDeliveriesAfter(account: Tapeline, path: string, last: number): Promise<Delivery[]> {
  const found: Delivery[] = []
  for (let cursor: string | undefined; ;) {
    const { deliveries, next_cursor: next } = await listDeliveries(account, path, { limit: PAGE_SIZE, cursor })
    const later = deliveries.filter(({ sequence }) => sequence > last)
    found.push(...later)
    if (later.length < deliveries.length || next === null) break
    cursor = next
  }
  return found.toSorted((a, b) => a.sequence - b.sequence)
}

/** Newest first. */
async function listDeliveries(
  account: Tapeline,
  path: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page> {
  const call = { method: 'GET', path: `${path}/deliveries`, query } as const
  return (await account.call<{ data: Page }>(call, PATIENT)).data
}

/** By id or name; without one, the only endpoint. @throws CommandError */
async function findEndpoint(account: Tapeline, { operands: [wanted, ...others] }: Arguments): Promise<Endpoint> {
  if (others.length > 0) throw new CommandError('Specify one endpoint.')
  const endpoints = await listEndpoints(account)
  const found = endpoints.filter(({ id, name }) => wanted === undefined || wanted === id || wanted === name)
  if (found.length === 1 && found[0] !== undefined) return found[0]
  const names = endpoints.map(({ name }) => name).join(', ')
  throw new CommandError(
    endpoints.length === 0
      ? 'There is no endpoint: add one on the Webhooks page of the dashboard.'
      : `Specify one endpoint: ${names}.`,
    EXIT_CODES.refused,
  )
}

function checkLocal(text: string | undefined): string {
  const url = URL.parse(text ?? '')
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  throw new CommandError('--to must be an address such as http://localhost:4000/hook.')
}

function checkSecret(text: string): string {
  if (SECRET.test(text)) return text
  throw new CommandError('This is not a signing secret: signing secrets begin with whsec_.')
}
