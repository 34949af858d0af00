import { Command, type Redis } from 'ioredis'

export type Sent = { name: string; words: string[] }
export type Result = [error: Error | null, reply: unknown]

const OPTIONS = { replyEncoding: 'utf8' } as const

/**
 * Sends commands in one write and calls back once, with all replies in order. What a pipeline does beside that, a promise
 * and a list of its own for each call, costs as much as the decision when few requests come at a time.
 */
export function sendTogether(redis: Redis, commands: readonly Sent[], onReplies: (results: Result[]) => void): void {
  const results: Result[] = []
  let left = commands.length
  const take = (n: number, error: Error | null, reply: unknown): void => {
    results[n] = [error, reply]
    left -= 1
    if (left === 0) onReplies(results)
  }
  const { stream } = redis
  stream.cork()
  for (const [n, { name, words }] of commands.entries()) {
    redis.sendCommand(new Command(name, words, OPTIONS, (error, reply) => take(n, error ?? null, reply)))
  }
  stream.uncork()
}
