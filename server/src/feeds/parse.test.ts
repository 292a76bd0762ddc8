/** Reading the feeds of strangers: what blogs publish, and what would do harm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blogs } from '../../../tests/support/network/blogs.ts'
import { filledContent } from './issue.ts'
import { parseFeed } from './parse.ts'
import { NotAFeed, parseLimits } from './raw-feed.ts'

const url = 'https://blog.example.com/feed.xml'
const read = (body: string | Buffer, contentType = 'application/xml') =>
  parseFeed({ body: Buffer.from(body as string), contentType, url })
const rss = (items: string) =>
  `<rss version="2.0"><channel><title>Tea</title><link>https://blog.example.com</link>${items}</channel></rss>`

test('thirty shapes of feeds are read, each with its words, picture and date', async () => {
  assert.ok(blogs.length >= 30)
  for (const { by, type, body, posts } of blogs) {
    const feed = await read(body, type)
    assert.equal(feed.title, 'Tea', by)
    assert.equal(feed.items.length, posts.length, by)
    for (const [n, post] of posts.entries()) {
      const item = feed.items[n]?.item as Record<string, unknown> | undefined
      for (const [field, value] of Object.entries(post)) assert.equal(item?.[field], value, by)
    }
  }
})

test('the words of posts are plain: no markup, no Liquid, nothing unseen', async () => {
  const { items } = await read(
    rss(
      `<item><title>{{ contact.email }} {%raw%} {{{x}}} \u202eevil\u0007</title><link>https://a.example/{{x}}</link><description><![CDATA[<b onclick=x>Bold</b> &lt;script&gt;]]></description></item>`,
    ),
  )
  const [{ item } = { item: undefined }] = items
  assert.equal(item?.title, '{ { contact.email }} { %raw%} { { {x}}} evil')
  assert.equal(item?.url, 'https://a.example/%7B%7Bx%7D%7D')
  assert.equal(item?.text, 'Bold <script>')
})

test('addresses that are none, or hold a password, are left out, and pictures need https', async () => {
  const of = (link: string, image = 'https://a.example/i.png') =>
    `<item><title>${link}</title><link>${link}</link><enclosure type="image/png" url="${image}"/></item>`
  const { items } = await read(
    rss(
      [
        of('javascript:alert(1)'),
        of('data:text/html,x'),
        of('https://user:secret@a.example/'),
        of(`https://a.example/${'x'.repeat(2_000)}`),
        of('https://a.example/1', 'http://a.example/i.png'),
        of('https://a.example/2'),
      ].join(''),
    ),
  )
  assert.deepEqual(
    items.map(({ item }) => [item.url, item.image]),
    [
      ['https://a.example/1', undefined],
      ['https://a.example/2', 'https://a.example/i.png'],
    ],
  )
})

test('entities of a document are not expanded, and deep nesting is refused', async () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('<item><title>&b;&x;</title><link>https://a.example</link></item>')}`
  const { items } = await read(bomb)
  assert.equal(items[0]?.item.title, '&b;&x;')
  const steep = `<![CDATA[${'<a>'.repeat(17_000)}${'</b>'.repeat(12_000)}]]>`
  const before = process.cpuUsage()
  const [post] = (
    await read(
      rss(`<item><link>https://a.example</link><description>Tea ${steep}</description></item>`),
    )
  ).items
  const { user } = process.cpuUsage(before)
  assert.equal(post?.item.text, 'Tea')
  assert.ok(user < 100_000, `${user} µs of work`)
  const deep = rss(`<item>${'<a>'.repeat(parseLimits.depth + 1)}</item>`)
  await assert.rejects(read(deep), NotAFeed)
})

test('a page, other JSON and noise are named as what they are', async () => {
  const problem = (body: string) =>
    read(body).then(
      () => assert.fail(body.slice(0, 40)),
      (error: unknown) => (error instanceof NotAFeed ? error.message : assert.fail(String(error))),
    )
  assert.match(await problem('<!doctype html><html><body>Blog</body></html>'), /web page/)
  assert.match(await problem('{"posts": []}'), /no JSON Feed/)
  assert.match(await problem('{"items": ['), /fault/)
  assert.match(await problem('hello'), /no RSS/)
  assert.match(await problem(''), /no RSS/)
})

test('of 10,000 posts the newest 1,000 are read, and others get their turn meanwhile', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => {
    const date = new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toUTCString()
    return `<item><title>Post ${n}</title><link>https://a.example/${n}</link><guid>${n}</guid><pubDate>${date}</pubDate><description>${'word '.repeat(50)}</description></item>`
  })
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const { items } = await read(rss(many.join('')))
  clearInterval(counting)
  assert.equal(items.length, parseLimits.items)
  assert.equal(items[0]?.item.title, 'Post 9999')
  assert.equal(items.at(-1)?.item.title, 'Post 9000')
  assert.ok(turns > 5, `${turns} turns`)
})

test('a post is known by its id, and by its link and title where the id is another', async () => {
  const post = (guid: string, title: string, link = 'https://a.example/1') =>
    `<item><guid>${guid}</guid><title>${title}</title><link>${link}</link></item>`
  const feedOf = (guid: string, title: string) => rss(post(guid, title))
  const [first, changed, renamed] = await Promise.all(
    [feedOf('1', 'Tea'), feedOf('2', 'Tea'), feedOf('1', 'New')].map(
      async (body) => (await read(body)).items[0],
    ),
  )
  assert.ok(first && changed && renamed)
  assert.deepEqual([first.guidHash, changed.twinHash], [renamed.guidHash, first.twinHash])
  assert.notDeepEqual(first.guidHash, changed.guidHash)
  assert.notDeepEqual(first.twinHash, renamed.twinHash)
  const { items } = await read(
    rss(
      [
        post('1', 'Tea'),
        post('2', 'Tea'),
        post('3', 'Tea', 'http://www.a.example/1/#more'),
        post('4', 'Tea', 'https://a.example/2'),
      ].join(''),
    ),
  )
  assert.deepEqual(
    items.map(({ item }) => item.url),
    ['https://a.example/1', 'https://a.example/2'],
  )
})

test('what an entry was taken from, and its picture, are not taken for the entry', async () => {
  const { items } = await read(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Tea</title><entry><source><id>other</id><title>Other</title><link href="https://other.example/"/></source><image><title>Picture</title><link>https://picture.example/</link></image><id>1</id><title>Green</title><link href="https://a.example/1"/></entry></feed>`,
  )
  assert.deepEqual(
    items.map(({ item }) => [item.title, item.url]),
    [['Green', 'https://a.example/1']],
  )
})

test('titles beside each other make no Liquid', () => {
  const filled = (subject: string, title: string, item: string) =>
    filledContent(
      { subject, blocks: [] },
      { title, language: 'en', groups: [{ items: [{ title: item, url: 'https://a.example' }] }] },
    ).subject
  const both = '{{ feed.title }}{{ item.title }}'
  assert.equal(filled(both, 'Blog {', '{ contact.email }}'), 'Blog {  { contact.email }}')
  assert.equal(filled(both, 'Blog {', '%raw%}'), 'Blog {  %raw%}')
  assert.equal(filled('{{{ item.title }}', '', '{ x }}'), '{ { x }}')
})
