/** A program that makes five calls with a generated client: each writes a line that begins with its status. */
export type Program = { file: string; code: string }

const SELECTION = "{ venues: ['sim'], symbols: ['BTC-USDT'], limit: 2 }"
const BOOK = "{ venue: 'sim', symbol: 'BTC-USDT', depth: 1 }"
const ENVIRONMENT = `declare const process: { env: Record<string, string | undefined> }
const { TAPELINE_URL: baseUrl = '', TAPELINE_KEY: key = '' } = process.env`
const WRITE = `for (const { data, response } of answers) {
  console.log(response?.status, JSON.stringify(data)?.slice(0, 80))
}`

export const openApiTypeScriptCalls: Program = {
  file: 'calls.ts',
  code: `import createClient from 'openapi-fetch'
import type { paths } from './api'

${ENVIRONMENT}
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${key}\` } })
const answers = [
  await client.GET('/api/v1/instruments'),
  await client.POST('/api/v1/trades/list', { body: ${SELECTION} }),
  await client.POST('/api/v1/trades/bars', { body: ${SELECTION} }),
  await client.POST('/api/v1/l2events/book', { body: ${BOOK} }),
  await client.GET('/api/v1/limits'),
]
${WRITE}
`,
}

export const heyApiCalls: Program = {
  file: 'calls.ts',
  code: `import { client } from './client.gen'
import { listBars, listInstruments, listTrades, readBook, readLimits } from './index'

${ENVIRONMENT}
client.setConfig({ baseUrl, auth: key })
const answers = [
  await listInstruments(),
  await listTrades({ body: ${SELECTION} }),
  await listBars({ body: ${SELECTION} }),
  await readBook({ body: ${BOOK} }),
  await readLimits(),
]
${WRITE}
`,
}

export const pythonClientCalls: Program = {
  file: 'calls.py',
  code: `import os

from client import AuthenticatedClient
from client.api.limits import read_limits
from client.api.market_data import list_bars, list_instruments, list_trades, read_book
from client.models import ListBars, ListTrades, ReadBook

client = AuthenticatedClient(base_url=os.environ["TAPELINE_URL"], token=os.environ["TAPELINE_KEY"])
selection = {"venues": ["sim"], "symbols": ["BTC-USDT"], "limit": 2}
answers = [
    list_instruments.sync_detailed(client=client),
    list_trades.sync_detailed(client=client, body=ListTrades.from_dict(selection)),
    list_bars.sync_detailed(client=client, body=ListBars.from_dict(selection)),
    read_book.sync_detailed(client=client, body=ReadBook(venue="sim", symbol="BTC-USDT", depth=1)),
    read_limits.sync_detailed(client=client),
]
for answer in answers:
    print(answer.status_code.value, type(answer.parsed).__name__)
`,
}
