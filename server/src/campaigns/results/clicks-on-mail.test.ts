import assert from 'node:assert/strict'
import test from 'node:test'
import { clicksOnMail } from './clicks-on-mail.ts'

const mailOf = (...urls: string[]) => urls.map((url) => `<a href="${url}">x</a>`).join('<p>')
const unsubscribe = 'https://crier.example/u/test'
const drawn = (html: string, other: string, counted: Parameters<typeof clicksOnMail>[1]) =>
  clicksOnMail({ html, other, unsubscribe }, counted)
const at = (url: string, people: number, machines = 0) => ({ url, people, machines })

test('an address that the mail has twice is listed once with its count, and one without clicks with none', () => {
  const mail = mailOf(
    'https://shop.example/a?b=1&amp;c=2',
    'https://shop.example',
    'https://shop.example/a?b=1&amp;c=2',
    'mailto:a@example.com',
    unsubscribe,
  )
  assert.deepEqual(drawn(mail, mail, [at('https://shop.example/a?b=1&c=2', 3, 1)]), [
    { url: 'https://shop.example/a?b=1&c=2', people: 3, machines: 1, personal: false },
    { url: 'https://shop.example/', people: 0, machines: 0, personal: false },
  ])
})

test('addresses that differ by person are added up, without those that all people share', () => {
  const page = (who: string) =>
    mailOf(
      `https://shop.example/u/${who}?utm_source=news`,
      'https://shop.example/u/all?utm_source=news',
    )
  const counted = [
    at('https://shop.example/u/7?utm_source=news', 1),
    at('https://shop.example/u/8?utm_source=news', 1, 1),
    at('https://shop.example/u/9', 5),
    at('https://shop.example/u/all?utm_source=news', 2),
  ]
  const [own, shared] = drawn(page('id'), page('Zoë'), counted)
  assert.deepEqual([own?.people, own?.machines, own?.personal], [2, 1, true])
  assert.deepEqual([shared?.people, shared?.personal], [2, false])
})

test('a host that differs by person has no clicks of other hosts', () => {
  const counted = [at('https://b.example/', 1)]
  const [link] = drawn(mailOf('https://a.example/'), mailOf('https://c.example/'), counted)
  assert.deepEqual([link?.people, link?.personal], [0, false])
})

test('mails with a different number of links are compared with the counted addresses alone', () => {
  const mail = mailOf('https://shop.example/a', 'https://shop.example/b')
  const counted = [at('https://shop.example/b', 2)]
  const links = drawn(mail, mailOf('https://shop.example/b'), counted)
  assert.deepEqual(
    links.map(({ people }) => people),
    [0, 2],
  )
})
