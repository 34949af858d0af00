import { parentPort, workerData } from 'node:worker_threads'
import { answerHttp } from '@tapeline/mcp/answer-http'
import type { McpMessage, McpReply } from './mcp-relay.ts'

// Answers MCP messages in a separate thread, because the tools parse and write JSON of up to 100 KB.
const { baseUrl, relayHeader } = workerData as { baseUrl: string; relayHeader: string }

parentPort?.on('message', ({ id, call, relayedFor }: McpMessage) => {
  answerHttp(call, { baseUrl, relayed: { [relayHeader]: relayedFor } }).then(
    (answer) => send({ id, answer }),
    (error: unknown) => send({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
})

function send(reply: McpReply): void {
  parentPort?.postMessage(reply)
}
