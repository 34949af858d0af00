// Shows what the platform pushes (contracts: PushMessage) and opens the page that it is about. It keeps nothing and fetches nothing.
self.addEventListener('push', (event) => {
  const { title, body, path, tag, lang } = event.data?.json() ?? {}
  if (typeof title !== 'string') return
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, icon: '/favicon.svg', data: { path } }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path))
})

// Only pages of this origin, whatever the message says; a tab that is open already is used again.
async function open(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin)
  const address = url.origin === self.location.origin ? url.href : self.location.origin
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find((one) => one.url === address) ?? tabs[0]
  if (tab === undefined) return self.clients.openWindow(address)
  await tab.focus()
  return tab.url === address ? undefined : tab.navigate(address)
}
