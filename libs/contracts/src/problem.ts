import { type Static, Type } from 'typebox'

export const PROBLEM_CONTENT_TYPE = 'application/problem+json'

/**
 * Body of every failed call: RFC 9457 problem details plus the fields that the dashboard's client reads (`success`,
 * `message`).
 */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.Optional(Type.String()),
  code: Type.String(),
  /**
   * `field` is a JSON pointer into the body (RFC 6901) or the name of a parameter. `rule` is the violated JSON Schema
   * keyword or a check of the service (`networkHostBits`); `limit` is its argument (254 of `maxLength`).
   */
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        field: Type.String(),
        message: Type.String(),
        rule: Type.Optional(Type.String()),
        limit: Type.Optional(Type.Union([Type.Number(), Type.String()])),
      }),
    ),
  ),
  request_id: Type.Optional(Type.String()),
  success: Type.Literal(false),
  message: Type.String(),
})
export type Problem = Static<typeof Problem>
