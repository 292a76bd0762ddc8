import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  consentsOf,
  contactsOf,
  eventsOf,
  suppressAddress,
} from '../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ana, ourNumber, type Place, placeOf } from '../../../tests/support/sms/replies.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { limits } from '../config.ts'
import { suppressionsOf } from '../contacts/suppressions/suppression.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { listReplies } from './reply.ts'

let database: TestDatabase
let place: Place
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  await database.db.run(sql`truncate stopped_numbers, text_answers, messages, businesses cascade`)
  place = placeOf(database.db)
})

const repliesOf = (businessId: Id<'business'>) =>
  listReplies(database.db, businessId, { open: false, before: null, limit: 50 })

const reasonsOf = async (businessId: Id<'business'>) =>
  (await suppressionsOf(database.db, testVault.hmac, businessId, { email: null, phone: ana })).map(
    ({ reason }) => reason,
  )

const smsConsent = async (businessId: Id<'business'>) =>
  (await contactsOf(database.db, businessId))[0]?.consent.sms

test('STOP ends SMS consent and texts, and is confirmed', async () => {
  const shop = await place.business(ourNumber)
  const contactId = await place.contact(shop, ana)
  assert.equal(await place.write({ body: 'Stop!' }), 'stop')
  assert.equal(await smsConsent(shop), 'unsubscribed')
  assert.deepEqual(await reasonsOf(shop), ['stop'])
  const ledger = await consentsOf(database.db, shop)
  assert.deepEqual(ledger.at(-1), {
    contactId,
    channel: 'sms',
    action: 'unsubscribed',
    source: `text to ${ourNumber}`,
    text: 'Stop!',
    topic: null,
  })
  const [answer] = await place.answers(ana)
  assert.match(answer?.text ?? '', /^Shop \w+: You will get no more texts from this number\./)
  const [reply] = await repliesOf(shop)
  assert.deepEqual(
    [reply?.meaning, reply?.review, reply?.contactId, reply?.body],
    ['stop', null, contactId, 'Stop!'],
  )
})

test('a text to somebody who was texted is announced as the reply to the last message', async () => {
  const shop = await place.business(ourNumber)
  const contactId = await place.contact(shop, ana)
  await place.write({ body: 'Who are you?' })
  await place.texted(shop, ana, ourNumber)
  const last = await place.texted(shop, ana, ourNumber)
  await place.write({ body: 'Is Friday full?' })
  const [reply] = await repliesOf(shop)
  const events = await eventsOf(database.db, shop)
  const told = events.filter(({ type }) => type === 'message.replied')
  assert.deepEqual(
    told.map(({ data }) => data),
    [
      {
        message_id: formatId('message', last),
        channel: 'sms',
        contact_id: null,
        campaign_id: null,
        to: ana,
        reply_id: reply && formatId('reply', reply.id),
        text: 'Is Friday full?',
        meaning: 'other',
      },
    ],
  )
  assert.ok(contactId)
})

test('START restores consent and texts after STOP', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  await place.write({ body: 'STOP' })
  place.clock.forward(limits.textAnswerMs)
  assert.equal(await place.write({ body: 'start' }), 'start')
  assert.equal(await smsConsent(shop), 'subscribed')
  assert.deepEqual(await reasonsOf(shop), [])
  const { n } = await database.db.one<{ n: number }>(sql`select count(*) as n from stopped_numbers`)
  assert.equal(n, 0)
  const answers = await place.answers(ana)
  assert.match(answers[1]?.text ?? '', /You will get our texts again/)
})

test('START does not lift a suppression for another reason, and does not claim to', async () => {
  const shop = await place.business(ourNumber)
  await suppressAddress(database.db, shop, ana, 'manual')
  await place.write({ body: 'START' })
  assert.deepEqual(await reasonsOf(shop), ['manual'])
  const [answer] = await place.answers(ana)
  assert.doesNotMatch(answer?.text ?? '', /again/)
  assert.match(answer?.text ?? '', /Reply STOP/)
})

test('START lifts a bounce suppression of the number', async () => {
  const shop = await place.business(ourNumber)
  await suppressAddress(database.db, shop, ana, 'bounce')
  await place.write({ body: 'START' })
  assert.deepEqual(await reasonsOf(shop), [])
})

