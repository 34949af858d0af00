import type { FastifyReply } from 'fastify'

/** How long the caller waits for the response, in milliseconds; set by the gateway, removed from external requests. */
export const DEADLINE_HEADER = 'x-deadline-ms'
/** Lets the caller, whose timer fires slightly late, time out first. */
const GRACE_MS = 250

/**
 * Returns a signal that aborts when the connection closes before the response is written, or at the caller's
 * deadline.
 */
export function abortOnClose({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const deadlineMs = Number(request.headers[DEADLINE_HEADER])
  const timer = deadlineMs > 0 ? setTimeout(() => controller.abort(), deadlineMs + GRACE_MS) : undefined
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
