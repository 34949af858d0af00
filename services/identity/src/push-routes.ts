import { answer, Answer } from '@tapeline/contracts/answer'
import {
  PushKey,
  PushSubscribed,
  PushUnsubscribed,
  SubscribeToPush,
  UnsubscribeFromPush,
} from '@tapeline/contracts/identity/push'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from './deps.ts'
import { subscribeToPush } from './push/subscribe-to-push.ts'
import { unsubscribeFromPush } from './push/unsubscribe-from-push.ts'

const SUBSCRIPTIONS = '/api/v1/internal/user/push-subscriptions'
const bySession = { access: { role: 'user' as const } }

export function addPushRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/internal/user/push-key',
    { config: bySession, schema: { response: { 200: Answer(PushKey) } } },
    async () => answer('Key to subscribe with', { publicKey: (await deps.vapidKeys()).publicKey }),
  )
  app.post(
    SUBSCRIPTIONS,
    { config: bySession, schema: { body: SubscribeToPush, response: { 201: Answer(PushSubscribed) } } },
    async (request, reply) => {
      const subscribed = await subscribeToPush(deps, userOf(request), request.body)
      return reply.code(201).send(answer('Push notifications are on for this browser', subscribed))
    },
  )
  app.delete(
    SUBSCRIPTIONS,
    { config: bySession, schema: { body: UnsubscribeFromPush, response: { 200: Answer(PushUnsubscribed) } } },
    async (request) =>
      answer(
        'Push notifications are off for this browser',
        await unsubscribeFromPush(deps, userOf(request), request.body),
      ),
  )
}
