/** Mail of blocks in a real browser: checked with axe in both themes and widths. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { contrastOf, minimumContrast } from 'crier-server/accounts/settings/contrast.ts'
import { isRefusal } from 'crier-server/core/errors.ts'
import type { Block, Look } from 'crier-server/templates/blocks/block.ts'
import { type BlockType, type Network, networks } from 'crier-server/templates/blocks/types.ts'
import { footerOf } from 'crier-server/tracking/track-mail.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import {
  faultsOf,
  launch,
  type OpenBrowser,
  person,
  picture,
  type Theme,
  wordsOfBlocked,
} from './browser.ts'

const skip = withoutBrowser
const url = 'https://shop.example/menu'
const src = 'https://shop.example/cake.png'

const heading: Block = { type: 'heading', text: 'Spring menu' }
const text: Block = {
  type: 'text',
  text: 'Hello **{{ contact.name }}**, *three new cakes* wait for you: see [our menu](https://shop.example/menu).\n\nThey are made each morning.',
}

const viewLink: Block = { type: 'view_link', align: 'center' }

/** For each type the blocks of its mails: the type alone, and with all of its fields. */
const mails: Record<BlockType, Block[][]> = {
  heading: [
    [heading],
    [
      { ...heading, align: 'center', colour: '#1d4ed8' },
      { type: 'heading', text: 'Cakes' },
      { type: 'heading', text: 'With fruit', level: 3 },
    ],
  ],
  text: [
    [heading, text],
    [heading, { ...text, align: 'right', colour: '#767676' }],
  ],
  image: [
    [heading, { type: 'image', src, alt: 'A cake', url, width: 200, align: 'center' }],
    [heading, { type: 'image', src, decorative: true }],
  ],
  button: ['#ffee00', '#111111', '#777777'].map((colour): Block[] => [
    heading,
    { type: 'button', text: 'Book a table', url },
    { type: 'button', text: 'See the menu', url, colour, align: 'center' },
  ]),
  list: [
    [heading, { type: 'list', items: ['Apple cake', 'Pear cake **new**'] }],
    [heading, { type: 'list', items: ['Come', `[Order](${url})`], ordered: true }],
  ],
  quote: [
    [heading, { type: 'quote', text: 'The best cake in town.' }],
    [heading, { type: 'quote', text: `The best. [More](${url})`, by: 'Ana Moreau' }],
  ],
  columns: [
    [heading, { type: 'columns', columns: [[text], [text]], background: '#1e1b4b' }],
    [
      heading,
      {
        type: 'columns',
        columns: ['Apple', 'Pear', 'Plum'].map((name) => [
          { type: 'image', src, alt: `A ${name} cake` },
          { type: 'heading', text: name },
          { type: 'text', text: 'Fresh.' },
        ]),
      },
    ],
  ],
  divider: [[heading, { type: 'divider' }, text]],
  spacer: [[heading, { type: 'spacer', height: 60 }, text]],
  view_link: [
    [viewLink, heading, text],
    [heading, { type: 'view_link', text: 'See this mail as a page' }],
  ],
  logo: [
    [{ type: 'logo', src, alt: 'Brindlequay', url }, heading],
    [
      { type: 'logo', src, alt: 'Brindlequay', width: 60, align: 'left', background: '#111111' },
      heading,
    ],
  ],
  social: [
    [heading, { type: 'social', links: [{ network: 'instagram', url }] }],
    [
      heading,
      {
        type: 'social',
        align: 'right',
        links: (Object.keys(networks) as Network[]).map((network) => ({ network, url })),
      },
    ],
  ],
  product: [
    [heading, { type: 'product', src, name: 'Apple cake' }],
    [
      heading,
      {
        type: 'product',
        src,
        alt: 'A slice of apple cake',
        name: 'Apple cake',
        price: '€ 4.20',
        text: 'With **cream**.',
        url,
        button: 'Order',
        background: '#fff7ed',
        align: 'center',
      },
    ],
  ],
  code: [
    [heading, { type: 'code', code: 'SPRING-20' }],
    [heading, { type: 'code', code: 'SPRING-20', text: 'Your code', background: '#1e1b4b' }],
  ],
  image_text: [
    [heading, { type: 'image_text', src, alt: 'A cake', text: 'Fresh **each morning**.' }],
    [
      heading,
      {
        type: 'image_text',
        src,
        alt: 'A cake',
        url,
        text: `Fresh. [More](${url})`,
        side: 'right',
        background: '#ffee00',
        padding: 'large',
      },
    ],
  ],
  footer: [[heading, { type: 'footer', text: 'You bought tea.' }]],
  feed: [
    [
      heading,
      {
        type: 'feed',
        items: [
          {
            title: 'How we store tea',
            url: 'https://example.com/tea',
            text: 'Dark, dry and closed.',
            about: 'Ana · 30 November 2026',
          },
        ],
        button: 'Read on',
      },
    ],
  ],
  receipt: [
    [heading, { type: 'receipt', rows: [{ name: 'Apple cake', price: '€ 4.20' }] }],
    [
      heading,
      {
        type: 'receipt',
        rows: [
          { name: 'Apple cake', quantity: '2', price: '€ 8.40' },
          { name: 'A very long name of a cake that nobody can remember', price: '€ 12.00' },
        ],
        totals: [
          { name: 'VAT', price: '€ 1.33' },
          { name: 'Total', price: '€ 20.40' },
        ],
        padding: 'small',
      },
    ],
  ],
  mjml: [[heading, { type: 'mjml', mjml: '<mj-text>From <b>MJML</b></mj-text>' }]],
}

