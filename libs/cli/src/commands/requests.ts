import { type Tapeline, TapelineError } from '@tapeline/client'
import { callOptions, type Command } from '../command.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { requestColumns, windowColumns } from '../output/columns.ts'
import { formatOf, takeRecords, writeBatches, writeOne, writeText } from '../output/output.ts'
import { connectAccount } from '../profiles/connect.ts'

const REQUESTS = '/api/v1/internal/requests'
const LIMIT_DEFAULT = 20
const PAGE_SIZE = 100

type Logged = {
  id: string
  request_id: string
  time: string
  method: string
  route: string
  status: number
  code: string | null
}
type Page = { requests: Logged[]; next_cursor: string | null }
type Window = { name: string; used: number; limit: number; remaining: number; resets_at: string | null }
type Detail = Logged & {
  explanation: {
    text: string
    passes_at: string | null
    would_pass_with: string | null
    rejected_fields: { field: string; message: string }[]
    windows: Window[]
    key_windows: Window[]
  }
}

export const requestsListCommand: Command = {
  name: 'requests list',
  summary: 'Logged requests, newest first',
  options: {
    period: {
      type: 'string',
      choices: ['1h', '24h', '7d', '30d', '90d'],
      text: 'Period up to now. Default: the whole log.',
    },
    status: { type: 'string', value: 'status', text: 'A status such as 429, or a class such as 4xx.' },
    outcome: {
      type: 'string',
      choices: ['ok', 'client_error', 'server_error', 'denied', 'aborted'],
      text: 'Only requests with this outcome.',
    },
    code: { type: 'string', value: 'code', text: 'Only requests with this error code.' },
    'key-id': { type: 'string', value: 'id', text: 'Only requests of this key, or "session".' },
    limit: { type: 'string', value: 'n', text: `Maximum number of requests. Default: ${LIMIT_DEFAULT}.` },
    ...callOptions,
  },
  run: async (args) => {
    const limit = args.count('limit') ?? LIMIT_DEFAULT
    const filter = {
      period: args.text('period'),
      status: args.text('status'),
      outcome: args.text('outcome'),
      code: args.text('code'),
      apiKeyId: args.text('key-id'),
      limit: Math.min(PAGE_SIZE, limit),
    }
    const pages = listRequests(await connectAccount(args), filter)
    await writeBatches(takeRecords(pages, limit), formatOf(args), requestColumns)
  },
}

export const requestsExplainCommand: Command = {
  name: 'requests explain',
  operands: '<id>',
  summary: 'Explains why a request was allowed or rejected, by its x-request-id or its id in the log',
  options: callOptions,
  run: async (args) => {
    const [id, ...others] = args.operands
    if (id === undefined || others.length > 0)
      throw new CommandError('Specify one request: the x-request-id of its response.')
    const account = await connectAccount(args)
    const { data } = await explainRequest(account, id)
    const format = formatOf(args)
    if (format === 'table') await writeText(textOf(data))
    const { windows, key_windows: keyWindows } = data.explanation
    const rows = [...windows, ...keyWindows.map((window) => ({ ...window, name: `${window.name} (key)` }))]
    await writeOne({ whole: data, rows }, format, windowColumns)
  },
}

async function* listRequests(account: Tapeline, filter: Record<string, string | number | undefined>) {
  for (let cursor: string | undefined; ;) {
    const query = cursor === undefined ? filter : { ...filter, cursor }
    const { data } = await account.call<{ data: Page }>({ method: 'GET', path: REQUESTS, query })
    yield { data: data.requests }
    if (data.next_cursor === null) return
    cursor = data.next_cursor
  }
}

/** @throws CommandError for a request that is not in the log */
async function explainRequest(account: Tapeline, id: string): Promise<{ data: Detail }> {
  try {
    return await account.call<{ data: Detail }>({ method: 'GET', path: `${REQUESTS}/${encodeURIComponent(id)}` })
  } catch (error) {
    if (!(error instanceof TapelineError) || error.code !== 'logged_request.not_found') throw error
    const text =
      'The log has no such request. Requests appear within seconds, and without a valid key they are not logged.'
    throw new CommandError(text, EXIT_CODES.refused)
  }
}

function textOf({ method, route, status, code, time, explanation }: Detail): string {
  const { text, passes_at: passesAt, would_pass_with: plan, rejected_fields: fields } = explanation
  return [
    `${method} ${route}  ${status}${code === null ? '' : ` ${code}`}  ${time}`,
    text,
    ...fields.map(({ field, message }) => `  ${field}: ${message}`),
    ...(passesAt === null ? [] : [`The next request of this kind passes at ${passesAt}.`]),
    ...(plan === null ? [] : [`The plan ${plan} would have allowed it.`]),
    '',
    '',
  ].join('\n')
}
