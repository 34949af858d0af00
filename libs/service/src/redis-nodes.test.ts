import { expect, test } from 'vitest'
import { clusterNodesOf, sentinelsOf } from './redis-nodes.ts'

const NO_SECRETS = { username: '', password: '', sentinelPassword: '', isEncrypted: false }

test('sentinels are read with their master, credentials and TLS', () => {
  expect(sentinelsOf('redis+sentinel://s1,s2:26380,[::1]:7/orders')).toEqual({
    ...NO_SECRETS,
    sentinels: [
      { host: 's1', port: 26_379 },
      { host: 's2', port: 26_380 },
      { host: '::1', port: 7 },
    ],
    master: 'orders',
  })
  expect(sentinelsOf('rediss+sentinel://audit:p%40ss@s1/m?sentinel_password=w%2Fx')).toEqual({
    sentinels: [{ host: 's1', port: 26_379 }],
    master: 'm',
    username: 'audit',
    password: 'p@ss',
    sentinelPassword: 'w/x',
    isEncrypted: true,
  })
  expect(sentinelsOf('redis+sentinel://:secret@s1/m')).toMatchObject({ username: '', password: 'secret' })
})

test('an address of sentinels is neither one server nor a cluster', () => {
  expect(clusterNodesOf('redis+sentinel://s1,s2/m')).toBeUndefined()
  expect(sentinelsOf('redis://a:1')).toBeUndefined()
  expect(sentinelsOf('redis://a:1,redis://b:1')).toBeUndefined()
  expect(clusterNodesOf('redis://a:1,redis://b:1')).toHaveLength(2)
})

test.each(['redis+sentinel://s1', 'redis+sentinel:///m', 'redis+sentinel://s1/m?other=1', 'redis+sentinel://s1/m/2'])(
  '%s is rejected',
  (url) => {
    expect(() => sentinelsOf(url)).toThrow('must have the form redis+sentinel://')
  },
)
