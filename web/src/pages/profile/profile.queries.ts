import type { AccountExport, ExportFile, RequestedDeletion } from '@tapeline/contracts/identity/account-deletion'
import type { UserDetails } from '@tapeline/contracts/identity/http'
import type { ChangedPassword, ChangePassword } from '@tapeline/contracts/identity/passwords'
import type { UpdatedProfile, UpdateProfile } from '@tapeline/contracts/identity/profile'
import type { EndedSessionCount, SessionList } from '@tapeline/contracts/identity/sessions'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { api, session } from '../../platform.ts'
import { queryClient } from '../../queries.ts'
import { presentDetails, presentUser } from '../../session/present-user.ts'

const USER = '/api/v1/internal/user'
const GOOGLE = '/api/v1/internal/oauth/google'
/** Another device may sign in or out. */
const SESSIONS_REFETCH_MS = 15_000
const EXPORT_REFETCH_MS = 2_000

/** The current user; if it cannot be loaded, the page shows the stored one. */
export const detailsQuery = queryOptions({
  queryKey: ['user-details'],
  queryFn: async ({ signal }) => {
    const details = await api.data<UserDetails>({ path: `${USER}/details`, signal })
    session.updateUser(presentDetails(details))
    return details
  },
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  refetchInterval: SESSIONS_REFETCH_MS,
  queryFn: async ({ signal }) => (await api.data<SessionList>({ path: `${USER}/sessions`, signal })).sessions,
})

/** The newest export; null if there is none. */
export const exportQuery = queryOptions({
  queryKey: ['account-export'],
  queryFn: async ({ signal }): Promise<AccountExport | null> => {
    try {
      return await api.data<AccountExport>({ path: `${USER}/export`, signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  refetchInterval: ({ state }) => (state.data?.state === 'running' ? EXPORT_REFETCH_MS : false),
})

export async function saveProfile(body: UpdateProfile): Promise<void> {
  const { user } = await api.data<UpdatedProfile>({ method: 'PATCH', path: `${USER}/update`, body })
  session.updateUser(presentUser(user))
}

export async function endSession(id: string): Promise<void> {
  await api.data<EndedSessionCount>({ method: 'DELETE', path: `${USER}/sessions/${id}` })
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

export async function endOtherSessions(): Promise<number> {
  const { ended } = await api.data<EndedSessionCount>({ method: 'DELETE', path: `${USER}/sessions` })
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  return ended
}

export async function changePassword(body: ChangePassword): Promise<number> {
  const changed = await api.data<ChangedPassword>({ method: 'POST', path: `${USER}/change-password`, body })
  session.keepDevice(changed.deviceToken)
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  return changed.sessions_ended
}

export async function changeEmail(newEmail: string, currentPassword: string): Promise<void> {
  await api.send({ method: 'POST', path: `${USER}/change-email`, body: { newEmail, currentPassword } })
}

/** Sends a mail with a link to the page for setting a password. */
export async function mailPasswordLink(email: string): Promise<void> {
  await api.send({ method: 'POST', path: `${USER}/forgot-password`, body: { email } })
}

export async function disconnectGoogle(): Promise<void> {
  await api.send({ method: 'POST', path: `${GOOGLE}/disconnect`, body: {} })
  await queryClient.invalidateQueries({ queryKey: detailsQuery.queryKey })
}

/** Uses an existing export, or requests a new one. */
export async function requestExport(): Promise<void> {
  const newest = await queryClient.fetchQuery({ ...exportQuery, staleTime: 0 })
  if (newest !== null && newest.state !== 'failed') return
  const started = await api.data<AccountExport>({ method: 'POST', path: `${USER}/export` })
  queryClient.setQueryData(exportQuery.queryKey, started)
}

export async function readExport(): Promise<ExportFile> {
  return (await api.send<ExportFile>({ path: `${USER}/export/file` })).body
}

/** Time of deletion, unless the user signs in before. */
export async function closeAccount(currentPassword: string): Promise<string> {
  const call = { method: 'DELETE', path: `${USER}/account`, body: { currentPassword } } as const
  return (await api.data<RequestedDeletion>(call)).due_at
}
