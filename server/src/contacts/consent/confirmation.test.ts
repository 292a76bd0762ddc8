import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { type Id, newId } from '../../core/ids.ts'
import { findConfirmation, noteHeld } from './confirm.ts'
import { insertConfirmation, insertReturn, type NewConfirmation } from './confirmation.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

for (const [whose, insert] of [
  ['a contact', insertConfirmation],
  ['an erased person', insertReturn],
] as const) {
  test(`a second request of ${whose} replaces all values of the first one`, async () => {
    const { db } = database
    const businessId = await newBusiness(db)
    const contactId = newId('contact')
    const requestOf = (n: number): NewConfirmation => ({
      businessId,
      id: newId('confirmation'),
      contactId,
      address: 'ana@example.com',
      topics: [`topic-${n}`],
      source: `form ${n}`,
      text: `text ${n}`,
      ip: `192.0.2.${n}`,
      agent: `agent ${n}`,
      page: `https://shop.example/${n}`,
      formVersion: n,
      box: n === 1 ? 'ticked' : 'sent',
      language: n === 1 ? 'en' : 'de',
      formId: newId('form'),
      unproven: n === 2,
      leftAt: null,
      madeContact: true,
      connectionId: newId('connection'),
      callId: newId('request'),
    })
    const [first, second] = [requestOf(1), requestOf(2)]
    const now = new Date()
    const { id } = await db.tx((tx) => insert(tx, first, now))
    assert.deepEqual(await db.tx((tx) => insert(tx, second, now)), { id, isNew: false })
    const { businessId: _, id: __, ...said } = second
    assert.partialDeepStrictEqual(await findConfirmation(db, businessId, id), { id, ...said })
  })
}

test('a request without a form leaves a held confirmation with the form that holds it', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const [contactId, formId] = [newId('contact'), newId('form')]
  const plain = {
    businessId,
    contactId,
    address: 'ana@example.com',
    topics: null,
    source: 'a form',
    text: null,
    ip: null,
    agent: null,
    page: null,
    formVersion: null,
    box: null,
    language: null,
    leftAt: null,
    madeContact: true,
    connectionId: null,
    callId: null,
  }
  const ask = (more: { formId: Id<'form'> | null; unproven: boolean }) =>
    db.tx((tx) =>
      insertConfirmation(tx, { ...plain, ...more, id: newId('confirmation') }, new Date()),
    )
  const { id } = await ask({ formId, unproven: true })
  await db.tx((tx) => noteHeld(tx, { businessId, id }, new Date()))
  await ask({ formId: null, unproven: false })
  assert.partialDeepStrictEqual(await findConfirmation(db, businessId, id), {
    formId,
    unproven: true,
  })
})
