import assert from 'node:assert/strict'
import { test } from 'node:test'
import { segmentsOf } from '../../lib/sms/segments.ts'
import { acceptedLanguages, chooseLanguage, recipientLanguages, wordsIn } from './languages.ts'

test('there are ten recipient languages, and the closest match for a person is chosen', () => {
  assert.equal(recipientLanguages.length, 10)
  assert.equal(chooseLanguage('pt-BR'), 'pt')
  assert.equal(chooseLanguage(null, undefined, '', 'de'), 'de')
  assert.equal(chooseLanguage('ARB', 'fr'), 'fr')
  assert.equal(chooseLanguage('__proto__', 'constructor', 'tlh'), 'en')
})

test('Accept-Language is read in its order of preference', () => {
  assert.deepEqual(acceptedLanguages('fr;q=0.5, de-AT, *;q=0.1, es;q=0'), ['de-AT', 'fr', '*'])
  assert.deepEqual(acceptedLanguages(undefined), [])
  assert.deepEqual(acceptedLanguages(';;;,q=1,x;q=abc'), ['q=1'])
  assert.equal(acceptedLanguages(',a'.repeat(10_000)).length <= 20, true)
})

/** All sentences of a language, filled in with the names that they take. */
function sentences(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [value('Ana & Co', 'ana@example.com. ')]
  return Object.values(value as object).flatMap(sentences)
}

test('every sentence exists in every language, and only names are left untranslated', () => {
  const english = sentences(wordsIn('en'))
  for (const language of recipientLanguages) {
    const all = sentences(wordsIn(language))
    assert.equal(all.length, english.length, language)
    assert.deepEqual(
      all.filter((text) => text.trim() === '' || text !== text.trim()),
      [],
      language,
    )
    if (language === 'en') continue
    const same = all.filter((text, n) => text === english[n])
    // "No" is the word in Spanish and Italian, too.
    assert.deepEqual(
      same.filter((text) => text !== 'No'),
      [],
      language,
    )
  }
})

test('the replies to STOP and START fit one SMS segment in every language, and HELP fits two', () => {
  for (const language of recipientLanguages) {
    const { sms } = wordsIn(language)
    const how = `${sms.writeTo('hello@shop.example')}. `
    for (const text of [sms.stopped('Shop'), sms.started('Shop')]) {
      assert.equal(segmentsOf(text).segments, 1, `${language}: ${text}`)
    }
    assert.ok(segmentsOf(sms.help('Shop', how)).segments <= 2, language)
  }
})
