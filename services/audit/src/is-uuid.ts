const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the text is a UUID in its canonical form, which PostgreSQL accepts. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
