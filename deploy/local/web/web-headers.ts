/** Strict, because tokens are in web storage and no foreign script may run. The same as in deploy/nginx.conf. */
export function securityHeaders(gatewayOrigin: string): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self'`,
    `font-src 'self'`,
    `manifest-src 'self'`,
    `connect-src ${connectionsTo(gatewayOrigin)}`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    // The only script URL that a script of a page registers: the worker that shows push messages.
    `trusted-types tapeline-worker`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

/** `'self'` covers WebSockets of the same origin; another origin is named once for each scheme. */
function connectionsTo(origin: string): string {
  return origin.startsWith('http') ? `${origin} ${origin.replace('http', 'ws')}` : origin
}
