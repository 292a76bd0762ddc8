/** Refusals of the pages of signing in are said in the language of the page. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import cookie from '@fastify/cookie'
import { linkIn, type PagesWorld, pagesWorld } from '../../../../../tests/support/clients/pages.ts'
import { newPerson } from '../../../../../tests/support/clients/sign-in.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { type AppLanguage, appLanguages } from '../../../core/app-languages.ts'
import { refuse } from '../../../core/errors.ts'
import { minutes } from '../../../lib/time/clock.ts'
import { sendFault } from './fault-page.ts'
import { faultWords } from './fault-words.ts'

let database: TestDatabase
let world: PagesWorld
before(async () => {
  database = await testDatabase()
  world = pagesWorld(database.db, { signup: 'invite' })
})
after(() => database.drop())

const inLanguage = (language: string) => ({ 'accept-language': language })

const titles: Readonly<Record<AppLanguage, readonly [title: string, text: string]>> = {
  de: ['Dieser Link gilt nicht mehr', 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.'],
  fr: ['Ce lien n’est plus valable', 'Ce lien a expiré. Demandez-en un nouveau.'],
  en: ['This link no longer works', 'This link has expired. Ask for a new one.'],
}

for (const language of appLanguages) {
  const [title, text] = titles[language]
  test(`a link that has expired is said in the language of its reader (${language})`, async () => {
    const open = pagesWorld(database.db)
    const reader = open.visitor()
    await reader.submit(await reader.get('/login'), { email: newPerson() })
    const link = linkIn((await open.deliver()).at(-1))
    open.clock.forward(minutes(11))
    const page = await reader.get(link, inLanguage(language))
    assert.equal(page.status, 410)
    assert.match(page.body, new RegExp(`<html lang="${language}"`))
    assert.ok(page.body.includes(`<h1>${title}</h1>`), page.body)
    assert.ok(page.body.includes(text), page.body)
    assert.ok(page.body.includes(faultWords(language).labels['/login'] ?? ''), page.body)
  })
}

test('who has no account here is told in their language, and other refusals keep to one', async () => {
  const open = pagesWorld(database.db)
  const email = newPerson()
  const visitor = open.visitor()
  await visitor.submit(await visitor.get('/login'), { email })
  const link = linkIn((await open.deliver()).at(-1))
  // The rule of signing up has changed meanwhile.
  const reader = world.visitor()
  for (const [name, value] of visitor.cookies) reader.cookies.set(name, value)
  const page = await reader.get(link, inLanguage('de'))
  assert.equal(page.status, 403)
  assert.match(page.body, /Mit dieser Adresse können Sie sich nicht anmelden/)
  assert.match(page.body, /Bitten Sie einen Inhaber, Sie einzuladen/)
  const foreign = await reader.submit(
    await reader.get('/login'),
    { email },
    { origin: 'https://evil.example', ...inLanguage('fr') },
  )
  assert.equal(foreign.status, 403)
  assert.match(foreign.body, /Demande refusée/)
  assert.match(foreign.body, /vient d’un autre site/)
})

test('who is signed in already is named also beside a refusal without words in their language', async () => {
  const open = pagesWorld(database.db)
  const refusal = refuse('conflict', 'Something rare.', { data: { reason: 'of_this_test' } })
  open.app.register(async (scope) => {
    await scope.register(cookie)
    scope.get('/rare', (request, reply) =>
      sendFault(reply, request, refusal, { signedInAs: 'ana@example.com' }),
    )
  })
  for (const language of appLanguages) {
    const { body } = await open.visitor().get('/rare', inLanguage(language))
    assert.match(body, /<html lang="en"/)
    assert.match(body, /Something rare\. You are already signed in as ana@example\.com/)
  }
})

test('each refusal has its words in each language but English, which needs none', () => {
  const [first, ...others] = appLanguages.filter((language) => language !== 'en').map(faultWords)
  assert.ok(first)
  for (const { messages } of others) {
    assert.deepEqual(Object.keys(messages), Object.keys(first.messages))
    for (const [reason, text] of Object.entries(first.messages)) {
      assert.notEqual(messages[reason], text, reason)
    }
  }
})

test('the words of refusals have the spaces of French', () => {
  const french = faultWords('fr')
  const all = [...Object.values(french.messages), ...Object.values(french.titles)].join('\n')
  assert.doesNotMatch(all, /[\p{L}]'[\p{L}]|[ \u00a0][;!?]|[ \u202f]:\s|« | »/u)
})
