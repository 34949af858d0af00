import { type Direction, type Json, SchemaComparison } from './compare-schemas.ts'

type Parameter = { name: string; in: string; required?: boolean; schema: Json }
type Content = Record<string, { schema?: Json }>
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
  security?: object[]
  'x-scope'?: string
  'x-service-scope'?: string
}
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Describes, in one sentence each, the calls and responses that break a client of the old document. */
export function findBreakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  const now = new Map(callsOf(after))
  return callsOf(before).flatMap(([call, old]) => {
    const current = now.get(call)
    if (current === undefined) return [`${call}: the call is gone`]
    return new OperationComparison(call, new SchemaComparison(before.components.schemas, after.components.schemas)).run(
      old,
      current,
    )
  })
}

function callsOf({ paths }: ApiDocument): [call: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

class OperationComparison {
  private readonly call: string
  private readonly schemas: SchemaComparison

  constructor(call: string, schemas: SchemaComparison) {
    this.call = call
    this.schemas = schemas
  }

  run(before: Operation, after: Operation): string[] {
    const found = [
      ...names(before, after),
      ...credentials(before, after),
      ...this.parameters(before.parameters ?? [], after.parameters ?? []),
      ...this.body(before.requestBody, after.requestBody),
      ...this.answers(before.responses, after.responses),
    ]
    return [...new Set(found)].map((text) => `${this.call}: ${text}`)
  }

  private parameters(before: Parameter[], after: Parameter[]): string[] {
    const was = new Map(before.map((one) => [`${one.in} ${one.name}`, one]))
    const is = new Map(after.map((one) => [`${one.in} ${one.name}`, one]))
    const removed = [...was.keys()].filter((key) => !is.has(key)).map((key) => `the parameter ${key} is gone`)
    const required = [...is]
      .filter(([key, { required = false }]) => required && was.get(key)?.required !== true)
      .map(([key]) => `the parameter ${key} is required now`)
    const changed = [...was].flatMap(([key, { schema }]) => this.compare('sent', key, [schema, is.get(key)?.schema]))
    return [...removed, ...required, ...changed]
  }

  private body(before: Operation['requestBody'], after: Operation['requestBody']): string[] {
    if (after === undefined) return before === undefined ? [] : ['the body is gone']
    const required = after.required === true && before?.required !== true ? ['a body is required now'] : []
    return [...required, ...this.content('sent', 'body', [before?.content ?? {}, after.content])]
  }

  /** All failures share one schema, so only successful responses are compared. */
  private answers(before: Operation['responses'], after: Operation['responses']): string[] {
    return Object.entries(before)
      .filter(([status]) => /^[23]/.test(status))
      .flatMap(([status, { content = {} }]) => {
        const now = after[status]
        if (now === undefined) return [`the answer ${status} is gone`]
        return this.content('received', `answer ${status}`, [content, now.content ?? {}])
      })
  }

  private content(direction: Direction, where: string, [before, after]: [Content, Content]): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      if (after[type] === undefined) return [`${where}: ${type} is gone`]
      return this.compare(direction, where, [schema, after[type].schema])
    })
  }

  private compare(
    direction: Direction,
    where: string,
    [before, after]: [Json | undefined, Json | undefined],
  ): string[] {
    return before === undefined || after === undefined ? [] : this.schemas.compare(direction, where, [before, after])
  }
}

/** Generated clients name their functions after the operation. */
function names(before: Operation, after: Operation): string[] {
  return before.operationId === after.operationId
    ? []
    : [`its name was ${before.operationId} and is ${after.operationId}`]
}

function credentials(before: Operation, after: Operation): string[] {
  const needs = (name: 'x-scope' | 'x-service-scope') =>
    after[name] !== before[name] && after[name] !== undefined ? [`it needs the scope ${after[name]} now`] : []
  const accepted = new Set((after.security ?? [{}]).map((one) => JSON.stringify(one)))
  const refused = (before.security ?? [{}])
    .map((one) => JSON.stringify(one))
    .filter((one) => after.security?.length !== 0 && !accepted.has(one))
  return [...needs('x-scope'), ...needs('x-service-scope'), ...refused.map((one) => `the credential ${one} is refused`)]
}
