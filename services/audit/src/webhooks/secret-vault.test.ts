import { expect, test } from 'vitest'
import { createSecretVault } from './secret-vault.ts'

const [OLD, NEW] = ['an-old-key-of-at-least-32-characters', 'a-new-key-of-at-least-32-characters!']

test('a secret is not stored as text and decrypts with its key only', () => {
  const vault = createSecretVault(OLD)
  const encrypted = vault.encrypt('whsec_abc')
  expect(encrypted.toString('latin1')).not.toContain('whsec_abc')
  expect(vault.decrypt(encrypted)).toBe('whsec_abc')
  expect(() => createSecretVault(NEW).decrypt(encrypted)).toThrow('WEBHOOK_KEYS')
})

test('after a new key was put first, older secrets are readable and known to be old', () => {
  const encrypted = createSecretVault(OLD).encrypt('whsec_abc')
  const both = createSecretVault(`${NEW},${OLD}`)
  expect(both.decrypt(encrypted)).toBe('whsec_abc')
  expect([both.isCurrent(encrypted), both.isCurrent(both.encrypt('x'))]).toEqual([false, true])
})

test('changed data is rejected', () => {
  const vault = createSecretVault(OLD)
  const encrypted = vault.encrypt('whsec_abc')
  for (const at of [0, 5, 20, encrypted.length - 1]) {
    const changed = Buffer.from(encrypted)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => vault.decrypt(changed), String(at)).toThrow()
  }
})
