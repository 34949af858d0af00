/** The form in which e-mail addresses are compared; PostgreSQL text cannot hold NUL, which no address has. */
export function canonicalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase().replaceAll('\0', '\uFFFD')
}
