import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageHash, namesOf } from './same-message.ts'

const mail = (subject: string, text: string, names?: ReadonlySet<string>) =>
  messageHash('email', { subject, html: null, text }, names)

const same: Record<string, [string, string][]> = {
  'digits and codes': [
    ['20 % off until Friday', 'Your code is SAVE20.'],
    ['25% off until Friday!', 'Your code is X7K2.'],
  ],
  'email addresses and links': [
    ['Offer', 'Write to ana@shop.example or see https://shop.example/a?u=x'],
    ['Offer', 'Write to ben@shop.example or see https://shop.example/b?u=ywz'],
  ],
  'spaces, case and punctuation': [
    ['20 % OFF', 'Only  today: all\nof it.'],
    ['20 % off', 'only today - all of it'],
  ],
  'compatible characters': [
    ['Sale', 'All of it'],
    ['Ｓａｌｅ', 'All of it'],
  ],
}
for (const [difference, mails] of Object.entries(same)) {
  test(`messages that differ by ${difference} alone are the same`, () => {
    assert.equal(new Set(mails.map(([subject, text]) => mail(subject, text))).size, 1)
  })
}

test('markup, comments, styles and the format make no other message', () => {
  const words = 'All shoes are cheaper today.'
  const bodies = [
    `<p>${words}</p>`,
    `<div data-n="1">All <b>shoes</b> are cheaper today.</div>`,
    `<!-- a --><style>p { color: red }</style><p>${words}</p><script>x()</script>`,
    `<STYLE>p { color: red }</STYLE><P>${words}</P><Script>x()</sCRIPT>`,
    `<mjml><mj-body>${words}</mj-body></mjml>`,
  ]
  const hashes = bodies.map((html) => messageHash('email', { subject: 'Hi', html, text: null }))
  assert.deepEqual(new Set(hashes), new Set([mail('Hi', words)]))
})

test('the recipient’s names make no other message, and other names do', () => {
  const person = { name: 'Ana Díaz', attributes: { first_name: 'Anita', city: 'Lyon' } }
  const names = namesOf(['"Ana D." <ana.diaz@example.com>', 'ana.diaz@example.com'], person)
  const plain = mail('20 % off', 'Hello, all of it', names)
  for (const name of ['Ana', 'ANA DÍAZ', 'Anita', 'Ana.Diaz', 'Diaz']) {
    assert.equal(mail('20 % off', `Hello ${name}, all of it`, names), plain, name)
  }
  assert.notEqual(mail('20 % off', 'Hello Ben, all of it', names), plain)
  assert.notEqual(mail('20 % off', 'Hello Lyon, all of it', names), plain)
})

test('other words are another message, and a text is not a mail', () => {
  assert.notEqual(mail('Your order', 'It is on its way.'), mail('Your order', 'It was paid.'))
  assert.notEqual(mail('Your order', 'It was paid.'), mail('Your bill', 'It was paid.'))
  const text = (words: string) => messageHash('sms', { subject: null, html: null, text: words })
  assert.equal(text('Your code is 123456'), text('Your code is 654321'))
  assert.notEqual(text('Hi'), mail('', 'Hi'))
})

test('markup that does not end is read in one pass', () => {
  const long = '<'.repeat(200_000)
  for (const html of [long, `<!--${long}`, `<style>${long}`, `a ${'<style>'.repeat(50_000)}`]) {
    const began = performance.now()
    messageHash('email', { subject: 'Hi', html, text: null })
    assert.ok(performance.now() - began < 2_000)
  }
})
