const REQUEST_ID = /^[0-9a-f]{32}$/

/** Whether the text is a whole request id, as `X-Request-Id` has it, and not a part of one. */
export function isRequestId(text: string): boolean {
  return REQUEST_ID.test(text)
}