const looks: Look[] = [
  { language: 'en', colour: null },
  { language: 'ar', colour: '#b91c1c' },
]

let browser: OpenBrowser
/** The name and HTML of each mail. */
const made: [name: string, html: string][] = []
before(async () => {
  if (skip) return
  const templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
  const all = Object.values(mails).flatMap(([first = []]) =>
    first.filter((block) => block !== heading),
  )
  const named: [string, Block[]][] = [
    ...Object.entries(mails).flatMap(([type, each]) =>
      each.map((blocks, n): [string, Block[]] => [`${type}-${n + 1}`, blocks]),
    ),
    ['all', [viewLink, heading, ...all]],
  ]
  for (const look of looks) {
    const sender = {
      name: 'Brindlequay',
      postalAddress: '1 Harbour Street',
      language: look.language,
    }
    const footer = footerOf(sender, 'https://u.example', { text: '' }).html
    for (const [name, blocks] of named) {
      if (look.colour !== null && name !== 'all') continue
      const compiled = await templates.check({ subject: 'Spring menu', blocks }, look)
      assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
      const shown = await templates.render(compiled, {
        contact: { name: 'Ana' },
        view_url: 'https://u.example/v/1',
      })
      assert.ok(!isRefusal(shown))
      const html = (shown.html ?? '').replace('</body>', `${footer}</body>`)
      made.push([`${name}-${look.language}`, html])
    }
  }
  await templates.close()
  browser = await launch()
})
after(() => browser?.close())

/** Rules about whole pages: mailboxes show a mail within their own page, with its landmarks. */
const ofPages = ['landmark-one-main', 'region']

/** English mails, and a mail of all blocks that reads from right to left, in each theme and width. */
const views: [language: string, theme: Theme, width: number][] = [
  ['en', 'light', 700],
  ['en', 'dark', 390],
  ['ar', 'light', 390],
  ['ar', 'dark', 700],
]
for (const [language, theme, width] of views) {
  test(`axe finds no fault in mails of every type of block (${language}, ${theme}, ${width} px)`, {
    skip,
  }, async () => {
    const { context, page } = await person(browser, { theme, width, script: true })
    // Pictures are drawn here and not fetched.
    await context.route('https://shop.example/**', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><rect width="600" height="300" fill="#e8b4a0"/></svg>',
      }),
    )
    const its = made.filter(([name]) => name.endsWith(`-${language}`))
    assert.ok(its.length >= (language === 'en' ? 18 : 1))
    for (const [name, html] of its) {
      await page.setContent(html)
      assert.deepEqual(await faultsOf(page, ofPages), [], name)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= width, `${name} is ${wide} pixels wide`)
      if (name.startsWith('all')) await picture(page, `blocks-${name}-${theme}-${width}`)
    }
    await context.close()
  })
}

/** What each picture says, and in which colours, where no picture is loaded. */
interface ShownWords {
  words: string
  colour: string
  ground: string
}

