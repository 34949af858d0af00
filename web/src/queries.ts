import { createQueryClient } from './api/query-client.ts'
import { onReturn, session } from './platform.ts'
import { onUserChange } from './session/on-user-change.ts'

/** Query cache of the dashboard; sign-in uses no queries and does not load this module. */
export const queryClient = createQueryClient()

onReturn(() => void queryClient.invalidateQueries())
onUserChange(session, () => queryClient.clear())
