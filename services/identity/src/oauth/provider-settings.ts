export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** For each call that a sign-in makes, and for finding out how to make them. */
  timeoutSeconds: number
}
