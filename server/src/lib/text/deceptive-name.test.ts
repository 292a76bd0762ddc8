import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deceptionIn, withoutEmojiStyle } from './deceptive-name.ts'

test('a word of letters from two scripts that look alike is a deception', () => {
  const names = {
    Сlaude: /Cyrillic/, // Cyrillic Es
    'Clаude for Slack': /Cyrillic/, // Cyrillic a
    Gооgle: /Cyrillic/,
    Νotion: /Greek/, // Greek Nu
    Slαck: /Greek/,
    Ꮯlaude: /other/, // Cherokee
    Օpenai: /other/, // Armenian
    ꓚlaude: /other/, // Lisu
    ⲟpen: /other/, // Coptic
    Сlαude: /Cyrillic|Greek/,
    Привεт: /Cyrillic/, // Greek epsilon within Cyrillic
    'Рау Pal': /look like Latin/,
    'Ассо Bank': /look like Latin/,
  }
  for (const [name, fault] of Object.entries(names)) {
    const found = deceptionIn(name) ?? ''
    assert.match(found, fault, name)
  }
})

test('names as people write them in any script are none', () => {
  for (const name of [
    'Claude',
    'Zoë’s Café – 東京',
    'Notion для Slack',
    'Яндекс Mail',
    'Ромашка',
    'АВТОР',
    'Καφές Online',
    'LINEアプリ',
    '東京Tower2',
    'แอปLINE',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d💻 Studio',
    '👩🏽\u200d💻 Studio',
    '❤\ufe0f\u200d🔥 Mail',
    'שלום App',
    'Việt Nam',
    'Łódź 2000',
    'Ω Tools',
    'Slack с нами',
    'e-mail 24/7',
    'ªº µ-App',
  ]) {
    assert.equal(deceptionIn(name), undefined, name)
  }
})

test('variation selectors and other characters that nobody sees are a deception', () => {
  for (const [name, code] of [
    ['Clau\ufe0fde', 'FE0F'],
    ['Claude\ufe00', 'FE00'],
    ['\ufe0eClaude', 'FE0E'],
    ['葛\u{e0100}飾', 'E0100'],
    ['Claude\u{e01ef}', 'E01EF'],
    ['Mo\u180bngol', '180B'],
    ['Cl\u200caude', '200C'],
    ['Cl\u200daude', '200D'],
    ['Claude\u200d', '200D'],
    ['👩\u200d', '200D'],
    ['a\u034fb', '34F'],
    ['a\u115fb', '115F'],
    ['a\u3164b', '3164'],
    ['a\uffa0b', 'FFA0'],
    ['a\u2800b', '2800'],
    ['a\u202eb', '202E'],
    ['a\u2066b', '2066'],
    ['a\u00adb', 'AD'],
    ['a\u{e0041}b', 'E0041'],
  ] as const) {
    assert.match(deceptionIn(name) ?? '', new RegExp(`U\\+0*${code}$`), JSON.stringify(name))
  }
  assert.equal(withoutEmojiStyle('❤\ufe0f Mail ☎\ufe0e'), '❤ Mail ☎')
})

test('marks without end on one letter are a deception, and those of languages are none', () => {
  assert.match(deceptionIn(`Z${'\u0300'.repeat(5)}algo`) ?? '', /marks/)
  assert.equal(deceptionIn('ệ'.normalize('NFD')), undefined)
})

test('a name of the largest size takes no time', () => {
  const from = performance.now()
  for (const part of ['а', 'a\u200d', '\u0300', '👩\u200d', 'аa ']) deceptionIn(part.repeat(50_000))
  assert.ok(performance.now() - from < 5_000)
})
