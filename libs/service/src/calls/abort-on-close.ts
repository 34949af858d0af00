import type { FastifyReply } from 'fastify'

/** How long the caller waits for the answer, in milliseconds; set by the gateway, removed from outside requests. */
export const DEADLINE_HEADER = 'x-deadline-ms'
/** The caller, who notices its deadline slightly late, answers first. */
const GRACE_MS = 250

/** A signal that aborts when the connection closes before the answer is written, or when the caller's deadline has passed. */
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
