import { createHash } from 'node:crypto'
import type { StatementNode, StatementProof, StatementRow } from '@tapeline/contracts/audit/statements'
import { canonicalJson } from '../evidence/canonical-json.ts'

/** Prefixes that keep a leaf from being taken for an inner node (RFC 6962, 2.1). */
const LEAF = Buffer.from([0])
const INNER = Buffer.from([1])

export type ProofPath = StatementProof['path']

export function hashRow(row: StatementRow): Buffer {
  return hashLeaf(canonicalJson(row))
}

export function hashNode(node: StatementNode): Buffer {
  return hashLeaf(canonicalJson(node))
}

/** The root of a Merkle tree; an odd hash moves up a level as it is, as in RFC 6962. */
export function merkleRoot(leaves: readonly Buffer[]): Buffer {
  let level = leaves
  while (level.length > 1) level = nextLevel(level)
  return level[0] ?? createHash('sha256').digest()
}

/** The siblings from a leaf up to the root. */
export function merklePath(leaves: readonly Buffer[], index: number): ProofPath {
  const path: ProofPath = []
  let level = leaves
  for (let at = index; level.length > 1; at >>= 1) {
    const sibling = level[at ^ 1]
    if (sibling !== undefined) path.push({ side: at % 2 === 0 ? 'right' : 'left', hash: sibling.toString('hex') })
    level = nextLevel(level)
  }
  return path
}

/** The root that a leaf and its siblings lead to. */
export function followPath(leaf: Buffer, path: ProofPath): Buffer {
  return path.reduce((hash, { side, hash: sibling }) => {
    const other = Buffer.from(sibling, 'hex')
    return side === 'left' ? hashPair(other, hash) : hashPair(hash, other)
  }, leaf)
}

function nextLevel(level: readonly Buffer[]): Buffer[] {
  const next: Buffer[] = []
  for (let n = 0; n < level.length; n += 2) {
    const [left, right] = [level[n], level[n + 1]]
    if (left !== undefined) next.push(right === undefined ? left : hashPair(left, right))
  }
  return next
}

function hashPair(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update(INNER).update(left).update(right).digest()
}

function hashLeaf(text: string): Buffer {
  return createHash('sha256').update(LEAF).update(text).digest()
}