test('START lifts an erasure for the person’s own number, in that business only', async () => {
  const [shop, other] = [await place.business(ourNumber), await place.business(ourNumber)]
  await suppressAddress(database.db, shop, ana, 'erased')
  await suppressAddress(database.db, other, ana, 'erased')
  await place.write({ body: 'Hello?' })
  assert.deepEqual([await reasonsOf(shop), await reasonsOf(other)], [['erased'], ['erased']])
  assert.equal(await place.write({ body: 'START' }), 'start')
  const reasons = [...(await reasonsOf(shop)), ...(await reasonsOf(other))]
  assert.deepEqual(reasons, ['erased'], 'the text is routed to one business')
  const owner = (await reasonsOf(shop)).length === 0 ? shop : other
  const contacts = await contactsOf(database.db, owner)
  assert.deepEqual(
    contacts.map(({ phone, consent }) => [phone, consent.sms]),
    [[ana, 'subscribed']],
  )
  assert.deepEqual(await contactsOf(database.db, owner === shop ? other : shop), [])
  const ledger = await consentsOf(database.db, owner)
  assert.deepEqual([ledger.at(-1)?.source, ledger.at(-1)?.text], [`text to ${ourNumber}`, 'START'])
})

test('a word is answered in its language, else in the contact’s, else in the business’s', async () => {
  const shop = await place.business(ourNumber)
  const contactId = await place.contact(shop, ana)
  const set = (language: string | null) =>
    database.db.run(sql`update contacts set language = ${language} where id = ${contactId}`)
  const answerTo = async (body: string) => {
    place.clock.forward(limits.textAnswerMs)
    await place.write({ body })
    return (await place.answers(ana)).at(-1)?.text ?? ''
  }
  const languages: [text: string, answer: RegExp][] = [
    ['ARRET', /vous ne recevrez plus de SMS/],
    ['abmelden bitte', /Sie erhalten keine SMS mehr/],
    ['BAJA', /SMS/],
    ['配信停止', /SMS/],
    ['AIDE', /STOP/],
    ['anmelden', /Sie erhalten wieder SMS/],
  ]
  await set('de')
  for (const [text, answer] of languages) assert.match(await answerTo(text), answer, text)
  const seen = new Set<string>()
  for (const text of ['ARRET', 'ABMELDEN', 'UNSUBSCRIBE', 'BAJA', 'FERMA', 'SAIR', 'AFMELDEN']) {
    seen.add(await answerTo(text))
  }
  for (const text of ['WYPISZ', 'إيقاف', '停止']) seen.add(await answerTo(text))
  assert.equal(seen.size, 10, 'ten languages')
  // STOP is of every language, and PARAR of two.
  assert.match(await answerTo('STOP'), /Sie erhalten keine SMS mehr/)
  await set('pt-BR')
  const portuguese = await answerTo('SAIR')
  assert.equal(await answerTo('PARAR'), portuguese)
  await set('es')
  assert.equal(await answerTo('PARAR'), await answerTo('BAJA'))
  await set(null)
  assert.match(await answerTo('STOP'), /You will get no more texts/)
  await setBusiness(database.db, shop, { key: 'language', value: 'fr', now: place.clock.now() })
  assert.match(await answerTo('STOP'), /vous ne recevrez plus/)
})

test('STOP in any language ends consent and texts, and START in any restores them', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  const pairs = [
    ['ARRET', 'REPRENDRE'],
    ['abmelden', 'ANMELDEN'],
    ['Baja', 'alta'],
    ['ferma', 'inizia'],
    ['sair', 'voltar'],
    ['uitschrijven', 'aanmelden'],
    ['wypisz mnie', 'zapisz'],
    ['停止', '再開'],
    ['إيقاف', 'اشتراك'],
    ['ST0P', 'unstop'],
  ]
  for (const [stop = '', start = ''] of pairs) {
    await place.write({ body: stop })
    assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['unsubscribed', ['stop']])
    await place.write({ body: start })
    assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['subscribed', []])
  }
})

test('the provider’s STOP counts whatever the text says, and gets no second confirmation', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  for (const body of ['ARRET', 'Quiero salir', 'no gracias', 'Kein Bock', 'START', '']) {
    await database.db.run(sql`truncate stopped_numbers, suppressions, text_answers`)
    await database.db.run(sql`update contacts set sms_consent = 'subscribed'`)
    assert.equal(await place.write({ body, keyword: 'stop' }), 'stop', body)
    assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['unsubscribed', ['stop']])
  }
  assert.deepEqual(await place.answers(ana), [])
  const ledger = await consentsOf(database.db, shop)
  assert.ok(ledger.some(({ text }) => text === 'Kein Bock'))
})

test('the provider’s START lifts a STOP, and its HELP is answered', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  await place.write({ body: 'STOP' })
  assert.equal(await place.write({ body: 'JOIN', keyword: 'start' }), 'start')
  assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['subscribed', []])
  place.clock.forward(limits.textAnswerMs)
  assert.equal(await place.write({ body: 'SUPPORT', keyword: 'help' }), 'help')
  assert.match((await place.answers(ana)).at(-1)?.text ?? '', /Reply STOP/)
})

