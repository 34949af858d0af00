let send: typeof fetch = (...request) => fetch(...request)

/** Plain fetch until an answer shows that the gateway records traces; only then is the reporting code loaded. */
export const tracedFetch: typeof fetch = (...request) =>
  send(...request).then((response) => {
    // A `traceparent` that ends in `-01` has the flag `sampled` (W3C Trace Context): the trace is recorded.
    if (response.headers.get('traceparent')?.endsWith('1'))
      void import('./traced.ts').then((found) => (send = found.traced))
    return response
  })
