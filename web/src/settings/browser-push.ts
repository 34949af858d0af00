import type { PushKey, SubscribeToPush } from '@tapeline/contracts/identity/push'
import type { ApiClient } from '../api/client.ts'
import { TURNED_ON_BY } from './renew-push.ts'
import { trustedWorker, WORKER } from './trusted-worker.ts'

const SUBSCRIPTIONS = '/api/v1/internal/user/push-subscriptions'

/** Push support and state of this browser. */
export type PushState = 'unsupported' | 'blocked' | 'off' | 'on'

export type PushDeps = {
  api: Pick<ApiClient, 'data' | 'send'>
  /** Undefined where the browser has none, or the page is not served securely. */
  workers: Pick<ServiceWorkerContainer, 'register' | 'getRegistration'> | undefined
  notification: Pick<typeof Notification, 'permission' | 'requestPermission'> | undefined
  local: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** The signed-in user. */
  userId: () => string | undefined
}

/** Push messages to this browser; whether any are sent is a setting of the account. */
export function createBrowserPush(deps: PushDeps) {
  return {
    state: () => readState(deps),
    turnOn: () => turnOn(deps),
    turnOff: () => turnOff(deps),
  }
}

/** The server deletes a subscription with its session; for the same user it is registered again. */
async function readState({ api, workers, notification, local, userId }: PushDeps): Promise<PushState> {
  if (workers === undefined || notification === undefined) return 'unsupported'
  if (notification.permission === 'denied') return 'blocked'
  const registration = await workers.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription === null || subscription === undefined) return 'off'
  if (local.getItem(TURNED_ON_BY) !== userId()) return 'off'
  await api.send({ method: 'POST', path: SUBSCRIPTIONS, body: bodyOf(subscription) })
  return 'on'
}

async function turnOn(deps: PushDeps): Promise<PushState> {
  const { api, workers, notification, local, userId } = deps
  if (workers === undefined || notification === undefined) return 'unsupported'
  // Must be first: the browser shows the prompt only directly after a click.
  if ((await notification.requestPermission()) !== 'granted') return readState(deps)
  const { publicKey } = await api.data<PushKey>({ path: '/api/v1/internal/user/push-key' })
  const registration = await workers.register(trustedWorker())
  const subscription = await subscribe(registration.pushManager, bytesOf(publicKey))
  try {
    await api.send({ method: 'POST', path: SUBSCRIPTIONS, body: bodyOf(subscription) })
  } catch (error) {
    await subscription.unsubscribe()
    throw error
  }
  local.setItem(TURNED_ON_BY, userId() ?? '')
  return 'on'
}

/** A subscription is bound to the key with which it was created; one with an older key is replaced. */
async function subscribe(
  manager: PushManager,
  applicationServerKey: Uint8Array<ArrayBuffer>,
): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const old = await manager.getSubscription()
    if (old === null) throw error
    await old.unsubscribe()
    return manager.subscribe(options)
  }
}

async function turnOff({ api, workers, local }: PushDeps): Promise<PushState> {
  const registration = await workers?.getRegistration(WORKER)
  const subscription = await registration?.pushManager.getSubscription()
  if (subscription === null || subscription === undefined) return 'off'
  await api.send({ method: 'DELETE', path: SUBSCRIPTIONS, body: { endpoint: subscription.endpoint } })
  await subscription.unsubscribe()
  local.removeItem(TURNED_ON_BY)
  return 'off'
}

function bodyOf(subscription: PushSubscription): SubscribeToPush {
  const { keys = {} } = subscription.toJSON()
  return { endpoint: subscription.endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0)
}
