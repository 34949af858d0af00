import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SignedStatement, StatementProof } from '@tapeline/contracts/audit/statements'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { proofFault, statementFault } from './statements/verify-statement.ts'

const USAGE = `Usage: npm run verify-statement -- <statement.json> --key <public key> [--proof <proof.json>]

Verifies a usage statement offline: its signature, its sums and its Merkle root. With --proof it also verifies that a
request is part of the statement, and prints whether it was charged or rejected. The files may contain the complete
API response.
`

/** Reads a response of the API, or only its data. */
function readJson<T extends TSchema>(schema: T, path: string, what: string): Static<T> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  const data: unknown = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  if (!Value.Check(schema, data)) throw new Error(`${path} is not a ${what}`)
  return data
}

function run(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, proof: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const [path] = positionals
  if (values.help === true || path === undefined || values.key === undefined) {
    process.stderr.write(USAGE)
    return values.help === true ? 0 : 2
  }
  const signed = readJson(SignedStatement, path, 'statement')
  const { statement } = signed
  const fault = statementFault(signed, values.key)
  if (fault !== undefined) return report(`The statement cannot be trusted: ${fault}.`, 1)
  report(
    `The ${statement.final ? 'final' : 'preliminary'} statement of ${statement.account_id} for ${statement.month} is valid: ` +
      `${statement.totals.admitted} requests charged, ${statement.totals.denied + statement.totals.refused} rejected.`,
    0,
  )
  return values.proof === undefined ? 0 : verifyProof(signed, values.proof)
}

function verifyProof(signed: Static<typeof SignedStatement>, path: string): number {
  const proof = readJson(StatementProof, path, 'proof')
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

try {
  process.exitCode = run()
} catch (error) {
  process.stderr.write(`verify-statement: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
