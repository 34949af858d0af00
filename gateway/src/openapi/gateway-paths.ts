import { Answer } from '@tapeline/contracts/answer'
import { LimitsReport } from '@tapeline/contracts/gateway/http'
import { type TSchema, Type } from 'typebox'
import type { Paths } from './openapi-document.ts'

/** What the gateway answers itself. */
export const gatewayPaths: Paths = {
  '/api/v1/limits': { get: answers('What is left of every limit', LimitsReport) },
  '/api/v1/health': { get: answers('The gateway serves', Type.Object({ status: Type.Literal('ok') })) },
}

function answers(description: string, data: TSchema) {
  return { responses: { '200': { description, content: { 'application/json': { schema: Answer(data) } } } } }
}
