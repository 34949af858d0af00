import type { SignedStatement, StatementProof } from '@tapeline/contracts/audit/statements'
import { isSigned } from '../evidence/signatures.ts'
import { followPath, hashNode, hashRow, merkleRoot } from './merkle-tree.ts'
import { addCounts, NO_COUNTS } from './read-leaves.ts'

/** What is wrong with a statement, or undefined. Needs nothing but the statement and the key. */
export function statementFault({ statement, signature }: SignedStatement, publicKey: string): string | undefined {
  if (!isSigned(statement, { ...signature, algorithm: 'Ed25519' }, [publicKey])) {
    return 'it was not signed with this key, or was changed after it was signed'
  }
  const root = merkleRoot(statement.nodes.map(hashNode)).toString('hex')
  if (root !== statement.merkle_root) return 'its Merkle root does not belong to its hours'
  const totals = { ...NO_COUNTS }
  for (const line of statement.lines) addCounts(totals, line)
  if (Object.entries(totals).some(([name, value]) => statement.totals[name as keyof typeof totals] !== value)) {
    return 'its totals are not the sums of its lines'
  }
  const requests = totals.admitted + totals.denied + totals.refused
  const inHours = statement.nodes.reduce((sum, node) => sum + (node.kind === 'hour' ? node.requests : 0), 0)
  return requests === inHours ? undefined : 'its lines and its hours contain different numbers of requests'
}

/** Why a proof does not show that its request is in the statement, or undefined. */
export function proofFault({ statement }: SignedStatement, { node, row, path }: StatementProof): string | undefined {
  if (row.account_id !== statement.account_id) return 'its request is of another account'
  const own = hashNode(node)
  if (!statement.nodes.some((one) => hashNode(one).equals(own))) return 'its hour is not in the statement'
  const root = followPath(hashRow(row), path).toString('hex')
  return root === node.root ? undefined : 'its row does not belong to the hour'
}
