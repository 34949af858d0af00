import type { SASLOptions } from 'kafkajs'

type Mechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'
export type KafkaAddress = { brokers: string[]; ssl?: true; sasl?: SASLOptions }

const PORT = '9092'
const ADDRESS = /^(kafkas?):\/\/(?:([^:@/]+):([^@/]+)@)?([^/?@]+)\/?(?:\?mechanism=([a-z0-9-]+))?$/

/**
 * Parses KAFKA_BROKERS: `host:port,…` without authentication, or `kafka://user:password@host:port,…`; `kafkas://`
 * uses TLS. `?mechanism=` selects the SASL mechanism: plain (default), scram-sha-256 or scram-sha-512.
 * @throws Error for any other form
 */
export function readKafkaAddress(text: string): KafkaAddress {
  if (!text.includes('://')) return { brokers: text.split(',') }
  const [, scheme, user, password, hosts = '', mechanism = 'plain'] = ADDRESS.exec(text) ?? []
  if (scheme === undefined || !isMechanism(mechanism)) {
    throw new Error('KAFKA_BROKERS must have the form host:port,… or kafka://user:password@host:port,…')
  }
  return {
    brokers: hosts.split(',').map((host) => (/:\d+$/.test(host) ? host : `${host}:${PORT}`)),
    ...(scheme === 'kafkas' ? { ssl: true } : {}),
    ...(user === undefined || password === undefined
      ? {}
      : { sasl: saslOf(mechanism, decodeURIComponent(user), decodeURIComponent(password)) }),
  }
}

/** kafkajs has one type per mechanism. */
function saslOf(mechanism: Mechanism, username: string, password: string): SASLOptions {
  switch (mechanism) {
    case 'plain':
      return { mechanism, username, password }
    case 'scram-sha-256':
      return { mechanism, username, password }
    case 'scram-sha-512':
      return { mechanism, username, password }
  }
}

function isMechanism(text: string): text is Mechanism {
  return text === 'plain' || text === 'scram-sha-256' || text === 'scram-sha-512'
}
