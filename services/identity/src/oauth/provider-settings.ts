export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** Timeout of each call of a sign-in, including the discovery. */
  timeoutSeconds: number
}
