import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddressBy, networkOf, throttleAddress } from './client-address.ts'

function addressOf(trustProxy: string, nearest: string, forwarded: string): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: nearest })
  const request = new IncomingMessage(socket)
  request.headers['x-forwarded-for'] = forwarded
  return clientAddressBy(trustProxy)(request)
}

test.each([
  ['', '10.0.0.1', '1.2.3.4', '10.0.0.1', 'no proxy is trusted'],
  ['10.0.0.1', '10.0.0.2', '1.2.3.4', '10.0.0.2', 'an untrusted address is ignored'],
  ['10.0.0.1', '10.0.0.1', '1.2.3.4', '1.2.3.4', 'a listed proxy is'],
  [
    '10.0.0.0/8',
    '10.9.9.9',
    '9.9.9.9, 1.2.3.4, 10.1.1.1',
    '1.2.3.4',
    'addresses before the last untrusted one are forged',
  ],
  ['10.0.0.1', '::ffff:10.0.0.1', '1.2.3.4', '1.2.3.4', 'a dual-stack socket'],
  ['fd00::/8', 'fd00::1', '2001:db8::7', '2001:db8::7', 'IPv6'],
  ['10.0.0.1', '10.0.0.1', 'unknown', '10.0.0.1', 'no address at all'],
  ['10.0.0.1', '10.0.0.1', '', '10.0.0.1', 'an empty header'],
  ['10.0.0.1', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7', 'an address with its port'],
  ['10.0.0.0/8', '10.0.0.1', '198.51.100.7:4711, 10.0.0.2:80', '198.51.100.7', 'ports at every hop'],
  ['10.0.0.1', '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7', 'IPv6 with its port'],
  ['10.0.0.1', '10.0.0.1', '[2001:db8::7]', '2001:db8::7', 'IPv6 in brackets'],
  ['10.0.0.1', '10.0.0.1', '[::ffff:198.51.100.7]:4711', '198.51.100.7', 'IPv4 in IPv6 with its port'],
  ['10.0.0.1', '10.0.0.1', '198.51.100.7:port', '10.0.0.1', 'an address with something else'],
])('trusting "%s", %s with %s is %s: %s', (trustProxy, nearest, forwarded, expected) => {
  expect(addressOf(trustProxy, nearest, forwarded)).toBe(expected)
})

test.each([
  'any',
  '10.0.0.0/',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/ 8',
  '10.0.0.0/-1',
  '/8',
  '10.0.0.1:80',
])('the entry "%s" in a list prevents the start', (entry) => {
  expect(() => clientAddressBy(`10.0.0.0/8, ${entry}`)).toThrow(`"${entry}" is neither an address nor a network`)
})

test('a network is the range of one subscriber', () => {
  expect([networkOf('203.0.113.9'), networkOf('2001:db8:1:2::3')]).toEqual(['203.0.113.0/24', '2001:db8:1::/48'])
  expect(throttleAddress('2001:db8:1:2::3')).toBe(throttleAddress('2001:db8:1:2:ffff::9'))
})
