let send: typeof fetch = (...request) => fetch(...request)

/** Plain, until an answer says that the gateway records it; what reports is fetched then, so that nobody else carries it. */
export const tracedFetch: typeof fetch = (...request) =>
  send(...request).then((response) => {
    // The last digit is set on what is recorded.
    if (response.headers.get('traceparent')?.endsWith('1'))
      void import('./traced.ts').then((found) => (send = found.traced))
    return response
  })