test('a YES that the provider takes for START lifts a STOP, and is no consent by itself', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  await database.db.run(sql`update contacts set sms_consent = 'none'`)
  assert.equal(await place.write({ body: 'YES', keyword: 'start' }), 'start')
  assert.equal(await smsConsent(shop), 'none')
  await place.write({ body: 'STOP' })
  await place.write({ body: 'YES', keyword: 'start' })
  assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['subscribed', []])
  await place.write({ body: 'STOP' })
  assert.equal(await place.write({ body: 'YES' }), 'other', 'of no provider')
  assert.equal(await smsConsent(shop), 'unsubscribed')
})

test('a START of the provider that reads like an opt-out waits for a person', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  await place.write({ body: 'STOP' })
  for (const body of ['ALTO', 'no thanks', 'remove me from this']) {
    assert.equal(await place.write({ body, keyword: 'start' }), 'opt_out', body)
  }
  assert.deepEqual([await smsConsent(shop), await reasonsOf(shop)], ['unsubscribed', ['stop']])
  const [reply] = await repliesOf(shop)
  assert.equal(reply?.review, 'open')
})

test('HELP is answered with the name of the business and how to contact it', async () => {
  const shop = await place.business(ourNumber)
  const set = (key: string, value: string) =>
    setBusiness(database.db, shop, { key, value, now: place.clock.now() })
  const ask = async () => {
    place.clock.forward(limits.textAnswerMs)
    assert.equal(await place.write({ body: 'help' }), 'help')
    return (await place.answers(ana)).at(-1)?.text
  }
  const name = `Shop ${shop.slice(-4)}`
  const end = 'Reply STOP to end texts from this number.'
  assert.equal(await ask(), `${name}: ${end}`)
  await set('sender', 'Ana <hello@shop.example>')
  assert.equal(await ask(), `${name}: Write to hello@shop.example. ${end}`)
  await set('sms_help', 'Call +33 1 23 45 67 89.')
  assert.equal(await ask(), `${name}: Call +33 1 23 45 67 89. ${end}`)
  assert.deepEqual(await reasonsOf(shop), [], 'asking changes nothing')
})

test('a phone that texts again within five minutes gets no second answer', async () => {
  await place.business(ourNumber)
  await place.write({ body: 'STOP' })
  place.clock.forward(limits.textAnswerMs - 1)
  await place.write({ body: 'STOP' })
  await place.write({ body: 'START' })
  assert.equal((await place.answers(ana)).length, 1)
  place.clock.forward(1)
  await place.write({ body: 'STOP' })
  assert.equal((await place.answers(ana)).length, 2)
})

test('of many concurrent texts from a phone only one is answered', async () => {
  await place.business(ourNumber)
  await Promise.all(Array.from({ length: 20 }, () => place.write({ body: 'STOP' })))
  assert.equal((await place.answers(ana)).length, 1)
})

test('HELP is answered even just after STOP was confirmed', async () => {
  await place.business(ourNumber)
  await place.write({ body: 'STOP' })
  await place.write({ body: 'HELP' })
  await place.write({ body: 'INFO' })
  assert.equal((await place.answers(ana)).length, 2)
})

test('a text is stored once, however often and concurrently it is delivered', async () => {
  const shop = await place.business(ourNumber)
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => place.write({ body: 'hello', providerId: 'one' })),
  )
  assert.deepEqual(taken.sort(), [
    'known',
    'known',
    'known',
    'known',
    'known',
    'known',
    'known',
    'other',
  ])
  assert.equal((await repliesOf(shop)).length, 1)
})

test('the same provider id from another route is another text', async () => {
  const shop = await place.business(ourNumber)
  const text = { from: ana, to: ourNumber, body: 'a', providerId: 'one', at: place.clock.now() }
  await place.replies.text('smpp:a', text)
  await place.replies.text('smpp:b', text)
  assert.equal((await repliesOf(shop)).length, 2)
})

test('a possible opt-out waits for a person, and changes nothing', async () => {
  const shop = await place.business(ourNumber)
  await place.contact(shop, ana)
  assert.equal(await place.write({ body: 'please stop, you have the wrong number' }), 'opt_out')
  const [reply] = await repliesOf(shop)
  assert.deepEqual([reply?.meaning, reply?.review], ['opt_out', 'open'])
  assert.equal(await smsConsent(shop), 'subscribed')
  assert.deepEqual(await place.answers(ana), [])
})

test('the text of a reply is stored without invalid characters, and cut at its maximum length', async () => {
  const shop = await place.business(ourNumber)
  await place.write({ body: 'a\0b\ud800' })
  await place.write({ body: 'x'.repeat(limits.replyCharacters + 1) })
  const [long, odd] = await repliesOf(shop)
  assert.equal(odd?.body, 'ab\ufffd')
  assert.equal(long?.body.length, limits.replyCharacters)
})
