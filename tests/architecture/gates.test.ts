/** What the checks before a start find has words in each language of the app. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findingNames } from 'crier-server/campaigns/preflight/gates/gate.ts'
import { feedProblemIn, feedProblems } from 'crier-server/feeds/problem-words.ts'
import { feeds as germanFeeds } from '../../web/src/words/de/feeds.ts'
import { gates as german } from '../../web/src/words/de/gates.ts'
import { gates as english } from '../../web/src/words/en/gates.ts'
import { feeds as frenchFeeds } from '../../web/src/words/fr/feeds.ts'
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

test('each problem of a feed has German and French words, in the app as in mails', () => {
  assert.deepEqual(germanFeeds.problems, feedProblems.de)
  assert.deepEqual(frenchFeeds.problems, feedProblems.fr)
  const sources = ['fetch.ts', 'mapped-items.ts', 'parse.ts'].map((file) =>
    readFileSync(path.join(import.meta.dirname, '../../server/src/feeds', file), 'utf8'),
  )
  const problems = sources
    .flatMap((text) => text.match(/'(?:has|is|takes|does|sends|ends) [^'\n]+'/g) ?? [])
    .map((text) => text.slice(1, -1))
  assert.ok(problems.length > 12)
  assert.deepEqual(Object.keys(feedProblems.de).toSorted(), problems.toSorted())
  assert.deepEqual(Object.keys(feedProblems.fr), Object.keys(feedProblems.de))
  assert.equal(feedProblemIn('de', 'answers 404'), 'Der Server antwortet mit 404')
  assert.match(germanFeeds.broken('answers 404'), /Der Server antwortet mit 404/)
})
