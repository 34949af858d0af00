import { Answer, answer } from '@tapeline/contracts/answer'
import {
  EvidenceKeys,
  InvoiceQuery,
  OfMonth,
  SignedStatement,
  StatementList,
  StatementProof,
  StatementProofQuery,
} from '@tapeline/contracts/audit/statements'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from '../deps.ts'
import { keyIdOf } from '../evidence/signatures.ts'
import { exportInvoice } from './export-invoice.ts'
import { listStatements, proveRequest, showStatement } from './show-statement.ts'

const statements = { access: { role: 'user', serviceScope: 'usage:read' } } as const

/** Signed usage statements of the caller's account. */
export function addStatementRoutes(app: Server, deps: Deps): void {
  app.get(
    '/api/v1/evidence-keys',
    { config: { access: 'public' }, schema: { response: { 200: Answer(EvidenceKeys) } } },
    async () => {
      const keys = deps.signer.publicKeys.map((publicKey) => ({ key_id: keyIdOf(publicKey), public_key: publicKey }))
      return answer('Public keys of statements and anchors', { keys })
    },
  )
  app.get(
    '/api/v1/internal/statements',
    { config: statements, schema: { response: { 200: Answer(StatementList) } } },
    async (request) => answer('Usage statements', await listStatements(deps, userOf(request))),
  )
  app.get(
    '/api/v1/internal/statements/:month',
    { config: statements, schema: { params: OfMonth, response: { 200: Answer(SignedStatement) } } },
    async (request) => answer('Usage statement', await showStatement(deps, userOf(request), request.params.month)),
  )
  app.get(
    '/api/v1/internal/statements/:month/proof',
    {
      config: statements,
      schema: { params: OfMonth, querystring: StatementProofQuery, response: { 200: Answer(StatementProof) } },
    },
    async (request) => {
      const requested = { month: request.params.month, requestId: request.query.request_id }
      return answer('Proof', await proveRequest(deps, userOf(request), requested))
    },
  )
  app.get(
    '/api/v1/internal/statements/:month/invoice',
    { config: statements, schema: { params: OfMonth, querystring: InvoiceQuery }, exposeHeadRoute: false },
    async (request, reply) => {
      const { name, body } = await exportInvoice(deps, userOf(request), request.params.month, request.query)
      return reply
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'no-store')
        .type('application/jsonl; charset=utf-8')
        .send(body)
    },
  )
}
