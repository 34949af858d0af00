import type { ApiKey } from '@tapeline/contracts/api-key/http'

/** Editable fields of a key, as entered. */
export type KeyForm = {
  name: string
  description: string
  expires_at: string
  networks: string
  scopes: string[]
  tags: string
  owner_note: string
}

export function keyFormOf(key: ApiKey): KeyForm {
  const { name, description, expires_at, networks, scopes, tags, owner_note } = key
  return {
    name,
    description: description ?? '',
    expires_at: expires_at?.slice(0, 'yyyy-mm-dd'.length) ?? '',
    networks: networks.join('\n'),
    scopes: [...scopes],
    tags: tags.join(' '),
    owner_note: owner_note ?? '',
  }
}

/** Only changed fields, so that changes made elsewhere are kept; the time of an expiry is kept unless its day changes. */
export function changedBody(form: KeyForm, key: ApiKey): Record<string, unknown> {
  const before = keyFormOf(key)
  return {
    ...(form.name.trim() === key.name ? {} : { name: form.name.trim() }),
    ...(form.description.trim() === before.description ? {} : { description: form.description.trim() || null }),
    ...(form.expires_at === before.expires_at ? {} : { expires_at: form.expires_at || null }),
    ...(form.owner_note.trim() === before.owner_note ? {} : { owner_note: form.owner_note.trim() || null }),
    ...changedLists(form, key),
  }
}

/** The order of a list has no meaning. */
function changedLists(form: KeyForm, key: ApiKey): Record<string, readonly string[]> {
  const lists = { networks: linesOf(form.networks), scopes: form.scopes, tags: linesOf(form.tags) }
  const isOtherList = (one: readonly string[], other: readonly string[]): boolean =>
    one.toSorted().join('\n') !== other.toSorted().join('\n')
  return {
    ...(isOtherList(lists.networks, key.networks) ? { networks: lists.networks } : {}),
    ...(isOtherList(lists.scopes, key.scopes) ? { scopes: lists.scopes } : {}),
    ...(isOtherList(lists.tags, key.tags) ? { tags: lists.tags } : {}),
  }
}

/** The body for a new key; empty fields get the server's defaults. */
export function creationBody(form: Pick<KeyForm, 'name'> & Partial<KeyForm>): Record<string, unknown> {
  const entered = {
    description: form.description?.trim(),
    expires_at: form.expires_at,
    owner_note: form.owner_note?.trim(),
    scopes: form.scopes,
    networks: linesOf(form.networks ?? ''),
    tags: linesOf(form.tags ?? ''),
  }
  const filled = Object.entries(entered).filter(([, value]) => value !== undefined && value.length > 0)
  return { name: form.name.trim(), ...Object.fromEntries(filled) }
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}
