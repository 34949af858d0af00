import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import type { OutgoingMail } from '../mail/mailer.ts'
import { sendMail } from '../mail/send-mail.ts'
import { contactOperator } from './contact-operator.ts'
import { sendContactDigest } from './send-contact-digest.ts'
import { deleteOldContactMessages } from './delete-old-contact-messages.ts'

const { db, deps, clock, anonymous, mailsTo, close } = await testIdentity()
afterAll(close)

const OPERATOR = 'operator@tapeline.test'
const message = 'Hello,\r\n\r\nwhat does <b>pro</b> cost?\nBcc: all@example.com'
const newAccount = { name: 'Ada', email: 'ada@example.com', topic: 'sales' as const, message }
const storedMessages = () => db.selectFrom('contact_message').selectAll().orderBy('id').execute()

test('a message is stored and mailed to the operator as text that injects neither headers nor markup', async () => {
  await contactOperator(deps, anonymous, newAccount)
  expect(await storedMessages()).toMatchObject([{ ...newAccount, network: '203.0.113.0/24' }])
  const sent: OutgoingMail[] = []
  const [mail] = await mailsTo(OPERATOR)
  await sendMail(deps, async (one) => void sent.push(one), mail?.id ?? '')
  expect(sent).toMatchObject([{ to: OPERATOR, subject: 'Contact form: sales' }])
  expect(sent[0]?.text).toContain('Ada <ada@example.com> wrote:')
  expect(sent[0]?.text).toContain('Bcc: all@example.com')
  expect(sent[0]?.html).toContain('what does &lt;b&gt;pro&lt;/b&gt; cost?')
})

test('without an operator’s address it is stored only', async () => {
  const before = [await storedMessages(), await mailsTo(OPERATOR)].map(({ length }) => length)
  await contactOperator({ ...deps, contactEmail: '' }, anonymous, newAccount)
  expect([await storedMessages(), await mailsTo(OPERATOR)].map(({ length }) => length)).toEqual([
    (before[0] ?? 0) + 1,
    before[1],
  ])
})

test('at most 60 mails per hour are sent; further messages are mailed together, once', async () => {
  clock.nowMs += 3_600_001
  const before = (await mailsTo(OPERATOR)).length
  for (let n = 0; n < 65; n += 1) await contactOperator(deps, anonymous, newAccount)
  expect((await mailsTo(OPERATOR)).length - before).toBe(60)
  const [other, long] = [
    { ...newAccount, name: 'Grace' },
    { ...newAccount, name: 'Alan', message: 'a '.repeat(2_000) },
  ]
  for (let n = 0; n < 60; n += 1) await contactOperator(deps, anonymous, newAccount)
  await contactOperator(deps, { ...anonymous, network: '198.51.100.0/24' }, other)
  await contactOperator(deps, { ...anonymous, network: '192.0.2.0/24' }, long)
  expect(await sendContactDigest({ ...deps, contactEmail: '' })).toBe(0)
  const results = await Promise.all([sendContactDigest(deps), sendContactDigest(deps)])
  expect(results.toSorted((a, b) => a - b)).toEqual([0, 68])
  const sent: OutgoingMail[] = []
  await sendMail(deps, async (one) => void sent.push(one), (await mailsTo(OPERATOR)).at(-1)?.id ?? '')
  expect(sent).toMatchObject([{ to: OPERATOR, subject: 'Contact form: more messages (68)' }])
  const listed = sent[0]?.text.split('\n').filter((line) => line.startsWith('- ')) ?? []
  expect(listed).toHaveLength(50)
  expect(listed.slice(0, 3)).toContain(
    '- Grace <ada@example.com> (sales): Hello, what does <b>pro</b> cost? Bcc: all@example.com',
  )
  expect(listed.slice(0, 3)).toContainEqual(expect.stringMatching(/^- Alan <ada@example\.com> \(sales\): [a ]{500}…$/))
  expect(await sendContactDigest(deps)).toBe(0)
  expect((await mailsTo(OPERATOR)).length - before).toBe(61)
  clock.nowMs += 3_600_001
  await contactOperator(deps, anonymous, newAccount)
  expect((await mailsTo(OPERATOR)).length - before).toBe(62)
})

test('messages are deleted after a year', async () => {
  const all = (await storedMessages()).length
  clock.nowMs += 366 * 86_400_000
  await contactOperator(deps, anonymous, newAccount)
  expect(await deleteOldContactMessages(deps)).toBe(all)
  expect(await storedMessages()).toHaveLength(1)
})
