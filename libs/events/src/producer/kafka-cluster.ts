import type { Kafka } from 'kafkajs'

/** Internals of the kafkajs producer that send encoded bytes: connections, metadata, request queue. */
export type Cluster = {
  connect: () => Promise<void>
  disconnect: () => Promise<void>
  isConnected: () => boolean
  addTargetTopic: (topic: string) => Promise<void>
  refreshMetadata: () => Promise<void>
  refreshMetadataIfNecessary: () => Promise<void>
  findTopicPartitionMetadata: (topic: string) => PartitionMetadata[]
  findControllerBroker: () => Promise<Broker>
  findBroker: (node: { nodeId: number }) => Promise<Broker>
  removeBroker: (address: { host: string; port: number }) => void
}
type PartitionMetadata = {
  partitionId: number
  leader: number
  partitionErrorCode: number
  replicas: number[]
  isr: number[]
}
type Broker = {
  initProducerId: (options: { transactionTimeout: number }) => Promise<{ producerId: string; producerEpoch: number }>
  connectionPool: { getConnection: () => Promise<Connection> }
}
/** Sends a request; encoded bytes bypass kafkajs's encoder, which copies them twice. */
export type Connection = {
  clientId: string
  isAuthenticated: () => boolean
  authenticate: () => Promise<void>
  /** @throws when the connection is closed */
  failIfNotConnected: () => void
  nextCorrelationId: () => number
  socket: { write: (bytes: Buffer) => boolean }
  requestQueue: {
    push: (request: QueuedRequest) => void
    maybeThrottle: (throttleMs: number) => void
  }
}
type QueuedRequest = {
  entry: {
    apiKey: number
    apiVersion: number
    apiName: string
    correlationId: number
    resolve: (answer: { payload: Buffer }) => void
    reject: (error: unknown) => void
  }
  expectResponse: boolean
  requestTimeout: null
  sendRequest: () => void
}

const METADATA_MAX_AGE_MS = 300_000

/**
 * kafkajs stores it behind a symbol. A version without it fails at the start, not at the first event.
 * @throws Error when this kafkajs has no such internals
 */
export function openCluster(kafka: Kafka): Cluster {
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  )
  const create: unknown = name === undefined ? undefined : Reflect.get(kafka, name)
  if (typeof create !== 'function') throw new Error('this version of kafkajs has no cluster that can be opened')
  return create({ metadataMaxAge: METADATA_MAX_AGE_MS, allowAutoTopicCreation: false, maxInFlightRequests: 1 })
}
