import type { FastifyReply } from 'fastify'

/** How long whoever asks will wait, from when the request was sent. The gateway lets nobody outside say so. */
export const DEADLINE_HEADER = 'x-deadline-ms'
/** Whoever set the deadline notices it a little late, and is the one to answer. */
const GRACE_MS = 250

/** Aborted when nobody waits for the answer any more: its connection ended before it did, or its deadline has passed. */
export function whenLeft({ raw, request }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const deadlineMs = Number(request.headers[DEADLINE_HEADER])
  const timer = deadlineMs > 0 ? setTimeout(() => controller.abort(), deadlineMs + GRACE_MS) : undefined
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
