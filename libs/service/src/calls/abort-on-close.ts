import type { FastifyReply } from 'fastify'

/** How long the caller waits for the response, in milliseconds; set by the gateway, removed from external requests. */
export const DEADLINE_HEADER = 'x-deadline-ms'
/** Lets the caller, whose timer fires slightly late, time out first. */
const GRACE_MS = 250

/**
 * Returns a signal that aborts when the connection closes before the response is written, or when the response has not
 * begun at the caller's deadline: a streamed response may take longer.
 */
export function abortOnClose({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const deadlineMs = Number(request.headers[DEADLINE_HEADER])
  const onDeadline = (): void => {
    if (!raw.headersSent) controller.abort()
  }
  const timer = deadlineMs > 0 ? setTimeout(onDeadline, deadlineMs + GRACE_MS) : undefined
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
