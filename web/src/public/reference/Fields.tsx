import { t } from '@lingui/core/macro'
import type { Token } from 'marked'
import { inline } from '../docs/inline.tsx'
import type { Operation, Schema } from './read-operations.ts'
import { typeText } from './type-text.ts'

type Field = { name: string; schema: Schema; isRequired: boolean; where: string }
type FieldsProps = { operation: Operation; words: ReadonlyMap<string, Token[]> }

/** All parameters of a call in one list: path, query, headers and body. */
export function Fields({ operation, words }: FieldsProps) {
  const fields = fieldsOf(operation)
  if (fields.length === 0) return null
  return (
    <dl className="fields">
      {fields.map(({ name, schema, isRequired, where }) => (
        <div key={`${where} ${name}`}>
          <dt>{name}</dt>
          <dd>
            <small>
              {[shortType(schema), boundsOf(schema), isRequired ? t`required` : '', where].filter(Boolean).join(', ')}
            </small>
            {inline(words.get(`${operation.id}.${name}`) ?? words.get(name) ?? [])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function fieldsOf({ parameters, body }: Operation): Field[] {
  const required = new Set(body?.required)
  return [
    ...parameters.map(({ name, schema, required: isRequired = false, in: place }) => ({
      name,
      schema,
      isRequired,
      where: placeWords(place),
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      schema,
      isRequired: required.has(name),
      where: '',
    })),
  ]
}

function placeWords(place: 'path' | 'query' | 'header'): string {
  if (place === 'path') return t`in the path`
  return place === 'query' ? t`in the query` : t`a header`
}

/** Type on one line; nested types are in the body's own type. */
function shortType(schema: Schema): string {
  const text = typeText(schema)
    .replaceAll(/\s*\n\s*/g, '; ')
    .replaceAll(/\{; /g, '{ ')
    .replaceAll(/; \}/g, ' }')
  return text.length <= 90 ? text : `${text.slice(0, text.indexOf('{') + 1)} … }`
}

function boundsOf({ minimum, maximum, maxItems, maxLength }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return t`${minimum} to ${maximum}`
  if (maxItems !== undefined) return t`up to ${maxItems}`
  return maxLength === undefined ? '' : t`up to ${maxLength} characters`
}
