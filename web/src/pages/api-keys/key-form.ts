import type { ApiKey } from '@tapeline/contracts/api-key/http'

/** Editable fields of a key, as entered. */
export type KeyForm = { name: string; description: string; expires_at: string; networks: string; scopes: string[] }

export const FORM_FIELDS = ['name', 'description', 'expires_at', 'networks', 'scopes'] as const
export type FormField = (typeof FORM_FIELDS)[number]

export function keyFormOf({ name, description, expires_at, networks, scopes }: ApiKey): KeyForm {
  return {
    name,
    description: description ?? '',
    expires_at: expires_at?.slice(0, 'yyyy-mm-dd'.length) ?? '',
    networks: networks.join('\n'),
    scopes: [...scopes],
  }
}

/** Only what was changed, so that what was changed elsewhere stays; an expiry at an hour stays while its day does. */
export function changedBody(form: KeyForm, key: ApiKey): Record<string, unknown> {
  const before = keyFormOf(key)
  const networks = linesOf(form.networks)
  const isOtherList = (one: readonly string[], other: readonly string[]): boolean =>
    one.toSorted().join('\n') !== other.toSorted().join('\n')
  return {
    ...(form.name.trim() === key.name ? {} : { name: form.name.trim() }),
    ...(form.description.trim() === before.description ? {} : { description: form.description.trim() || null }),
    ...(form.expires_at === before.expires_at ? {} : { expires_at: form.expires_at || null }),
    ...(isOtherList(networks, key.networks) ? { networks } : {}),
    ...(isOtherList(form.scopes, key.scopes) ? { scopes: form.scopes } : {}),
  }
}

/** A new key's body: what was left empty has the server's default. */
export function creationBody({ name, description, expires_at, networks, scopes }: KeyForm): Record<string, unknown> {
  const lines = linesOf(networks)
  return {
    name: name.trim(),
    scopes,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(expires_at === '' ? {} : { expires_at }),
    ...(lines.length === 0 ? {} : { networks: lines }),
  }
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** Which field of the form a pointer of the answer is about: "/networks/2" is of the list. */
export function fieldOf(pointer: string): FormField | undefined {
  const [name] = pointer.split('/').filter(Boolean)
  return FORM_FIELDS.find((field) => field === name)
}
