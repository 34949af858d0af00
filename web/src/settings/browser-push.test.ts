import { expect, test } from 'vitest'
import type { ApiCall } from '../api/api-call.ts'
import { createBrowserPush, type PushDeps } from './browser-push.ts'

const KEY = 'BPk_-w'
const KEYS = { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) }

/** A browser with a push service, and a server that stores subscriptions. */
function someBrowser({ permission = 'granted', boundTo = KEY, refuses = false } = {}) {
  const endpoints = new Set<string>()
  const browser = { subscription: null as { key: string } | null }
  const subscription = () => ({
    endpoint: 'https://push.example/1',
    toJSON: () => ({ keys: KEYS }),
    unsubscribe: async () => ((browser.subscription = null), true),
  })
  const pushManager = {
    getSubscription: async () => (browser.subscription === null ? null : subscription()),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      const key = Buffer.from(applicationServerKey).toString('base64url')
      if (browser.subscription !== null && browser.subscription.key !== key) throw new Error('another key')
      browser.subscription = { key }
      return subscription()
    },
  }
  const registration = { pushManager }
  let registered = boundTo !== KEY
  if (registered) browser.subscription = { key: boundTo }
  const workers = {
    register: async () => ((registered = true), registration),
    getRegistration: async () => (registered ? registration : undefined),
  }
  const api = {
    data: async () => ({ publicKey: KEY }),
    send: async ({ method, body }: ApiCall) => {
      if (refuses) throw new Error('refused')
      const { endpoint } = body as { endpoint: string }
      if (method === 'POST') endpoints.add(endpoint)
      else endpoints.delete(endpoint)
    },
  }
  const notification = { permission, requestPermission: async () => permission }
  // Only the used parts of a browser.
  const entries = new Map<string, string>()
  const local = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
  const here = { userId: 'ada' as string | undefined }
  const deps = { api, workers, notification, local, userId: () => here.userId }
  return { push: createBrowserPush(deps as unknown as PushDeps), endpoints, browser, here }
}

test('this browser receives pushes from the moment they are turned on until they are turned off', async () => {
  const { push, endpoints, browser } = someBrowser()
  expect(await push.state()).toBe('off')
  expect(await push.turnOn()).toBe('on')
  expect([await push.state(), [...endpoints], browser.subscription?.key]).toEqual([
    'on',
    ['https://push.example/1'],
    KEY,
  ])
  expect(await push.turnOff()).toBe('off')
  expect([await push.state(), [...endpoints]]).toEqual(['off', []])
})

test('after the next sign-in of the same user the subscription is registered again; for another user it is off', async () => {
  const { push, endpoints, here } = someBrowser()
  await push.turnOn()
  endpoints.clear()
  here.userId = 'grace'
  expect([await push.state(), [...endpoints]]).toEqual(['off', []])
  here.userId = 'ada'
  expect([await push.state(), [...endpoints]]).toEqual(['on', ['https://push.example/1']])
  here.userId = 'grace'
  expect([await push.turnOn(), await push.state()]).toEqual(['on', 'on'])
  here.userId = 'ada'
  expect(await push.state()).toBe('off')
})

test('a user who denies permission in the browser is not subscribed', async () => {
  const { push, endpoints } = someBrowser({ permission: 'denied' })
  expect([await push.turnOn(), [...endpoints]]).toEqual(['blocked', []])
})

test('a subscription that the server rejects is removed', async () => {
  const { push, browser } = someBrowser({ refuses: true })
  await expect(push.turnOn()).rejects.toThrow('refused')
  expect([await push.state(), browser.subscription]).toEqual(['off', null])
})

test('a subscription that is bound to an older key is replaced', async () => {
  const { push, endpoints, browser } = someBrowser({ boundTo: 'b2xk' })
  expect(await push.turnOn()).toBe('on')
  expect([browser.subscription?.key, endpoints.size]).toEqual([KEY, 1])
})

test('a browser without push support shows a message', async () => {
  const api = { data: () => Promise.reject(new Error('requested')), send: () => Promise.reject(new Error('requested')) }
  const push = createBrowserPush({
    api,
    workers: undefined,
    notification: undefined,
    local: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    userId: () => 'ada',
  })
  expect([await push.state(), await push.turnOn()]).toEqual(['unsupported', 'unsupported'])
})
