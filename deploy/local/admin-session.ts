import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { findWebOrigin, type ServiceAddresses } from './find-addresses.ts'
import { REPOSITORY } from './folders.ts'
import type { ServiceName } from './secrets.ts'

export type AdminAnswer = Record<string, unknown>
/** `run` executes one command of the service; it throws the service's message if the command is rejected. */
export type AdminSession = { run: (words: readonly string[]) => Promise<AdminAnswer>; close: () => Promise<void> }

/** A running src/admin.ts of a service; commands and answers are JSON, one per line. */
export function openAdminSession(service: ServiceName, { databaseUrl, redisUrl }: ServiceAddresses): AdminSession {
  const script = join(REPOSITORY, 'services', service, 'src', 'admin.ts')
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, WEB_ORIGIN: findWebOrigin(process.env) },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  // The end of the output means that the child has ended.
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(words) {
      // Answers come in the order of the commands.
      const answer = last.then(() => runLine(child, lines, words))
      last = answer.catch(() => undefined)
      return answer
    },
    async close() {
      child.stdin.end()
      await exited
    },
  }
}

async function runLine(
  { stdin }: ChildProcessByStdio<Writable, Readable, null>,
  lines: ReturnType<Interface[typeof Symbol.asyncIterator]>,
  words: readonly string[],
): Promise<AdminAnswer> {
  stdin.write(`${JSON.stringify(words)}\n`)
  const { value, done } = await lines.next()
  if (done === true) throw new Error('the admin process of the service has ended')
  const outcome: { answer: AdminAnswer } | { error: string; errors: { field: string; message: string }[] } =
    JSON.parse(value)
  if ('answer' in outcome) return outcome.answer
  throw new Error([outcome.error, ...outcome.errors.map(({ field, message }) => `  ${field}: ${message}`)].join('\n'))
}
