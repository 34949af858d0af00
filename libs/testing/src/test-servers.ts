export type TestServers = { databaseUrl: string; redisUrl: string; kafkaBrokers: string }

/** Addresses of the real servers that this run started or was given, provided by vitest's global setup. */
export function testServers(): TestServers {
  return {
    databaseUrl: required('DATABASE_URL'),
    redisUrl: required('REDIS_URL'),
    kafkaBrokers: required('KAFKA_BROKERS'),
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is missing: run the tests with npm test or vitest`)
  return value
}
