import { setTimeout as delay } from 'node:timers/promises'
import { type Kafka, Partitioners } from 'kafkajs'
import { type Cluster, openCluster } from './kafka-cluster.ts'
import { type PartitionBatch, ProduceRequests } from './produce-request.ts'
import type { Message } from './record-batch.ts'

const TRANSACTION_TIMEOUT_MS = 60_000
const ATTEMPTS_MAX = 30
const RETRY_MS = 100
const RETRY_MAX_MS = 1_000
const KNOWN_KEYS_MAX = 20_000
const SEQUENCES = 2 ** 31
const DUPLICATE_SEQUENCE = 46
/** Transient broker errors, such as a leader election or a missing replica: the same batch may be accepted shortly. */
const PASSING_CODES = new Set([3, 5, 6, 7, 13, 19, 20, 56, 74, 75])

type Messages = readonly Message[]

class Refused extends Error {
  readonly retriable: boolean
  constructor(partition: number, code: number) {
    super(`Kafka rejected the messages of partition ${partition} with error code ${code}`)
    this.retriable = PASSING_CODES.has(code)
  }
}

/**
 * Sends messages stored in one block of bytes: acks from all replicas, in order, one batch per partition, without an
 * object per message. Uses a tenth of the CPU of kafkajs's producer, whose connections and metadata it shares.
 */
export class BlockProducer {
  private readonly sequences = new Map<number, number>()
  private readonly partitions = new Map<string, number>()
  private readonly requests = new Map<number, ProduceRequests>()
  private partitionCount = 0
  private producer = { id: -1n, epoch: 0 }
  private readonly partitionOf = Partitioners.DefaultPartitioner()
  private readonly topic: string
  private readonly cluster: Cluster

  private constructor(cluster: Cluster, topic: string) {
    this.cluster = cluster
    this.topic = topic
  }

  static async connect(kafka: Kafka, topic: string): Promise<BlockProducer> {
    const producer = new BlockProducer(openCluster(kafka), topic)
    try {
      await producer.start()
      return producer
    } catch (error) {
      await producer.disconnect().catch(() => {})
      throw error
    }
  }

  /**
   * Sends the messages, with a few retries under the same sequence numbers, so that nothing arrives twice.
   * @throws after the last retry; then create a new producer
   */
  async send(block: Buffer, messages: Messages): Promise<void> {
    let pending: Map<number, Message[]> | undefined
    for (let attempt = 1; pending === undefined || pending.size > 0; attempt += 1) {
      try {
        await this.cluster.refreshMetadataIfNecessary()
        pending ??= this.byPartition(block, messages)
        await this.sendPending(block, pending)
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !canPass(error)) throw error
        await delay(Math.min(RETRY_MS * attempt, RETRY_MAX_MS))
        await this.reconnect(error)
      }
    }
  }

  async disconnect(): Promise<void> {
    await this.cluster.disconnect()
  }

  /** A broker that has just started gives no producer ids yet. */
  private async start(): Promise<void> {
    await this.cluster.connect()
    await this.cluster.addTargetTopic(this.topic)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const broker = await this.cluster.findControllerBroker()
        const started = await broker.initProducerId({ transactionTimeout: TRANSACTION_TIMEOUT_MS })
        this.producer = { id: BigInt(started.producerId), epoch: started.producerEpoch }
        return
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !canPass(error)) throw error
        await delay(Math.min(RETRY_MS * attempt, RETRY_MAX_MS))
      }
    }
  }

  private async reconnect(error: unknown): Promise<void> {
    if (hasAddress(error)) this.cluster.removeBroker(error)
    if (!this.cluster.isConnected()) await this.cluster.connect()
    await this.cluster.refreshMetadata()
  }

  private async sendPending(block: Buffer, pending: Map<number, Message[]>): Promise<void> {
    const atMs = Date.now()
    const byLeader = new Map<number, PartitionBatch[]>()
    for (const { partitionId, leader } of this.cluster.findTopicPartitionMetadata(this.topic)) {
      const messages = pending.get(partitionId)
      if (messages === undefined) continue
      const firstSequence = this.sequences.get(partitionId) ?? 0
      const { id: producerId, epoch: producerEpoch } = this.producer
      const batch = { producerId, producerEpoch, firstSequence, atMs, block, messages }
      const batches = byLeader.get(leader)
      if (batches === undefined) byLeader.set(leader, [{ partition: partitionId, batch }])
      else batches.push({ partition: partitionId, batch })
    }
    if (byLeader.size === 0)
      throw new Error(`the topic ${this.topic} has none of the partitions that messages wait for`)
    const requests = [...byLeader].map(([leader, batches]) => this.sendTo(leader, batches, pending))
    const failed = (await Promise.allSettled(requests)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  /** Removes accepted batches from `pending`, even when the broker rejected another partition. */
  private async sendTo(leader: number, batches: PartitionBatch[], pending: Map<number, Message[]>): Promise<void> {
    const broker = await this.cluster.findBroker({ nodeId: leader })
    const connection = await broker.connectionPool.getConnection()
    let requests = this.requests.get(leader)
    if (requests === undefined) this.requests.set(leader, (requests = new ProduceRequests(this.topic)))
    let refused: Refused | undefined
    for (const { partition, errorCode } of await requests.send(connection, batches)) {
      if (errorCode !== 0 && errorCode !== DUPLICATE_SEQUENCE) refused ??= new Refused(partition, errorCode)
      else {
        const count = pending.get(partition)?.length ?? 0
        pending.delete(partition)
        this.sequences.set(partition, ((this.sequences.get(partition) ?? 0) + count) % SEQUENCES)
      }
    }
    if (refused !== undefined) throw refused
  }

  private byPartition(block: Buffer, messages: Messages): Map<number, Message[]> {
    const partitionMetadata = this.cluster.findTopicPartitionMetadata(this.topic)
    if (partitionMetadata.length !== this.partitionCount || this.partitions.size > KNOWN_KEYS_MAX) {
      this.partitions.clear()
      this.partitionCount = partitionMetadata.length
    }
    if (partitionMetadata.length === 0) throw new Error(`the topic ${this.topic} has no partitions`)
    const found = new Map<number, Message[]>()
    for (const message of messages) {
      const key = block.toString('latin1', message.key, message.keyEnd)
      let partition = this.partitions.get(key)
      if (partition === undefined) {
        const bytes = block.subarray(message.key, message.keyEnd)
        partition = this.partitionOf({ topic: this.topic, partitionMetadata, message: { key: bytes, value: null } })
        this.partitions.set(key, partition)
      }
      const list = found.get(partition)
      if (list === undefined) found.set(partition, [message])
      else list.push(message)
    }
    return found
  }
}

/** Errors of kafkajs and of a broker state whether a retry can succeed. */
function canPass(error: unknown): boolean {
  return error instanceof Error && 'retriable' in error && error.retriable === true
}

function hasAddress(error: unknown): error is { host: string; port: number } {
  return (
    error instanceof Error &&
    error.name === 'KafkaJSConnectionClosedError' &&
    'host' in error &&
    typeof error.host === 'string' &&
    'port' in error &&
    typeof error.port === 'number'
  )
}
