/** Mail of blocks in a real browser: checked with axe in both themes and widths. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { isRefusal } from 'crier-server/core/errors.ts'
import type { Block, Look } from 'crier-server/templates/blocks/block.ts'
import { type BlockType, type Network, networks } from 'crier-server/templates/blocks/types.ts'
import { footerOf } from 'crier-server/tracking/track-mail.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'

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
