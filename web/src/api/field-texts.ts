import { msg } from '@lingui/core/macro'

/**
 * Sentences about a field by the rule that its value violates and, where needed, the rule's argument: for the catalogs of the
 * other languages. English comes from libs/contracts/src/field-sentence.ts and the services. No page loads this file.
 */
export const fieldTexts = {
  body: msg({ id: 'field body', message: 'The body' }),
  required: msg({ id: 'field required', message: '{name} is required' }),
  additionalProperties: msg({ id: 'field additionalProperties', message: '{name} is not a known field' }),
  pattern: msg({ id: 'field pattern', message: '{name} is blank or contains characters that are not allowed' }),
  enum: msg({ id: 'field enum', message: '{name} must be one of {limit}' }),
  const: msg({ id: 'field const', message: '{name} must be {limit}' }),
  type: msg({ id: 'field type', message: '{name} has the wrong type' }),
  'type string': msg({ id: 'field type string', message: '{name} must be a string' }),
  'type integer': msg({ id: 'field type integer', message: '{name} must be a whole number' }),
  'type number': msg({ id: 'field type number', message: '{name} must be a number' }),
  'type boolean': msg({ id: 'field type boolean', message: '{name} must be true or false' }),
  'type object': msg({ id: 'field type object', message: '{name} must be a JSON object' }),
  'type array': msg({ id: 'field type array', message: '{name} must be a list' }),
  format: msg({ id: 'field format', message: '{name} has the wrong format' }),
  'format email': msg({ id: 'field format email', message: '{name} must be an email address' }),
  'format uuid': msg({ id: 'field format uuid', message: '{name} must be a UUID' }),
  'format date': msg({ id: 'field format date', message: '{name} must be a date, like 2026-03-12' }),
  'format date-time': msg({
    id: 'field format date-time',
    message: '{name} must be a date and time in RFC 3339, like 2026-03-12T00:00:00Z',
  }),
  'format date or date-time': msg({
    id: 'field format date or date-time',
    message: '{name} must be a date, like 2026-03-12, or a date and time in RFC 3339, like 2026-03-12T00:00:00Z',
  }),
  minimum: msg({ id: 'field minimum', message: '{name} must be {limit} or more' }),
  maximum: msg({ id: 'field maximum', message: '{name} must be {limit} or less' }),
  exclusiveMinimum: msg({ id: 'field exclusiveMinimum', message: '{name} must be more than {limit}' }),
  exclusiveMaximum: msg({ id: 'field exclusiveMaximum', message: '{name} must be less than {limit}' }),
  multipleOf: msg({ id: 'field multipleOf', message: '{name} must be a multiple of {limit}' }),
  'minLength 1': msg({ id: 'field minLength 1', message: '{name} must not be empty' }),
  minLength: msg({ id: 'field minLength', message: '{name} must have at least {limit} characters' }),
  maxLength: msg({ id: 'field maxLength', message: '{name} must have at most {limit} characters' }),
  'minItems 1': msg({ id: 'field minItems 1', message: '{name} must not be empty' }),
  minItems: msg({ id: 'field minItems', message: '{name} must have at least {limit} entries' }),
  maxItems: msg({ id: 'field maxItems', message: '{name} must have at most {limit} entries' }),
  'minProperties 1': msg({ id: 'field minProperties 1', message: '{name} must have at least 1 field' }),
  minProperties: msg({ id: 'field minProperties', message: '{name} must have at least {limit} fields' }),
  maxProperties: msg({ id: 'field maxProperties', message: '{name} must have at most {limit} fields' }),
  laterThan: msg({ id: 'field laterThan', message: '{name} must be later than {limit}' }),
  timestamp: msg({
    id: 'field timestamp',
    message: '{name} must be RFC 3339 (2024-08-08T23:54:14Z), a date, or nanoseconds since 1970, up to 2262',
  }),
  notInFuture: msg({ id: 'field notInFuture', message: '{name} must not be in the future' }),
  wholeHour: msg({
    id: 'field wholeHour',
    message: '{name} must be a whole hour when it is older than {limit} days',
  }),
  knownInstrument: msg({ id: 'field knownInstrument', message: '{name} must select a known instrument' }),
  maxInstruments: msg({ id: 'field maxInstruments', message: '{name} must select at most {limit} instruments' }),
  uniqueItems: msg({ id: 'field uniqueItems', message: '{name} must not contain the same entry twice' }),
  network: msg({
    id: 'field network',
    message: 'Enter an IPv4 or IPv6 address, or a network in CIDR notation such as 203.0.113.0/24.',
  }),
  networkHostBits: msg({
    id: 'field networkHostBits',
    message: '{name} is an address inside a network. Did you mean {limit}?',
  }),
  expiry: msg({
    id: 'field expiry',
    message: 'Enter a date (2026-03-12: until the end of that day, UTC) or a date and time (2026-03-12T15:04:05Z).',
  }),
  controlCharacters: msg({ id: 'field controlCharacters', message: '{name} contains control characters.' }),
  limitOrder: msg({ id: 'field limitOrder', message: '{name} is above {limit}, so it can never be reached' }),
}