/** Runs in the page. */
function wordsOfPictures(): ShownWords[] {
  const groundOf = (element: Element | null): string => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (!/^(?:transparent|rgba\(\d+, \d+, \d+, 0\))$/.test(backgroundColor))
        return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  return [...document.images]
    .filter((image) => image.alt !== '' && image.getClientRects().length > 0)
    .map((image) => ({
      words: image.alt,
      colour: getComputedStyle(image).color,
      ground: groundOf(image),
    }))
}

const hexOf = (colour: string) =>
  `#${(colour.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`

test('where pictures are blocked, the words of each are whole and can be read on any ground', {
  skip,
}, async () => {
  const night = '#1e1b4b'
  const logo = { image_id: 'x', file: 'l.png', darkFile: 'd.png', alt: 'Mill & Moss', width: 140 }
  const look: Look = {
    language: 'en',
    colour: '#0f766e',
    brand: { name: 'Mill & Moss', colours: [], locked: [], logo },
  }
  const all = (Object.keys(networks) as Network[]).map((network) => ({ network, url }))
  const blocks: Block[] = [
    { type: 'logo' },
    { type: 'logo', src, alt: 'Brindlequay and Sons', width: 120 },
    { type: 'image', src, alt: 'A loaf of rye bread on a board' },
    { type: 'image', src, alt: 'A loaf on a dark ground', url, background: night },
    { type: 'image_text', src, alt: 'A cake with apples', text: 'Fresh.', background: night },
    { type: 'image_text', src, alt: 'A cake with pears', url, text: 'Fresh.' },
    { type: 'product', src, name: 'Apple cake', url, button: 'Order', background: '#0f766e' },
    {
      type: 'columns',
      columns: [
        [{ type: 'image', src, alt: 'Left', url }],
        [{ type: 'image', src, alt: 'Right', background: '#fff7ed' }],
      ],
      background: night,
    },
    { type: 'social', links: all },
    { type: 'social', links: all.slice(0, 2), background: night },
  ]
  const templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
  const compiled = await templates.check({ subject: 'x', blocks }, look)
  assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
  const rendered = await templates.render(compiled, {})
  await templates.close()
  assert.ok(!isRefusal(rendered))
  for (const theme of ['light', 'dark'] as const) {
    for (const width of [390, 600]) {
      const { context, page } = await person(browser, { theme, width, script: true })
      await context.route(/^https?:/, (route) => route.abort())
      await page.setContent(rendered.html ?? '')
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
      const pictures = await page.evaluate(wordsOfPictures)
      assert.equal(pictures.length, 9 + all.length + 2, theme)
      for (const { words, colour, ground } of pictures) {
        const contrast = contrastOf(hexOf(colour), hexOf(ground))
        assert.ok(contrast >= minimumContrast, `${words}, ${theme}: ${contrast} on ${ground}`)
      }
      const drawn = await wordsOfBlocked(page)
      assert.equal(drawn.length, pictures.length)
      for (const { words, cut } of drawn) {
        assert.ok(cut <= 1, `${words} is cut by ${cut} pixels, ${theme}, ${width}`)
      }
      await picture(page, `blocked-${theme}-${width}`)
      await context.close()
    }
  }
})

test('a button on a ground of its own colour is still seen as one', { skip }, async () => {
  const templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
  const ground = '#0f766e'
  const button: Block = { type: 'button', text: 'Order', url }
  const blocks: Block[] = [
    { ...button, background: ground },
    { type: 'product', src, name: 'Cake', url, button: 'Order', background: ground },
    { type: 'columns', columns: [[button], [text]], background: ground },
  ]
  const compiled = await templates.check(
    { subject: 'x', blocks },
    { language: 'en', colour: ground },
  )
  assert.ok(!isRefusal(compiled))
  const rendered = await templates.render(compiled, {})
  await templates.close()
  assert.ok(!isRefusal(rendered))
  const { context, page } = await person(browser, { width: 600, script: true })
  await page.setContent(rendered.html ?? '')
  const fills = await page
    .getByRole('link', { name: 'Order' })
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).backgroundColor))
  assert.deepEqual(fills, Array(3).fill('rgb(255, 255, 255)'))
  await context.close()
})
