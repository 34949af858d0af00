import { expect, test } from 'vitest'
import { readKafkaAddress } from './kafka-address.ts'

test.each([
  ['a:9092,b:9093', { brokers: ['a:9092', 'b:9093'] }],
  ['kafka://a,b:9093', { brokers: ['a:9092', 'b:9093'] }],
  [
    'kafka://audit:p%40ss@a:9092,b:9092',
    { brokers: ['a:9092', 'b:9092'], sasl: { mechanism: 'plain', username: 'audit', password: 'p@ss' } },
  ],
  [
    'kafkas://audit:secret@a:9094?mechanism=scram-sha-512',
    { brokers: ['a:9094'], ssl: true, sasl: { mechanism: 'scram-sha-512', username: 'audit', password: 'secret' } },
  ],
])('%s contains brokers and credentials', (text, address) => {
  expect(readKafkaAddress(text)).toEqual(address)
})

test.each([
  'http://u:secret@a:9092',
  'kafka://secret@a:9092',
  'kafka://u:secret@',
  'kafka://u:secret@a?mechanism=oauth',
])('%s is rejected without revealing the password', (text) => {
  expect(() => readKafkaAddress(text)).toThrow('KAFKA_BROKERS must have the form')
  expect(() => readKafkaAddress(text)).not.toThrow('secret')
})
