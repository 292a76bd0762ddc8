import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostsIn, isWithinHours, judgeContent, wordsFound } from './judge.ts'

const terms = {
  goal: 'News',
  filter: null,
  people_per_week: 10,
  hours: { from: '09:00', to: '18:00' },
  tone: null,
  never_words: ['Rabatt', '20 %', 'last chance', 'Straße'],
  link_hosts: ['shop.example'],
  template_ids: [],
  sender: 'Shop <hello@shop.example>',
}

const spellings = [
  ['RABATT', 'Rabatt'],
  ['Ｒａｂａｔｔ', 'Rabatt'],
  ['Ra\u00adbatt', 'Rabatt'],
  ['Ra\u200bbatt!', 'Rabatt'],
  ['Ra<b>ba</b>tt', 'Rabatt'],
  ['Ra&shy;batt', 'Rabatt'],
  ['&#82;abatt', 'Rabatt'],
  ['&#x52;abatt', 'Rabatt'],
  ['your <b>LAST</b>\n<i>chance</i>', 'last chance'],
  ['STRASSE', 'Straße'],
  ['now 20&nbsp;% off', '20 %'],
] as const

for (const [text, word] of spellings) {
  test(`${JSON.stringify(text)} says ${word}`, () => {
    assert.deepEqual(wordsFound(terms.never_words, [text]), [word])
  })
}

test('a part of another word is not the word', () => {
  assert.deepEqual(
    wordsFound(terms.never_words, ['Rabatte', 'lastchance', '120 %', 'Vorrabatt']),
    [],
  )
})

const shop = { sources: [], previews: [], ownHosts: ['mail.crier.example'] }
const hosts = [
  ['https://shop.example/a https://www.shop.example', true],
  ['<a href="https://mail.crier.example/u/1">', true],
  ['<html xmlns="http://www.w3.org/1999/xhtml">', true],
  ['<a href="https://evil.example">', false],
  ['<a href="//evil.example/x">', false],
  ['<img src="https:\\\\evil.example/p.png">', false],
  ['https://shop.example@evil.example/', false],
  ['https://shop.example.evil.example/', false],
  ['https://{{ contact.attributes.host }}/', false],
] as const

for (const [text, isInside] of hosts) {
  test(`${text} ${isInside ? 'leads to hosts of the mandate' : 'leads elsewhere'}`, () => {
    const outside = judgeContent(terms, { ...shop, sources: [{ html: text }] })
    assert.deepEqual(
      outside.map(({ reason }) => reason),
      isInside ? [] : ['hosts'],
    )
  })
}

test('a link of what recipients see counts however a browser reads it', () => {
  const links = ['https:evil.example', 'HTTPS://EVIL.example', 'mailto:a@evil.example?subject=x']
  for (const url of links) {
    const preview = { subject: '', text: '', html: `<a href="${url}">here</a>` }
    const outside = judgeContent(terms, { ...shop, previews: [preview] })
    assert.deepEqual(
      outside.map(({ reason }) => reason),
      ['hosts'],
      url,
    )
  }
})

test('hosts are found in time that grows with the text', () => {
  assert.equal(hostsIn('//a '.repeat(100_000)).length, 100_000)
})

test('hours end before their end, and may go over midnight', () => {
  const day = { from: '09:00', to: '18:00' }
  const night = { from: '22:00', to: '06:00' }
  const within = (hours: typeof day, times: string[]) =>
    times.map((time) => isWithinHours(hours, time))
  assert.deepEqual(within(day, ['08:59', '09:00', '17:59', '18:00']), [false, true, true, false])
  assert.deepEqual(within(night, ['21:59', '22:00', '05:59', '06:00']), [false, true, true, false])
})
