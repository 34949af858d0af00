import { expect, test } from 'vitest'
import { RELAY_HEADER, RelayedAddresses } from './relayed-address.ts'

const clock = { nowMs: 1_000_000 }
const addressesOf = (byte: number) =>
  new RelayedAddresses(new Map([['gateway>market-data', [Buffer.alloc(32, byte)]]]), () => clock.nowMs)
const addresses = addressesOf(1)
const read = (text: string, by = addresses) => by.read({ headers: { [RELAY_HEADER]: text } })

test('an address that a gateway signed is read for fifteen seconds, by every process with the secret', () => {
  const signed = addresses.sign('2001:db8::1')
  expect(read(signed)).toBe('2001:db8::1')
  expect(read(signed, addressesOf(1))).toBe('2001:db8::1')
  clock.nowMs += 15_000
  expect(read(signed)).toBeUndefined()
})

test('a changed address, another secret, invalid text and a missing header are rejected', () => {
  const signed = addresses.sign('192.0.2.1')
  expect(read(signed)).toBe('192.0.2.1')
  expect(read(signed.replace('192.0.2.1', '192.0.2.2'))).toBeUndefined()
  expect(read(signed, addressesOf(2))).toBeUndefined()
  for (const text of ['', '192.0.2.1', '9999999999999 192.0.2.1 ', `${signed}x`]) expect(read(text)).toBeUndefined()
  expect(addresses.read({ headers: {} })).toBeUndefined()
})
