import { randomUUIDv7 } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Type } from 'typebox'
import { type AccountVersion, raiseVersion } from '../account-versions.ts'
import { AppError, type FieldError } from '../app-error.ts'
import { createLogger } from '../logger.ts'
import { readConfig, secret } from '../read-config.ts'
import { connectRedis, type RedisClient, redisReady } from '../redis.ts'

/** One command as words, for example `set-tier`, an account, `pro`; its result is printed as JSON. */
type AdminCommand = (words: readonly string[]) => Promise<unknown>
type AdminOutcome = { answer: unknown } | { error: string; errors: FieldError[] }

/** Common dependencies of all admin commands; each service opens its own database. */
type AdminContext = {
  databaseUrl: string
  redis: RedisClient
  now: () => Date
  newId: () => string
  raiseVersion: (version: AccountVersion) => Promise<boolean>
}
type Administration = { command: AdminCommand; close: () => Promise<void> }

const REDIS_TIMEOUT_MS = 1_000
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  REDIS_URL: secret(Type.String({ minLength: 1 })),
})

/**
 * Runs a service's admin commands (`npm run admin`): the one in the arguments or, without arguments, one per line of
 * standard input, each a JSON array of words answered with a line of JSON.
 */
export async function runAdmin(service: string, open: (context: AdminContext) => Administration): Promise<void> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: url } = readConfig(Environment, process.env)
  const logger = createLogger(`${service}-admin`, 'fatal')
  const redis = connectRedis({ url, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  const now = () => new Date()
  const newId = () => randomUUIDv7()
  const context = { databaseUrl, redis, now, newId, raiseVersion: (one: AccountVersion) => raiseVersion(redis, one) }
  const { command, close } = open(context)
  try {
    await redisReady(redis, REDIS_TIMEOUT_MS)
    await answerCommands(process.argv.slice(2), command)
  } finally {
    redis.disconnect()
    await close()
  }
}

async function answerCommands(args: readonly string[], command: AdminCommand): Promise<void> {
  if (args.length > 0) {
    const outcome = await outcomeOf(command, args)
    if ('answer' in outcome) process.stdout.write(`${JSON.stringify(outcome.answer, null, 2)}\n`)
    else {
      process.stderr.write(`${linesOf(outcome).join('\n')}\n`)
      process.exitCode = 1
    }
    return
  }
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await outcomeOf(command, wordsOf(line)))}\n`)
  }
}

async function outcomeOf(command: AdminCommand, words: readonly string[]): Promise<AdminOutcome> {
  try {
    return { answer: await command(words) }
  } catch (error) {
    if (error instanceof AppError) return { error: error.message, errors: error.errors ?? [] }
    return { error: error instanceof Error ? error.message : String(error), errors: [] }
  }
}

function linesOf({ error, errors }: Extract<AdminOutcome, { error: string }>): string[] {
  return [error, ...errors.map(({ field, message }) => `  ${field}: ${message}`)]
}

function wordsOf(line: string): string[] {
  const value: unknown = JSON.parse(line)
  if (!Array.isArray(value)) throw new Error('a command is a JSON array of words')
  return value.map(String)
}
