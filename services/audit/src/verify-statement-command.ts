import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from '@tapeline/service/process/run-command'
import { SignedStatement, StatementProof } from '@tapeline/contracts/audit/statements'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { proofFault, statementFault } from './statements/verify-statement.ts'

const USAGE = `Usage: npm run verify-statement -- <statement.json> --key <public key> [--proof <proof.json>]

Verifies a usage statement offline: its signature, its sums and its Merkle root. With --proof it also verifies that a
request is part of the statement, and prints whether it was charged or rejected. The files may contain the complete
API response.
`

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Reads a response of the API, or only its data. */
function readJson<T extends TSchema>(schema: T, path: string, what: string): Static<T> {
  const value = parseFile(path)
  const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  if (!Value.Check(schema, data)) throw new Error(`${path} is not a ${what}`)
  return data
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { key: { type: 'string' }, proof: { type: 'string' } },
  })
  const [path] = positionals
  if (path === undefined) throw new UsageError('Specify the file of the statement.')
  if (values.key === undefined) throw new UsageError('Specify the public key of the platform with --key.')
  const signed = readJson(SignedStatement, path, 'statement')
  const { statement } = signed
  const fault = statementFault(signed, values.key)
  if (fault !== undefined) return report(`The statement cannot be trusted: ${fault}.`, 1)
  report(
    `The ${statement.final ? 'final' : 'preliminary'} statement of ${statement.account_id} for ${statement.month} is valid: ` +
      `${statement.totals.admitted} requests charged, ${statement.totals.denied + statement.totals.refused} rejected.`,
    0,
  )
  if (values.proof === undefined) return 0
  const proof = readJson(StatementProof, values.proof, 'proof')
  const wrong = proofFault(signed, proof)
  if (wrong !== undefined) return report(`The proof is not valid: ${wrong}.`, 1)
  const { request_id, verdict, time } = proof.row
  const outcome =
    verdict === 'admitted'
      ? 'allowed and charged'
      : `${verdict === 'denied' ? 'rejected by a limit' : 'rejected'} and not charged`
  return report(`Request ${request_id} of ${time} is in the statement: ${outcome}.`, 0)
}

function report(line: string, code: number): number {
  process.stdout.write(`${line}\n`)
  return code
}

await runCommand({ name: 'verify-statement', usage: USAGE, run })
