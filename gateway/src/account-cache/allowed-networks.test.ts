import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { AllowedNetworks } from './allowed-networks.ts'

test.each([
  ['10.1.2.3', ['10.1.2.3'], true],
  ['10.1.2.4', ['10.1.2.3'], false],
  ['10.255.255.255', ['10.0.0.0/8'], true],
  ['11.0.0.0', ['10.0.0.0/8'], false],
  ['10.1.2.3', ['10.9.9.9/8'], true],
  ['192.168.1.130', ['192.168.1.128/25'], true],
  ['192.168.1.127', ['192.168.1.128/25'], false],
  ['203.0.113.7', ['0.0.0.0/0'], true],
  ['::1', ['0.0.0.0/0'], false],
  ['203.0.113.7', ['::/0'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:DB8:0:0::ffff', ['2001:db8::/64'], true],
  ['2001:db8:1::', ['2001:db8::/48'], false],
  ['fe80::1%eth0', ['fe80::/10'], true],
  ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
  ['::ffff:a01:203', ['10.0.0.0/8'], true],
  ['10.1.2.3', ['::ffff:10.0.0.0/104'], true],
  ['11.1.2.3', ['::ffff:10.0.0.0/104'], false],
  ['10.1.2.3', ['172.16.0.0/12', '10.0.0.0/9', '10.0.0.0/24', '2001:db8::/32'], true],
  ['10.1.2.3', ['10.1.2.3/32'], true],
  ['2001:db8::1', ['2001:db8::1/128'], true],
  ['', ['0.0.0.0/0'], false],
  ['10.1.2.3', ['10.0.0.0/33'], false],
  ['10.1.2.3', ['any', '10.0.0.0/8/8', '10.0.0.0/-1', ''], false],
])('%s on the list %j: %s', (address, networks, isAllowed) => {
  expect(new AllowedNetworks(networks).includes(address)).toBe(isAllowed)
})

const byte = fc.integer({ min: 0, max: 255 })
const group = fc.integer({ min: 0, max: 0xffff })
/** Few different parts, so that addresses and networks often meet. */
const few = <T>(all: fc.Arbitrary<T>, some: T[]) => fc.oneof(fc.constantFrom(...some), all)
const ipv4 = fc.array(few(byte, [0, 10, 255]), { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.'))
/** Except IPv4 inside IPv6, which is IPv4 and has a separate property. */
const ipv6 = fc
  .array(few(group, [0, 0x2001, 0xffff]), { minLength: 8, maxLength: 8 })
  .map((parts) => parts.map((part) => part.toString(16)).join(':'))
  .filter((address) => !address.startsWith('0:0:0:0:0:ffff:'))
const network = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
  fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
)

/** Addresses in full form. */
function numberOf(address: string): bigint {
  if (!isIPv6(address)) return address.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n)
  return address.split(':').reduce((sum, part) => (sum << 16n) + BigInt(`0x${part}`), 0n)
}

test('a list allows exactly the addresses that one of its networks allows', () => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 12 }), fc.array(fc.oneof(ipv4, ipv6), { minLength: 5 }), (list, who) => {
      const allowed = new AllowedNetworks(list.map(([address, bits]) => `${address}/${bits}`))
      for (const address of who) {
        const isInOne = list.some(([start, bits]) => {
          if (isIPv6(start) !== isIPv6(address)) return false
          const hostBits = BigInt((isIPv6(start) ? 128 : 32) - bits)
          return numberOf(start) >> hostBits === numberOf(address) >> hostBits
        })
        expect(allowed.includes(address), `${address} ${JSON.stringify(list)}`).toBe(isInOne)
      }
    }),
    { seed: PROPERTY_SEED, numRuns: 1_000 },
  )
})

test('IPv4 inside IPv6 is treated like the IPv4 address, and such a network like the IPv4 network', () => {
  const whole = fc.integer({ min: 0, max: 32 })
  fc.assert(
    fc.property(fc.array(network, { maxLength: 12 }), ipv4, whole, ipv4, (list, start, bits, who) => {
      const written = list.map(([address, width]) => `${address}/${width}`)
      const plain = new AllowedNetworks([...written, `${start}/${bits}`])
      const inside = new AllowedNetworks([...written, `::ffff:${start}/${bits + 96}`])
      expect(plain.includes(`::ffff:${who}`)).toBe(plain.includes(who))
      expect(inside.includes(who)).toBe(plain.includes(who))
    }),
    { seed: PROPERTY_SEED },
  )
})
