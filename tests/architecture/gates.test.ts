/** What the checks before a start find has words in each language of the app. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingNames } from 'crier-server/campaigns/preflight/gates/gate.ts'
import { gates as german } from '../../web/src/words/de/gates.ts'
import { gates as english } from '../../web/src/words/en/gates.ts'
import { gates as french } from '../../web/src/words/fr/gates.ts'

for (const [language, { findings }] of Object.entries({
  English: english,
  German: german,
  French: french,
})) {
  test(`each finding of a gate has ${language} words, and no others stand there`, () => {
    // A refusal of a sender has the words of the refusal.
    const expected = findingNames.filter((name) => name !== 'refused')
    assert.deepEqual(Object.keys(findings).toSorted(), [...expected].toSorted())
    for (const [reason, words] of Object.entries(findings)) {
      const sentence = words({ excluded: [{ reason: 'no_email', count: 2 }], fault: 'answers 404' })
      assert.match(sentence, /\S/, reason)
    }
  })
}
