import { msg } from '@lingui/core/macro'

/**
 * What a field is told that does not keep a rule of its schema, by the rule and, where that says more, what it asks for: for the
 * catalogs of the other languages, in the words of libs/service/src/to-app-error.ts. No page loads this file.
 */
export const fieldTexts = {
  body: msg({ id: 'field body', message: 'The body' }),
  required: msg({ id: 'field required', message: '{name} is required' }),
  additionalProperties: msg({ id: 'field additionalProperties', message: '{name} is not a known field' }),
  pattern: msg({ id: 'field pattern', message: '{name} is blank or has characters that do not belong there' }),
  enum: msg({ id: 'field enum', message: '{name} must be one of {limit}' }),
  'type string': msg({ id: 'field type string', message: '{name} must be a string' }),
  'type integer': msg({ id: 'field type integer', message: '{name} must be a whole number' }),
  'type number': msg({ id: 'field type number', message: '{name} must be a number' }),
  'type boolean': msg({ id: 'field type boolean', message: '{name} must be true or false' }),
  'type object': msg({ id: 'field type object', message: '{name} must be a JSON object' }),
  'type array': msg({ id: 'field type array', message: '{name} must be a list' }),
  'format email': msg({ id: 'field format email', message: '{name} must be an email address' }),
  'format uuid': msg({ id: 'field format uuid', message: '{name} must be a UUID' }),
  'format date': msg({ id: 'field format date', message: '{name} must be a date, like 2026-03-12' }),
  'format date-time': msg({
    id: 'field format date-time',
    message: '{name} must be a date and time in RFC 3339, like 2026-03-12T00:00:00Z',
  }),
  minimum: msg({ id: 'field minimum', message: '{name} must be {limit} or more' }),
  maximum: msg({ id: 'field maximum', message: '{name} must be {limit} or less' }),
  'minLength 1': msg({ id: 'field minLength 1', message: '{name} must not be empty' }),
  minLength: msg({ id: 'field minLength', message: '{name} needs {limit} characters' }),
  maxLength: msg({ id: 'field maxLength', message: '{name} must have {limit} characters at most' }),
  'minItems 1': msg({ id: 'field minItems 1', message: '{name} must not be empty' }),
  minItems: msg({ id: 'field minItems', message: '{name} needs {limit} entries' }),
  maxItems: msg({ id: 'field maxItems', message: '{name} must have {limit} entries at most' }),
}
