import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { TapelineError } from '@tapeline/client'

/** UTF-8 bytes of one answer: about 25,000 tokens. */
export const ANSWER_BYTES_MAX = 100_000

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The result of `read` as JSON, or the failure with its code and request id, for the model to act upon. */
export async function answerTool(read: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const text = JSON.stringify(await read())
    const bytes = Buffer.byteLength(text)
    if (bytes <= ANSWER_BYTES_MAX) return { content: [{ type: 'text', text }] }
    return failure({
      code: 'client.answer_too_large',
      detail: `The response has ${bytes} bytes; the maximum is ${ANSWER_BYTES_MAX}. Request fewer rows or a shorter range.`,
    })
  } catch (error) {
    if (!(error instanceof TapelineError)) throw error
    const { code, requestId, status, retryAfterMs, problem } = error
    return failure({
      code,
      detail: problem?.detail ?? error.message,
      status,
      request_id: requestId,
      retry_after_ms: retryAfterMs,
      errors: problem?.errors,
    })
  }
}

/** The first items that fit into an answer together with `fields`; `omitted` counts the others. */
export function boundedList<Item>(data: readonly Item[], fields: object): object {
  let bytes = Buffer.byteLength(JSON.stringify(fields)) + MARGIN_BYTES
  const fitting = data.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item)) + 1) > ANSWER_BYTES_MAX)
  if (fitting === -1) return { data, ...fields }
  const omitted = data.length - fitting
  return { data: data.slice(0, fitting), ...fields, omitted, next_cursor: null, has_more: true }
}
/** Field names around the list, and those of an answer that was cut. */
const MARGIN_BYTES = 200

function failure(problem: object): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problem) }] }
}
