import { createQueryClient } from './api/query-client.ts'
import { onReturn, session } from './platform.ts'
import { onUserChange } from './session/on-user-change.ts'

/** What the dashboard was answered; sign-in asks no queries and does not fetch this. */
export const queryClient = createQueryClient()

onReturn(() => void queryClient.invalidateQueries())
onUserChange(session, () => queryClient.clear())
