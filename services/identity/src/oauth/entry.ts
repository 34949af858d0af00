import type { AccountVersion } from '@tapeline/service/account-versions'
import type { SignIn } from '../sessions/record-sign-in.ts'

/** Result of a provider sign-in. `version`: the version to write to Redis after the commit. */
export type Entry = SignIn & { isNewUser: boolean; version: AccountVersion | undefined }
