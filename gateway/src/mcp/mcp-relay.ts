import { Worker } from 'node:worker_threads'
import type { Logger } from '@tapeline/service/logger'
import type { McpAnswer, McpCall } from '@tapeline/mcp/answer-http'
import { RELAY_HEADER, type RelayedAddresses } from './relayed-address.ts'

/** To the worker. `relayedFor`: the caller's address, signed. */
export type McpMessage = { id: number; call: McpCall; relayedFor: string }
export type McpReply = { id: number; answer: McpAnswer } | { id: number; failure: string }

export type McpRelayDeps = {
  addresses: Pick<RelayedAddresses, 'sign'>
  /** URL at which the worker reaches this gateway; read when the worker starts. */
  baseUrl: () => string
  logger: Logger
}

/** Concurrent messages: each keeps its body and an answer of up to 100 KB in memory. */
const OPEN_MAX = 64
const ANSWER_TIMEOUT_MS = 12_000
const MEMORY = { maxOldGenerationSizeMb: 128 }
/** The client and the tools run from source, as everything here does. */
const EXEC_ARGV = ['--conditions=tapeline-source']

type Settle = (answer: McpAnswer | undefined) => void

/** Passes MCP messages to a worker thread, which is started with the first one and again after a failure. */
export class McpRelay {
  private readonly deps: McpRelayDeps
  private readonly open = new Map<number, Settle>()
  private worker: Worker | undefined
  private lastId = 0

  constructor(deps: McpRelayDeps) {
    this.deps = deps
  }

  /** Undefined when too many messages are open, or when the worker failed or took too long. */
  async answer(call: McpCall, address: string): Promise<McpAnswer | undefined> {
    if (this.open.size >= OPEN_MAX) return undefined
    const id = (this.lastId += 1)
    const worker = (this.worker ??= this.start())
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, undefined), ANSWER_TIMEOUT_MS)
      this.open.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      worker.postMessage({ id, call, relayedFor: this.deps.addresses.sign(address) } satisfies McpMessage)
    })
  }

  async stop(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    const workerData = { baseUrl: this.deps.baseUrl(), relayHeader: RELAY_HEADER }
    const options = { workerData, execArgv: EXEC_ARGV, resourceLimits: MEMORY }
    const worker = new Worker(new URL('mcp-worker.ts', import.meta.url), options)
    worker.on('message', (reply: McpReply) => {
      if ('failure' in reply)
        this.deps.logger.error({ failure: reply.failure }, 'mcp worker: a message failed; the caller gets an error')
      this.settle(reply.id, 'answer' in reply ? reply.answer : undefined)
    })
    worker.on('error', (err) => this.deps.logger.error({ err }, 'mcp worker: failed; the next message starts it again'))
    worker.once('exit', () => {
      this.worker = undefined
      for (const id of this.open.keys()) this.settle(id, undefined)
    })
    worker.unref()
    return worker
  }

  private settle(id: number, answer: McpAnswer | undefined): void {
    this.open.get(id)?.(answer)
    this.open.delete(id)
  }
}
