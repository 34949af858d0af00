import { t } from '@lingui/core/macro'

export function groupLabels(): Record<string, string> {
  return { limits: t`Rate limits`, data: t`Data`, insight: t`Insight`, support: t`Support` }
}

export function rowLabels(): Record<string, string> {
  return {
    requestsPerMinute: t`Requests per minute`,
    requestsPerHour: t`Requests per hour`,
    requestsPerDay: t`Requests per day`,
    requestsPerMonth: t`Requests per month`,
    burstLimit: t`Burst, per second`,
    concurrentRequests: t`Concurrent requests`,
    apiAccess: t`REST access`,
    realTimeData: t`Live stream`,
    history: t`History`,
    dataExport: t`Data export`,
    webhooks: t`Webhooks`,
    basicAnalytics: t`Basic analytics`,
    advancedAnalytics: t`Advanced analytics`,
    customReports: t`Custom reports`,
    channels: t`Channels`,
    responseTime: t`Response within`,
    availability: t`Availability`,
    trial: t`Trial`,
  }
}
