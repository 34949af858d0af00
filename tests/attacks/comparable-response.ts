import type { Reply } from '@tapeline/testing/api-client'

/** The comparable part of an answer, without values that differ in every answer. */
export function comparableResponse({ status, body, headers }: Reply): unknown {
  const { request_id: _id, instance: _path, ...rest } = { request_id: '', instance: '', ...(body as object) }
  const names = [...headers.keys()].filter((name) => name !== 'date')
  return { status, rest, names }
}
