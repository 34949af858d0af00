/** Canonical form for comparing e-mail addresses: NFKC, trimmed, lower case. PostgreSQL text cannot store NUL. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\uFFFD')
}
