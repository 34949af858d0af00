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

export const FORM_FIELDS = ['name', 'description', 'expires_at', 'networks', 'scopes', 'tags', 'owner_note'] as const
export type FormField = (typeof FORM_FIELDS)[number]

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

/** Only what was changed, so that what was changed elsewhere stays; an expiry at an hour stays while its day does. */
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

/** A new key's body: what was left empty has the server's default. */
export function creationBody(form: KeyForm): Record<string, unknown> {
  const { name, description, expires_at, networks, scopes, owner_note } = form
  const [lines, tags] = [linesOf(networks), linesOf(form.tags)]
  return {
    name: name.trim(),
    scopes,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(expires_at === '' ? {} : { expires_at }),
    ...(lines.length === 0 ? {} : { networks: lines }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(owner_note.trim() === '' ? {} : { owner_note: owner_note.trim() }),
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
