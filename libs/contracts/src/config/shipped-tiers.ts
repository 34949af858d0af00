import type { TierConfig } from './tiers.ts'

const FREE_FEATURES = {
  apiAccess: true,
  realTimeData: true,
  historicalData: false,
  basicAnalytics: false,
  advancedAnalytics: false,
  customReports: false,
  dataExport: false,
  webhooks: false,
  apiKeyManagement: true,
  emailSupport: true,
  prioritySupport: false,
  dedicatedSupport: false,
}
const BASIC_FEATURES = {
  ...FREE_FEATURES,
  historicalData: true,
  basicAnalytics: true,
  dataExport: true,
  webhooks: true,
}
const PRO_FEATURES = { ...BASIC_FEATURES, advancedAnalytics: true, customReports: true, prioritySupport: true }

const TRIAL_DAYS = 14
const YEARLY_DISCOUNT_PERCENT = 17

const free = {
  display: {
    name: 'Free',
    description: 'Read the last 24 hours and try every call.',
    features: [
      'Trades and level-2 order book over REST',
      'The last 24 hours of data',
      'API keys with instant revocation',
      'Your own request counts, live',
      'Email support',
      'Live stream, one connection',
    ],
    popular: false,
    badge: null,
    color: 'blue',
  },
  billing: { monthlyPrice: 0, yearlyPrice: 0, yearlyDiscount: 0, currency: 'USD', trialPeriod: 0 },
  rateLimits: {
    requestsPerMinute: 10,
    requestsPerHour: 100,
    requestsPerDay: 1_000,
    requestsPerMonth: 1_000,
    burstLimit: 5,
    concurrentRequests: 1,
    streamConnections: 1,
    streamMessagesPerSecond: 10,
  },
  features: FREE_FEATURES,
  support: { channels: ['email'], responseTime: '48 hours', availability: 'Business hours' },
}

const basic = {
  display: {
    name: 'Basic',
    description: 'Full history and analytics for one strategy.',
    features: [
      'Everything in Free',
      'Full history of trades and order book',
      'Live stream, five connections',
      'Latency percentiles and breakdowns',
      'Data export',
      'Email support within 24 hours',
      'Webhooks',
    ],
    popular: true,
    badge: 'Most Popular',
    color: 'green',
  },
  billing: {
    monthlyPrice: 29,
    yearlyPrice: 290,
    yearlyDiscount: YEARLY_DISCOUNT_PERCENT,
    currency: 'USD',
    trialPeriod: TRIAL_DAYS,
  },
  rateLimits: {
    requestsPerMinute: 100,
    requestsPerHour: 1_000,
    requestsPerDay: 10_000,
    requestsPerMonth: 100_000,
    burstLimit: 20,
    concurrentRequests: 5,
    streamConnections: 5,
    streamMessagesPerSecond: 50,
  },
  features: BASIC_FEATURES,
  support: { channels: ['email'], responseTime: '24 hours', availability: 'Business hours' },
}

const pro = {
  display: {
    name: 'Pro',
    description: 'Ten times the monthly requests, deeper analytics and faster support.',
    features: [
      'Everything in Basic',
      'Analytics over any range, by hour and network',
      'Live stream, twenty connections',
      'Priority support',
      'Email and chat, answered within 4 hours',
      'Custom reports',
    ],
    popular: false,
    badge: 'Best Value',
    color: 'purple',
  },
  billing: {
    monthlyPrice: 99,
    yearlyPrice: 990,
    yearlyDiscount: YEARLY_DISCOUNT_PERCENT,
    currency: 'USD',
    trialPeriod: TRIAL_DAYS,
  },
  rateLimits: {
    requestsPerMinute: 500,
    requestsPerHour: 5_000,
    requestsPerDay: 50_000,
    requestsPerMonth: 1_000_000,
    burstLimit: 100,
    concurrentRequests: 20,
    streamConnections: 20,
    streamMessagesPerSecond: 200,
  },
  features: PRO_FEATURES,
  support: { channels: ['email', 'chat'], responseTime: '4 hours', availability: 'Extended hours' },
}

/** Initial tier documents; later versions are stored in the table. */
export const tierDocuments = {
  free,
  basic,
  pro,
  metadata: { version: '2.0.0', defaultTrialPeriod: TRIAL_DAYS },
} satisfies TierConfig
