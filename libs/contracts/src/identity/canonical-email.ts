/** Canonical form for comparing e-mail addresses. NUL is removed because PostgreSQL text cannot store it. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\uFFFD')
}
