import { expect, test } from 'vitest'
import { endpointFault } from './check-endpoint.ts'

const strict = (endpoint: string) => endpointFault(endpoint, { allowsLoopback: false })
const lenient = (endpoint: string) => endpointFault(endpoint, { allowsLoopback: true })

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://8.8.8.8/push',
  'https://[2606:4700:4700::1111]:8443/push',
])('%s is accepted as an endpoint', (endpoint) => {
  expect(strict(endpoint)).toBeUndefined()
})

test.each([
  'fcm.googleapis.com/fcm/send/abc',
  'http://fcm.googleapis.com/fcm/send/abc',
  'ftp://push.example.com/abc',
  'https://user:password@push.example.com/abc',
  'https://localhost/abc',
  'https://localhost:3011/internal/accounts',
  'https://postgres/abc',
  'https://identity.tapeline.svc.cluster.local/abc',
  'https://metadata.google.internal/abc',
  'https://printer.local./abc',
  'https://127.0.0.1/abc',
  'https://127.1/abc',
  'https://2130706433/abc',
  'https://0x7f.0.0.1/abc',
  'https://0/abc',
  'https://10.0.0.1/abc',
  'https://172.31.255.255/abc',
  'https://192.168.1.1/abc',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/abc',
  'https://224.0.0.1/abc',
  'https://255.255.255.255/abc',
  'https://[::1]/abc',
  'https://[::]/abc',
  'https://[::ffff:127.0.0.1]/abc',
  'https://[::ffff:8.8.8.8]/abc',
  'https://[64:ff9b::a00:1]/abc',
  'https://[fe80::1]/abc',
  'https://[fd00::1]/abc',
  'https://[2002:7f00:1::]/abc',
  'https://[2001:db8::1]/abc',
])('%s is rejected as an endpoint', (endpoint) => {
  expect(strict(endpoint)).toEqual(expect.any(String))
})

test('loopback is allowed for pushes only where configured, and no other address with it', () => {
  for (const mine of ['http://127.0.0.1:4000/push', 'https://localhost:4000/push', 'http://[::1]:4000/push']) {
    expect(lenient(mine)).toBeUndefined()
    expect(strict(mine)).toEqual(expect.any(String))
  }
  for (const other of ['http://push.example.com/abc', 'https://10.0.0.1/abc', 'ftp://127.0.0.1/abc']) {
    expect(lenient(other)).toEqual(expect.any(String))
  }
})
