import type { AccountVersion } from '@tapeline/service/account-versions'
import type { SignIn } from '../sessions/record-sign-in.ts'

/** Who came in from the provider. `version`: what gateways are to hear after the commit. */
export type Entry = SignIn & { isNewUser: boolean; version: AccountVersion | undefined }
