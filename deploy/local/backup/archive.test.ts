import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { StoreError } from '@tapeline/objects/object-store'
import { archiveSettings, faultOf, findArchive, openArchive, recoverySettings } from './archive.ts'

const BUCKET = 's3://backups/tapeline?endpoint=https://s3.example.org&region=eu-1'
const credentials = { BACKUP_ACCESS_KEY_ID: 'some-key', BACKUP_SECRET_ACCESS_KEY: 'not-to-be-seen' }

test('BACKUP_DIR is a folder, BACKUP_URL a bucket or a folder; --from is either', () => {
  expect(findArchive({})).toBeUndefined()
  expect(findArchive({ BACKUP_DIR: 'backups' })?.url).toBe(`file:${resolve('backups')}`)
  expect(findArchive({ BACKUP_URL: 'file:///var/backups', BACKUP_DIR: '' })?.url).toBe('file:/var/backups')
  expect(findArchive({ BACKUP_URL: BUCKET, ...credentials })?.url).toBe(BUCKET)
  expect(openArchive('/var/backups', {}).url).toBe('file:/var/backups')
  expect(openArchive(BUCKET, credentials).url).toBe(BUCKET)
})

test.each([
  [{ BACKUP_DIR: '/a', BACKUP_URL: BUCKET }, 'both set'],
  [{ BACKUP_DIR: BUCKET }, 'BACKUP_DIR must be a folder'],
  [{ BACKUP_URL: BUCKET }, 'set BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY'],
  [{ BACKUP_URL: 'https://s3.example.org/backups' }, 'BACKUP_URL must be'],
])('%j is rejected with the setting to change', (env, message) => {
  expect(() => findArchive(env)).toThrow(message)
})

test('the settings of PostgreSQL name the archive without its credentials', () => {
  const archive = openArchive(BUCKET, credentials)
  const settings = JSON.stringify([archiveSettings(archive), recoverySettings(archive, new Date(0))])
  expect(settings).toContain('s3.example.org')
  expect(settings).not.toContain(credentials.BACKUP_SECRET_ACCESS_KEY)
  expect(settings).not.toContain(credentials.BACKUP_ACCESS_KEY_ID)
})

test('a fault of the store includes its first cause', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9')
  const late = new Error('the operation was aborted', { cause: new Error('aborted due to timeout') })
  const unavailable = (cause: Error) => new StoreError('unavailable', 'the object store does not answer', cause)
  expect(faultOf(unavailable(refused))).toBe('the object store does not answer (connect ECONNREFUSED 127.0.0.1:9)')
  expect(faultOf(unavailable(late))).toBe('the object store does not answer (aborted due to timeout)')
  expect(faultOf(new Error('other'))).toBe('other')
})
