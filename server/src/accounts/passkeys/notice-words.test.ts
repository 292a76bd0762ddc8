import assert from 'node:assert/strict'
import test from 'node:test'
import { appLanguages as languages } from '../../core/app-languages.ts'
import { passkeyMailWords } from './notice-words.ts'

const at = new Date('2026-11-29T09:05:00Z')
const events = ['added', 'removed', 'copied'] as const

test('the mail names the passkey and the time, in each language and for each event', () => {
  const subjects = languages.flatMap((language) =>
    events.map((event) => {
      const { subject, message } = passkeyMailWords(language, { event, name: 'My phone', at })
      assert.match(message, /My phone/)
      assert.match(message, /29.*2026.*9.05/)
      return subject
    }),
  )
  assert.equal(new Set(subjects).size, languages.length * events.length)
})

test('no mail program makes a link of the name', () => {
  for (const language of languages) {
    const name = 'evil.example/login'
    const { message } = passkeyMailWords(language, { event: 'added', name, at })
    assert.doesNotMatch(message, /evil\.example/)
  }
})
