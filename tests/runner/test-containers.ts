import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers'
import { takeFreePort } from '../../deploy/local/ports/free-port.ts'
import { addresses, type TestServers } from './server-addresses.ts'

const POSTGRES_IMAGE = 'postgres:18'
const REDIS_IMAGE = 'redis:8'
const KAFKA_IMAGE = 'apache/kafka:4.3.1'

/** The same three servers as containers; without a container engine undefined, with a message. */
export async function startContainers(log: (line: string) => void): Promise<TestServers | undefined> {
  try {
    await getContainerRuntimeClient()
  } catch {
    log('TEST_BACKEND=docker: no container engine answers, so everything that needs servers is skipped')
    return undefined
  }
  const started = await Promise.allSettled([startPostgres(), startRedis(), startKafka()])
  const containers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(containers.map(({ container }) => container.stop()))
  }
  const [postgres, redis, kafka] = containers
  if (postgres === undefined || redis === undefined || kafka === undefined) {
    await stop()
    throw new AggregateError(started.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
  }
  return {
    environment: addresses({ databaseUrl: postgres.url, redisUrl: redis.url, kafkaBrokers: kafka.url }),
    stop,
  }
}

async function startPostgres() {
  const container = await new GenericContainer(POSTGRES_IMAGE)
    .withEnvironment({ POSTGRES_PASSWORD: 'tapeline' })
    .withCommand(['postgres', '-c', 'max_connections=300', '-c', 'fsync=off'])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start()
  const url = `postgres://postgres:tapeline@${container.getHost()}:${container.getMappedPort(5432)}/postgres`
  return { container, url }
}

async function startRedis() {
  const container = await new GenericContainer(REDIS_IMAGE)
    .withCommand(['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'])
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forListeningPorts())
    .start()
  return { container, url: `redis://${container.getHost()}:${container.getMappedPort(6379)}` }
}

/** A broker advertises its own address, so the external port must be known before it starts. */
async function startKafka() {
  const port = await takeFreePort()
  const container = await new GenericContainer(KAFKA_IMAGE)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'BROKER://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `BROKER://localhost:${port}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'BROKER',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start()
  return { container, url: `localhost:${port}` }
}
