import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { registerStatusPage } from './status-page.ts'

test('the public page says whether the service works, in the reader’s language, and nothing else', async () => {
  let isFine = true
  const app = Fastify()
  registerStatusPage(app, { works: async () => isFine })
  const ask = async (language: string) => {
    const { statusCode, body } = await app.inject({
      url: '/status',
      headers: { 'accept-language': language },
    })
    return { statusCode, body }
  }
  const fine = await ask('en')
  assert.equal(fine.statusCode, 200)
  assert.match(fine.body, /<h1>Crier is operational<\/h1>/)
  isFine = false
  const german = await ask('de-AT, en;q=0.5')
  assert.equal(german.statusCode, 503)
  assert.match(german.body, /<html lang="de"/)
  assert.match(german.body, /<h1>Crier hat ein Problem<\/h1>/)
  assert.doesNotMatch(german.body, /worker|postgres|backup/i)
  await app.close()
})
