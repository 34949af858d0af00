import type { UserActor } from '@tapeline/contracts/actor'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StreamHub } from './stream-hub.ts'

/** Opens the account's stream on this connection; it ends when either side closes it. */
export async function sendStream(
  hub: StreamHub,
  { userId }: UserActor,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const lastEventId = headers['last-event-id']
  const stream = await hub.open(userId, typeof lastEventId === 'string' ? lastEventId : undefined)
  return reply
    .type('text/event-stream')
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no')
    .send(stream)
}
