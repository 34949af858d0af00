import { CALL_REPORTS_PATH } from '@tapeline/contracts/gateway/http'
import { newProblem, type Problem } from '../problems/problem.ts'

const GET = ['GET', 'HEAD']

/**
 * Methods of the paths that stand for themselves, so that a wrong one is told before anybody has to say who they are:
 * it is no secret. What stands behind a `*` is the service's to say, after it knows who asks.
 */
const METHODS = new Map<string, readonly string[]>([
  ['/api/v1/trades/list', ['POST']],
  ['/api/v1/l2events/list', ['POST']],
  ['/api/v1/instruments', GET],
  ['/api/v1/sample', GET],
  ['/api/v1/health', GET],
  ['/api/v1/limits', GET],
  [CALL_REPORTS_PATH, ['POST']],
  ['/api/v1/internal/user/create', ['PUT']],
  ['/api/v1/user/create', ['PUT']],
  ['/api/v1/internal/user/login', ['POST']],
  ['/api/v1/internal/user/refresh', ['POST']],
  ['/api/v1/internal/user/forgot-password', ['POST']],
  ['/api/v1/internal/user/verify-reset-token', GET],
  ['/api/v1/internal/user/reset-password', ['POST']],
  ['/api/v1/internal/user/device-link', ['POST']],
  ['/api/v1/internal/user/trust-device', ['POST']],
  ['/api/v1/internal/user/verify-email', ['POST']],
  ['/api/v1/internal/user/confirm-email-change', ['POST']],
  ['/api/v1/internal/user/export/open', ['POST']],
  ['/api/v1/internal/user/feature-flags', GET],
  ['/api/v1/internal/oauth/google', GET],
  ['/api/v1/internal/oauth/google/callback', ['POST']],
  ['/api/v1/internal/oauth/google/confirm', ['POST']],
  ['/api/v1/internal/oauth/google/disconnect', ['POST']],
  ['/api/v1/internal/user/settings', [...GET, 'PUT']],
  ['/api/v1/internal/subscription/pricing', GET],
  ['/api/v1/internal/subscription', GET],
  ['/api/v1/internal/api-keys', [...GET, 'POST']],
  ['/api/v1/internal/apikeyaudit/export', GET],
  ['/api/v1/internal/requests', GET],
  ['/api/v1/internal/requests/export', GET],
  ['/api/v1/internal/audit-trail', GET],
  ['/api/v1/internal/notifications', GET],
  ['/api/v1/internal/events', GET],
  ['/api/v1/status', GET],
  ['/api/v1/contact', ['POST']],
  ['/api/v1/admin/users', [...GET, 'PATCH']],
])

const problems = new Map([...METHODS].map(([pattern, methods]) => [pattern, wrongMethod(methods)]))

/** The refusal of a method that a path does not have; undefined: it has it, or its service says. */
export function methodProblem(pattern: string, method = 'GET'): Problem | undefined {
  return METHODS.get(pattern)?.includes(method) === false ? problems.get(pattern) : undefined
}

function wrongMethod(methods: readonly string[]): Problem {
  const shown = methods.filter((method) => method !== 'HEAD').join(' or ')
  return { ...newProblem('request.method_not_allowed', `Use ${shown} here.`), headers: ['allow', methods.join(', ')] }
}
