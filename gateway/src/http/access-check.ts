import type { PresentedRequest } from '../auth/authenticate.ts'
import type { RequestToAdmit } from '../auth/admission.ts'
import type { AccountPlan } from '../limiter/account-plan.ts'
import type { Problem } from '../problems/problem.ts'
import type { Decision } from '../usage/decision.ts'
import type { RequestContext } from './request-context.ts'

/** A request that is admitted once more while its answer is open: it is not counted again and takes no lease. */
export class AccessCheck implements PresentedRequest, RequestToAdmit {
  readonly request: RequestContext['request']
  readonly throttleAddress: string
  readonly address: string
  readonly route: RequestContext['route']
  isCounted = false
  plan: AccountPlan | undefined
  decision: Decision | undefined
  leaseId = ''
  readonly response: RequestToAdmit['response']

  constructor({ request, throttleAddress, address, route }: RequestContext, onProblem: (problem: Problem) => void) {
    this.request = request
    this.throttleAddress = throttleAddress
    this.address = address
    this.route = route
    this.response = { isGone: false, sendProblem: onProblem, clientDisconnected() {} }
  }
}
