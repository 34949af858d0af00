import { api, local, session } from '../platform.ts'
import { createBrowserPush } from './browser-push.ts'

/** Pushes in this browser, for the signed-in user. */
export function openBrowserPush() {
  return createBrowserPush({
    api,
    workers: 'serviceWorker' in navigator && 'PushManager' in window ? navigator.serviceWorker : undefined,
    notification: 'Notification' in window ? Notification : undefined,
    local,
    userId: () => {
      const state = session.getState()
      return state.status === 'signed-in' ? state.user.id : undefined
    },
  })
}
