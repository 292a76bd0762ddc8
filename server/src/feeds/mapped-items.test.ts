/** JSON of a shop's or an application's own, read by its mapping. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledContent } from './issue.ts'
import { readMapped } from './mapped-items.ts'
import type { Mapping } from './mapping.ts'
import { parseFeed } from './parse.ts'
import { NotAFeed } from './raw-feed.ts'

const url = 'https://blog.example.com/feed.json'
const shop: Mapping = {
  items: 'catalogue.products',
  id: 'id',
  title: 'title',
  url: 'https://shop.example/products/{handle}',
  text: 'body_html',
  image: 'images.0.src',
  price: 'variants.0.price',
  currency: 'EUR',
  published: 'published_at',
}
const mapped = (json: unknown, mapping: Mapping = shop) =>
  parseFeed(
    { body: Buffer.from(JSON.stringify(json)), contentType: 'application/json', url },
    mapping,
  )

test('products of a shop are read by a mapping, as plain as posts are', async () => {
  const product = (id: number, more: object = {}) => ({
    id,
    title: `Tea {{ contact.email }} ${id}`,
    handle: `tea/${id}?`,
    body_html: '<p>Green <script>alert(1)</script>tea</p>',
    images: [{ src: 'https://cdn.shop.example/tea.jpg' }],
    variants: [{ price: '12.50' }],
    published_at: `2026-11-0${id}T08:00:00Z`,
    ...more,
  })
  const { items } = await mapped({
    catalogue: {
      products: [product(1), product(2, { variants: [{ price: 7 }] }), { title: 'No address' }, 3],
    },
  })
  assert.deepEqual(
    items.map(({ item }) => [item.url, item.price, item.currency]),
    [
      ['https://shop.example/products/tea%2F2%3F', '7', 'EUR'],
      ['https://shop.example/products/tea%2F1%3F', '12.50', 'EUR'],
    ],
  )
  const [newest] = items
  assert.equal(newest?.item.image, 'https://cdn.shop.example/tea.jpg')
  assert.match(newest?.item.text ?? '', /^Green tea$/)
  const content = { subject: 'New', blocks: [{ type: 'feed' as const, hide: ['dates' as const] }] }
  const inGerman = filledContent(content, {
    title: '',
    language: 'de',
    groups: [{ items: items.map(({ item }) => item) }],
  })
  const [block] = inGerman.blocks as { items: { about: string; title: string }[] }[]
  assert.deepEqual(
    block?.items.map(({ about }) => about),
    ['7,00\u00a0€', '12,50\u00a0€'],
  )
})

test('a list at the top, prices that are words, and paths that lead nowhere', async () => {
  const plain = { title: 'name', url: 'link' }
  const { items } = await mapped([{ name: 'A', link: '/a' }, { name: 'B' }], plain)
  assert.deepEqual(
    items.map(({ item }) => item.url),
    ['https://blog.example.com/a'],
  )
  const words = { ...plain, price: 'price' }
  const priced = await mapped([{ name: 'A', link: '/a', price: 'from <b>12</b>' }], words)
  assert.equal(priced.items[0]?.item.price, 'from 12')
  const faultOf = (json: unknown, mapping: Mapping) => {
    try {
      return readMapped(JSON.stringify(json), mapping).items.length
    } catch (error) {
      return error instanceof NotAFeed ? error.message : error
    }
  }
  assert.equal(faultOf({ items: [] }, plain), 'has no list where the mapping says')
  assert.equal(faultOf([{ other: 1 }], plain), 'has no title and address where the mapping says')
  assert.equal(
    faultOf([{ constructor: { name: 'x' } }], { title: 'constructor.name', url: 'toString' }),
    'has no title and address where the mapping says',
  )
  const half = readMapped(JSON.stringify([{ name: 'A', id: '\ud800' }]), {
    title: 'name',
    url: 'https://shop.example/{id}',
  })
  assert.equal(half.items[0]?.link, 'https://shop.example/%EF%BF%BD')
  assert.equal(faultOf([], plain), 0, 'an empty list is no fault')
  const page = { body: Buffer.from('<html>'), contentType: 'text/html', url }
  await assert.rejects(parseFeed(page, plain), /is no JSON/)
})
