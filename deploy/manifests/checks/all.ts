import { availability } from './availability.ts'
import { autoscaling } from './autoscaling.ts'
import type { Checks } from './check.ts'
import { confinement } from './confinement.ts'
import { environment } from './environment.ts'
import { exposure } from './exposure.ts'
import { lifecycle } from './lifecycle.ts'
import { network } from './network.ts'
import { resources } from './resources.ts'
import { selection } from './selection.ts'

/** Rules for all objects applied to a cluster that a schema cannot express. */
export const CHECKS: Checks = {
  ...confinement,
  ...resources,
  ...lifecycle,
  ...environment,
  ...selection,
  ...availability,
  ...autoscaling,
  ...network,
  ...exposure,
}
