type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ) => {
    createScriptURL: (address: string) => unknown
  }
}

export const WORKER = '/push-worker.js'

/** The CSP allows script URLs only through this Trusted Types policy, which permits one URL. Created once. */
const policy = policiesOf(globalThis)?.createPolicy('tapeline-worker', { createScriptURL: () => WORKER })

export function trustedWorker(): string {
  // A TrustedScriptURL, which the browser accepts although the type is string.
  return policy === undefined ? WORKER : (policy.createScriptURL(WORKER) as string)
}

function policiesOf(scope: object): Policies | undefined {
  return 'trustedTypes' in scope ? (scope.trustedTypes as Policies) : undefined
}
