import { expect, test } from 'vitest'
import { canonicalNetwork, readNetworks } from './read-networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  ['203.0.113.255/25', '203.0.113.128/25'],
  ['10.20.30.40/12', '10.16.0.0/12'],
  ['255.255.255.255/1', '128.0.0.0/1'],
  ['1.2.3.4/0', '0.0.0.0/0'],
  [' 192.0.2.1 ', '192.0.2.1/32'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1/128'],
  ['2001:db8:aaaa:bbbb::/48', '2001:db8:aaaa::/48'],
  ['2001:db8:ffff:ffff::1/45', '2001:db8:fff8::/45'],
  ['ffff::/3', 'e000::/3'],
  ['::/0', '::/0'],
  ['::1', '::1/128'],
  ['::ffff:203.0.113.7', '203.0.113.7/32'],
  ['::ffff:cb00:7107/120', '203.0.113.0/24'],
  ['::ffff:203.0.113.7/64', '::/64'],
  ['64:ff9b::203.0.113.7', '64:ff9b::cb00:7107/128'],
])('%s is %s', (text, canonical) => {
  expect(canonicalNetwork(text)).toBe(canonical)
  expect(canonicalNetwork(canonical)).toBe(canonical)
})

test.each([
  '',
  'localhost',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.07',
  '0x7f.0.0.1',
  '2130706433',
  '203.0.113.0/33',
  '203.0.113.0/-1',
  '203.0.113.0/024',
  '203.0.113.0/1e1',
  '203.0.113.0/',
  '/24',
  '203.0.113.0/24/24',
  '203.0.113.0/255.255.255.0',
  '2001:db8::/129',
  '2001:db8:::1',
  '2001:db8',
  'fe80::1%eth0',
  '[::1]',
  '::ffff:203.0.113.7/129',
  '203.0.113.7 203.0.113.8',
])('"%s" is not a network', (text) => {
  expect(canonicalNetwork(text)).toBeUndefined()
})

test('duplicate networks are removed, the order is kept', () => {
  expect(readNetworks(['2001:db8::/32', '10.0.0.0/8', ' 10.0.0.0/8', '::ffff:10.0.0.0/104', '192.0.2.1'])).toEqual([
    '2001:db8::/32',
    '10.0.0.0/8',
    '192.0.2.1/32',
  ])
})

test('every entry that is not a network is reported at its position', () => {
  expect(() => readNetworks(['10.0.0.0/8', 'home', '192.0.2.1', '10.0.0.0/33'])).toThrow(
    expect.objectContaining({
      status: 400,
      errors: [expect.objectContaining({ field: '/networks/1' }), expect.objectContaining({ field: '/networks/3' })],
    }),
  )
})

test.each([
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['203.0.113.1/0', '0.0.0.0/0'],
  ['2001:db8::1/32', '2001:db8::/32'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
])('%s has host bits and is rejected with a suggestion of its network', (text, suggested) => {
  const message = `${text} is an address inside a network. Did you mean ${suggested}?`
  expect(() => readNetworks([text])).toThrow(
    expect.objectContaining({ status: 400, errors: [expect.objectContaining({ field: '/networks/0', message })] }),
  )
})

test.each(['10.0.0.0/8', '192.0.2.1/32', '::/0', '2001:DB8:0:0::/32', '::ffff:10.0.0.0/104'])(
  '%s is accepted',
  (text) => {
    expect(readNetworks([text])).toEqual([canonicalNetwork(text)])
  },
)
