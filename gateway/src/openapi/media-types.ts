import { ARROW_TYPE, CSV_TYPE, NDJSON_TYPE } from '@tapeline/contracts/market-data/http'

type Content = Record<string, unknown>
type Response = { description: string; content?: Content }

const CSV = { schema: { type: 'string', description: 'A header line, then one line per record (RFC 4180).' } }
const LINES = { schema: { type: 'string', description: 'One record per line, as JSON.' } }
const EVENTS = { schema: { type: 'string', description: 'Server-sent events.' } }
const STREAM_TEXT = [
  'Server-sent events: `event` is the type of a message, `data` its JSON, `id` its cursor.',
  'A subscription that fails within 3 s gets the status of its problem.',
  'One that waits longer gets a 200; if it fails then, an event `error` contains the problem, and the stream ends.',
].join(' ')
const STREAM = { schema: { type: 'string', description: STREAM_TEXT } }
const RECORD_FORMATS: Content = {
  [NDJSON_TYPE]: LINES,
  [CSV_TYPE]: CSV,
  [ARROW_TYPE]: { schema: { type: 'string', format: 'binary', description: 'An Arrow IPC stream.' } },
}
const EXPORT_FORMATS: Content = { [CSV_TYPE]: CSV, 'application/jsonl': LINES }

const REPORT_FORMATS: Content = {
  [CSV_TYPE]: CSV,
  'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary', description: 'A Parquet file.' } },
  'application/pdf': { schema: { type: 'string', format: 'binary', description: 'A PDF file.' } },
}

/** Media types of an operation besides, or instead of, the JSON that its schema describes. */
const OTHER_CONTENT: ReadonlyMap<string, Content> = new Map([
  ['list-trades', RECORD_FORMATS],
  ['list-l2-events', RECORD_FORMATS],
  ['export-usage', EXPORT_FORMATS],
  ['export-requests', EXPORT_FORMATS],
  ['preview-report', REPORT_FORMATS],
  ['stream-events', { 'text/event-stream': EVENTS }],
  ['stream-sample', { 'text/event-stream': EVENTS }],
  ['open-stream', { 'text/event-stream': STREAM }],
])

/** The successful answers of an operation with all their media types. A file has the media type of its bytes. */
export function answersOf(
  operationId: string,
  responses: Record<string, unknown>,
  summary: string,
): Record<string, unknown> {
  const answers = Object.entries(responses).map(([status, response]): [string, Response] => {
    const { description, content } = response as Response
    const shownText = description === 'Default Response' ? `${summary}.` : description
    const types = { ...fileContent(content), ...OTHER_CONTENT.get(operationId) }
    return [
      status,
      { ...(response as Response), description: shownText, ...(isEmpty(types) ? {} : { content: types }) },
    ]
  })
  const upgrade = { description: 'A WebSocket of the subprotocol tapeline.v1' }
  return Object.fromEntries(operationId === 'open-stream' ? [['101', upgrade], ...answers] : answers)
}

function fileContent(content: Content | undefined): Content | undefined {
  const json = content?.['application/json'] as { schema?: { contentMediaType?: string } } | undefined
  const type = json?.schema?.contentMediaType
  return type === undefined ? content : { [type]: { schema: { type: 'string', format: 'binary' } } }
}

function isEmpty(content: Content): boolean {
  return Object.keys(content).length === 0
}
