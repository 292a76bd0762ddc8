import assert from 'node:assert/strict'
import test from 'node:test'
import { appLanguages as languages } from '../../core/app-languages.ts'
import type { FactorEvent } from './factor.ts'
import { factorMailWords } from './notice-words.ts'

const at = new Date('2026-11-29T09:05:00Z')
const events: FactorEvent[] = [
  'app_added',
  'app_removed',
  'codes_made',
  'recovery_code_used',
  'guessed',
  'required',
  'reset_asked',
  'reset_asked_by_you',
  'reset_done',
  'reset_done_by_you',
  'reset_stopped',
  'reset_withdrawn',
  'device',
  'linked',
  'unlinked',
  'gone',
  'owner_gone',
  'refuses_many',
  'member_unlinked',
  'first_factor',
  'first_factor_waits',
  'factor_waits',
  'factor_accepted',
  'offered',
  'offered_by_you',
  'transferred',
]

test('the mails say what happened and when, each in its language, and make no link of a name', () => {
  const details = { business: 'evil.example/x', email: 'a@evil.example', browser: 'Firefox, macOS' }
  const subjects = languages.flatMap((language) =>
    events.map((event) => {
      const { subject, message } = factorMailWords(language, { event, details, at })
      assert.match(message, /29.*2026.*9.05/, `${language} ${event}`)
      assert.doesNotMatch(message, /evil\.example/)
      return subject
    }),
  )
  assert.equal(new Set(subjects).size, languages.length * events.length)
})
