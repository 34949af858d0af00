import { check } from 'k6'
import http from 'k6/http'

// Does the platform answer its everyday requests, at an everyday rate, without an error?
const gatewayUrl = __ENV.GATEWAY_URL || 'http://127.0.0.1:3001'
const headers = { authorization: `Bearer ${__ENV.API_KEY}`, 'content-type': 'application/json' }

export const options = {
  scenarios: {
    everyday: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 5),
      timeUnit: '1s',
      duration: __ENV.DURATION || '15s',
      preAllocatedVUs: 4,
      maxVUs: 20,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
    http_req_duration: ['p(95)<500'],
  },
}

export default function smoke() {
  const instruments = http.get(`${gatewayUrl}/api/v1/instruments`, { headers })
  check(instruments, {
    'instruments are listed': ({ status }) => status === 200,
    'what is left is said': (response) => response.headers['Ratelimit'] !== undefined,
  })
  const body = JSON.stringify({ venues: ['sim'], limit: 1 })
  const trades = http.post(`${gatewayUrl}/api/v1/trades/list`, body, { headers })
  check(trades, { 'trades are listed': (response) => response.status === 200 && Array.isArray(response.json('data')) })
}
