/** Servers shared by all tests of a run; each test file creates its own database. */
export type TestServers = { environment: Record<string, string>; stop: () => Promise<void> }

export function addresses(servers: {
  databaseUrl: string
  redisUrl: string
  kafkaBrokers: string
}): Record<string, string> {
  return {
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    REDIS_JOBS_URL: servers.redisUrl,
    KAFKA_BROKERS: servers.kafkaBrokers,
  }
}
