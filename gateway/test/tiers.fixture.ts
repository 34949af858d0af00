import type { RateLimits, TierConfig, TierDocument } from '@tapeline/contracts/config/tiers'

const limits = (perMinute: number, burst: number, concurrent: number): RateLimits => ({
  requestsPerMinute: perMinute,
  requestsPerHour: perMinute * 10,
  requestsPerDay: perMinute * 100,
  requestsPerMonth: perMinute * 1_000,
  burstLimit: burst,
  concurrentRequests: concurrent,
})

function tier(name: string, rateLimits: RateLimits, isPaid: boolean): TierDocument {
  return {
    display: { name, description: '', features: [], popular: false, badge: null, color: '#000' },
    billing: { monthlyPrice: 0, yearlyPrice: 0, yearlyDiscount: 0, currency: 'USD', trialPeriod: 0 },
    rateLimits,
    features: {
      apiAccess: true,
      realTimeData: true,
      historicalData: isPaid,
      basicAnalytics: isPaid,
      advancedAnalytics: isPaid,
      customReports: false,
      dataExport: isPaid,
      webhooks: false,
      apiKeyManagement: true,
      emailSupport: true,
      prioritySupport: false,
      dedicatedSupport: false,
    },
    support: { channels: [], responseTime: '', availability: '' },
  }
}

export const testTiers: TierConfig = {
  free: tier('Free', limits(10, 5, 1), false),
  basic: tier('Basic', limits(100, 20, 5), true),
  pro: tier('Pro', limits(500, 100, 20), true),
  metadata: { version: '2.0.0', defaultTrialPeriod: 14 },
}
