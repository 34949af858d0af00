import type { DecideDeviceLogin, DeviceLogin } from '@tapeline/contracts/identity/device-logins'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform.ts'

const pathOf = (code: string) => `/api/v1/internal/user/device-logins/${encodeURIComponent(code)}`

export const deviceLoginQuery = (code: string) =>
  queryOptions({
    queryKey: ['device-login', code],
    queryFn: ({ signal }): Promise<DeviceLogin> => api.data<DeviceLogin>({ path: pathOf(code), signal }),
    retry: false,
    // The decision concerns the displayed request, so the code of an earlier visit must be loaded again.
    gcTime: 0,
  })

export async function decideDeviceLogin(code: string, decision: DecideDeviceLogin['decision']): Promise<void> {
  await api.send({ method: 'PUT', path: pathOf(code), body: { decision } })
}
