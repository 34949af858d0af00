import { type Static, Type } from 'typebox'

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })
const Count = Type.Integer({ minimum: 0 })
const Month = Type.String({ description: 'Calendar month in UTC, `2026-11`.' })
const KeyId = Type.String({ description: 'First 16 hexadecimal digits of the SHA-256 of the public key.' })

const counts = {
  /** Requests that the limiter allowed: what is charged for. */
  admitted: Count,
  /** Rejected by a limit: 429. */
  denied: Count,
  /** Rejected because of the state, scope or network of the key: 401 or 403. */
  refused: Count,
  bytes_out: Count,
  rows_returned: Count,
}
export const StatementCounts = Type.Object(counts)
export type StatementCounts = Static<typeof StatementCounts>

/** Requests of a key to a route on a UTC day. */
export const StatementLine = Type.Object({
  day: Type.String({ format: 'date' }),
  key_id: Type.String(),
  route: Type.String(),
  ...counts,
})
export type StatementLine = Static<typeof StatementLine>

/** The Merkle root of the rows of a closed hour, or of the rows that arrived after it was closed. */
export const StatementNode = Type.Object({
  kind: Type.Enum(['hour', 'correction'] as const),
  hour: Type.String({ format: 'date-time', description: 'Start of the hour, RFC 3339.' }),
  requests: Count,
  root: Hash('Merkle root (RFC 6962) of the rows, hexadecimal.'),
})
export type StatementNode = Static<typeof StatementNode>

export const Statement = Type.Object({
  format: Type.Literal('tapeline-usage-statement/1'),
  account_id: Type.String(),
  month: Month,
  /** False until all hours of the month are closed. */
  final: Type.Boolean(),
  /** Hours before this time are included. */
  closed_until: Type.String({ format: 'date-time' }),
  issued_at: Type.String({ format: 'date-time' }),
  totals: StatementCounts,
  lines: Type.Array(StatementLine),
  /** Requests that arrived after the hour of their time was closed; not contained in `lines`. */
  corrections: Type.Array(StatementLine),
  /** Hours in order, then corrections in order of their hours. */
  nodes: Type.Array(StatementNode),
  merkle_root: Hash('Merkle root (RFC 6962) of the nodes, hexadecimal.'),
})
export type Statement = Static<typeof Statement>

export const Signature = Type.Object({
  algorithm: Type.Literal('Ed25519'),
  key_id: KeyId,
  public_key: Type.String({ description: 'Public key, 32 bytes, base64url.' }),
  value: Type.String({ description: 'Signature over the canonical JSON (RFC 8785), base64url.' }),
})
/** Public keys whose signatures on statements and anchors are valid, newest first. */
export const EvidenceKeys = Type.Object({
  keys: Type.Array(Type.Object({ key_id: KeyId, public_key: Type.String() })),
})
export const SignedStatement = Type.Object({ statement: Statement, signature: Signature })
export type SignedStatement = Static<typeof SignedStatement>

/** A usage row as its leaf of the Merkle tree contains it. */
export const StatementRow = Type.Object({
  id: Type.String(),
  time: Type.String(),
  request_id: Type.String(),
  account_id: Type.String(),
  key_id: Type.String(),
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  outcome: Type.String(),
  /** `admitted`: allowed and charged; `denied` or `refused`: not charged. */
  verdict: Type.String({ description: '`admitted`: allowed and charged; `denied`, `refused`: not charged.' }),
  bytes_out: Count,
  rows_returned: Count,
})
export type StatementRow = Static<typeof StatementRow>

/** Proves that a request is part of a statement: hash the row, then hash it with each sibling, up to the node's root. */
export const StatementProof = Type.Object({
  month: Month,
  node: StatementNode,
  row: StatementRow,
  path: Type.Array(
    Type.Object({
      side: Type.Enum(['left', 'right'] as const, { description: 'Side on which the hash stands.' }),
      hash: Hash('SHA-256, hexadecimal.'),
    }),
    { description: 'Sibling hashes on the path from the leaf to the root.' },
  ),
})
export type StatementProof = Static<typeof StatementProof>

export const StatementSummary = Type.Object({
  month: Month,
  final: Type.Boolean(),
  requests: Count,
  corrections: Count,
  closed_until: Type.String({ format: 'date-time' }),
})
export type StatementSummary = Static<typeof StatementSummary>
export const StatementList = Type.Object({ statements: Type.Array(StatementSummary) })
export type StatementList = Static<typeof StatementList>

export const OfMonth = Type.Object({
  month: Type.String({
    pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
    description: 'Calendar month in UTC, `2026-11`.',
  }),
})
export const StatementProofQuery = Type.Object(
  { request_id: Type.String({ pattern: '^[0-9a-f]{32}$' }) },
  { additionalProperties: false },
)

export const BILLING_SYSTEMS = ['stripe', 'openmeter', 'lago'] as const
export type BillingSystem = (typeof BILLING_SYSTEMS)[number]
export const InvoiceQuery = Type.Object(
  {
    system: Type.Enum(BILLING_SYSTEMS),
    /** Customer (Stripe, OpenMeter) or subscription (Lago) in the billing system; by default the account's id. */
    customer: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w:.@-]+$' })),
  },
  { additionalProperties: false },
)
export type InvoiceQuery = Static<typeof InvoiceQuery>
