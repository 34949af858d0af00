import { isObject, type Json } from './schemas.ts'

/** Recorded calls by operation and status, such as `list-trades 400`: the JSON that was sent and the JSON that was answered. */
export type Examples = ReadonlyMap<string, { sent: unknown; answered: unknown }>

/** The operation with each recorded body as an example of its JSON. */
export function withExamples<Part extends Json>(operation: Part, examples: Examples): Part {
  const id = String(operation['operationId'])
  const responses = isObject(operation['responses']) ? operation['responses'] : {}
  const answered = Object.entries(responses).map(([status, response]) => {
    const found = examples.get(`${id} ${status}`)
    return [status, found === undefined || !isObject(response) ? response : exampled(response, found.answered)]
  })
  const sent = Object.keys(responses)
    .filter((status) => status.startsWith('2'))
    .map((status) => examples.get(`${id} ${status}`)?.sent)
    .find((body) => body !== undefined)
  const body = operation['requestBody']
  return {
    ...operation,
    ...(sent === undefined || !isObject(body) ? {} : { requestBody: exampled(body, sent) }),
    responses: Object.fromEntries(answered),
  }
}

/** Reads a recorded answer: a status line, headers, an empty line and JSON. */
export function readRecorded(text: string): { status: string; answered: unknown } | undefined {
  const [head = '', ...rest] = text.split('\n\n')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  const body = rest.join('\n\n').trim()
  return status === undefined || !/^[{[]/.test(body) ? undefined : { status, answered: JSON.parse(body) }
}

function exampled(part: Json, example: unknown): Json {
  const content = isObject(part['content']) ? part['content'] : {}
  const all = Object.entries(content).map(([type, media]) => {
    const isJson = type === 'application/json' || type === 'application/problem+json'
    return [type, isJson && isObject(media) ? { ...media, example } : media]
  })
  return { ...part, content: Object.fromEntries(all) }
}
