import { connectRedis, isCluster, serversOf } from '@tapeline/service/redis'
import type { Logger } from '@tapeline/service/logger'
import type { Cluster, Redis } from 'ioredis'
import type { Script } from '../scripts/scripts.ts'
import { type Command, type LimiterStore, type Result, runIdIn } from './limiter-store.ts'

/** The counters of each account on the node of its slot: the client finds the node, and follows a slot that moves. */
export class ClusterStore implements LimiterStore {
  readonly isSplit = true
  private readonly cluster: Cluster

  constructor(url: string, logger: Logger) {
    const redis = connectRedis({ url, logger, commandTimeoutMs: null })
    if (!isCluster(redis)) throw new Error('the address is one server, not a cluster')
    this.cluster = redis
  }

  send(commands: readonly Command[], onReplies: (results: Result[]) => void): void {
    const pipeline = this.cluster.pipeline()
    for (const [name = '', ...words] of commands) pipeline.call(name, ...words)
    void pipeline.exec((error, results) => onReplies(results ?? commands.map(() => [error ?? null, null])))
  }

  async evaluate({ sha }: Script, keys: readonly string[], argv: readonly (string | number)[]): Promise<unknown> {
    return this.cluster.evalsha(sha, keys.length, ...keys, ...argv)
  }

  onReady(listener: () => void): void {
    this.cluster.on('ready', listener)
    this.cluster.on('+node', (node: Redis) => node.on('ready', listener))
    if (this.cluster.status === 'ready') listener()
  }

  onClose(listener: () => void): void {
    this.cluster.on('close', listener)
  }

  async loadScripts(scripts: readonly Script[]): Promise<void> {
    await this.ofServers((server) => Promise.all(scripts.map(({ source }) => server.script('LOAD', source))))
  }

  async ping(): Promise<void> {
    await this.ofServers((server) => server.ping())
  }

  async runIds(): Promise<string> {
    const ids = await this.ofServers(async (server) => runIdIn(await server.info('server')))
    return ids.toSorted((one, other) => one.localeCompare(other)).join()
  }

  reconnect(): void {
    this.cluster.disconnect(true)
  }

  disconnect(): void {
    this.cluster.disconnect()
  }

  private async ofServers<T>(query: (server: Redis) => Promise<T>): Promise<T[]> {
    return Promise.all(serversOf(this.cluster).map(query))
  }
}
