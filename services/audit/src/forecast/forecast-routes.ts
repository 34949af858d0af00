import { Answer, answer } from '@tapeline/contracts/answer'
import { UsageForecast } from '@tapeline/contracts/audit/forecast'
import { userOf } from '@tapeline/service/access'
import type { Server } from '@tapeline/service/create-server'
import { type ForecastDeps, showForecast } from './show-forecast.ts'

/** Forecast of an account's month from its own history. */
export function addForecastRoutes(app: Server, deps: ForecastDeps): void {
  app.get(
    '/api/v1/internal/usage-forecast',
    {
      config: { access: { role: 'user', serviceScope: 'usage:read' } },
      schema: { response: { 200: Answer(UsageForecast) } },
    },
    async (request) => answer('Forecast of the month', await showForecast(deps, userOf(request))),
  )
}
