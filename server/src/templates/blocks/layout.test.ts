/** Blocks as they come out: as HTML and text, through the thread that compiles them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type OwnTemplates,
  ownTemplates,
} from '../../../../tests/support/businesses/own-templates.ts'
import { refused } from '../../../../tests/support/refused.ts'
import { contrastOf } from '../../accounts/settings/contrast.ts'
import { isRefusal } from '../../core/errors.ts'
import type { Variables } from '../compile.ts'
import type { Block, Look } from './block.ts'
import { type Network, networks } from './types.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
})
after(() => templates.close())

async function made(blocks: Block[], variables: Variables = {}, look?: Look) {
  const compiled = await templates.check({ subject: 'Hi', blocks }, look)
  assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
  const mail = await templates.render(compiled, variables)
  assert.ok(!isRefusal(mail))
  return { html: mail.html ?? '', text: mail.text, variables: compiled.variables }
}

async function fault(block: Block): Promise<[string | undefined, string]> {
  const blocks: Block[] = [{ type: 'divider' }, block]
  const { details, message } = refused(await templates.check({ subject: 'Hi', blocks }))
  return [details.field, message]
}

test('words of an author and of a contact are escaped, and only the marks of a text become markup', async () => {
  const evil = '<img src=x onerror=alert(1)> & "co"'
  const { html, text } = await made(
    [
      { type: 'heading', text: `H ${evil}` },
      { type: 'text', text: `T ${evil} **bold {{ name }}** and *soft*, 3 * 4 * 5, **open` },
    ],
    { name: evil },
  )
  assert.ok(!/<img|<script/i.test(html), html)
  assert.match(
    html,
    /<strong>bold &lt;img[^<]*<\/strong> and <em>soft<\/em>, 3 \* 4 \* 5, \*\*open/,
  )
  assert.match(text, /T <img src=x onerror=alert\(1\)> & "co"/)
})

test('marks in braces become markup in HTML, words in the text, and unknown ones stay', async () => {
  const marks = '[u]{u} [c]{color=accent} [s]{size=s b} [l](https://a.test){size=l i} [m]{size=m}'
  const others = '\\[w]{u} [x]{blink} [y]{color=RED} [z]{} [v]{u"} 2\\*3\\*4 a\\b'
  const { html, text } = await made(
    [
      { type: 'text', text: `${marks}\n${others}` },
      { type: 'list', items: ['[i]{u}'] },
    ],
    {},
    { language: 'en', colour: '#1d4ed8' },
  )
  assert.match(html, /<u>u<\/u> <span class="accent" style="color: ?#1d4ed8;?">c<\/span>/)
  assert.match(html, /<span style="font-size: ?13px;?"><strong>s<\/strong><\/span>/)
  assert.match(
    html,
    /<a href="https:\/\/a\.test"[^>]*><span [^>]*20px[^>]*><em>l<\/em><\/span><\/a>/,
  )
  assert.match(html, /<li[^>]*><u>i<\/u>/)
  assert.match(
    html,
    /\[w\]\{u\} \[x\]\{blink\} \[y\]\{color=RED\} \[z\]\{\} \[v\]\{u(?:&quot;|")\}/,
  )
  assert.match(text, /^u c s l \[https:\/\/a\.test\] m\n\[w\]\{u\} \[x\]\{blink\}/)
  assert.match(text, / 2\*3\*4 a\\b/)
})

test('in the dark, links and accents are a lighter shade of the colour of the business', async () => {
  const words: Block[] = [{ type: 'text', text: '[c]{color=accent}' }]
  const inTheDark = async (colour: string | null) => {
    const { html } = await made(words, {}, { language: 'en', colour })
    return /\.card span\.accent\{color:(#[0-9a-f]{6})!important\}/.exec(html)?.[1] ?? ''
  }
  assert.equal(await inTheDark(null), '#b9c0ff')
  const green = await inTheDark('#0f766e')
  for (const ground of ['#232329', '#2f2f38']) assert.ok(contrastOf(green, ground) >= 4.5, green)
  const [red = 0, mid = 0] = [green.slice(1, 3), green.slice(3, 5)].map((part) =>
    parseInt(part, 16),
  )
  assert.ok(mid > red + 40, `${green} is no green`)
  assert.equal(await inTheDark('#ffe08a'), '#ffe08a', 'what is light enough stays')
})

test('words in a colour that the brand has lost are in that of the words around them', async () => {
  const blocks: Block[] = [
    { type: 'text', text: 'A [sale]{color=sun b}, [now]{color=constructor}.' },
  ]
  const { html, text } = await made(blocks, {}, { language: 'en', colour: null })
  assert.match(html, /A <strong>sale<\/strong>, now\./)
  assert.match(text, /A sale, now\./)
})

test('no field of any block lets markup through', async () => {
  const evil = '</td><script>alert(1)</script>" onload="alert(1)'
  const blocks: Block[] = [
    { type: 'button', text: evil, url: `https://shop.example/?${'"><script>'}` },
    { type: 'list', items: [evil] },
    { type: 'quote', text: evil, by: evil },
    { type: 'image', src: 'https://shop.example/a.png', alt: `${evil} {{ name }}` },
    {
      type: 'columns',
      columns: [[{ type: 'heading', text: evil }], [{ type: 'text', text: evil }]],
    },
    { type: 'logo', src: `https://shop.example/${'"><script>'}`, alt: evil },
    { type: 'social', links: [{ network: 'x', url: `https://shop.example/?${'"><script>'}` }] },
    {
      type: 'product',
      src: 'https://shop.example/a.png',
      alt: evil,
      name: `${evil} {{ name }}`,
      price: evil,
      text: evil,
      url: `https://shop.example/?${'"><script>'}`,
      button: evil,
    },
    { type: 'product', src: 'https://shop.example/a.png', name: evil, url: 'https://a.example' },
    { type: 'code', code: `${'"><script>'}{{ name }}`, text: evil },
    { type: 'image_text', src: 'https://shop.example/a.png', alt: evil, text: evil },
    {
      type: 'receipt',
      rows: [{ name: evil, quantity: evil.slice(0, 40), price: '{{ name }}' }],
      totals: [{ name: evil, price: '"><script>' }],
    },
  ]
  const { html } = await made(blocks, { name: evil })
  assert.ok(!/<script|" onload="/i.test(html), html)
})

test('paragraphs, line breaks, links and Liquid of a text come out as the author meant them', async () => {
  const { html, text, variables } = await made(
    [
      {
        type: 'text',
        text: 'Hello {% if name %}{{ name | default: "you" }}{% endif %},\nsee [our **menu**]({{ menu_url }}).\n\nOr **[write](mailto:ana@shop.example)** or [call](tel:+34600000000) [brackets].',
      },
    ],
    { name: 'Ana', menu_url: 'https://shop.example/menu' },
  )
  assert.match(html, /<p[^>]*>Hello Ana,<br[^>]*>see <a href="https:\/\/shop\.example\/menu"/)
  assert.match(html, /our <strong>menu<\/strong><\/a>\./)
  assert.match(html, /<strong><a href="mailto:ana@shop\.example"[^>]*>write<\/a><\/strong>/)
  assert.match(html, /\[brackets\]/)
  assert.match(text, /see our menu \[https:\/\/shop\.example\/menu\]/)
  assert.deepEqual(variables, ['menu_url', 'name'])
})

test('an address from a value becomes # if it could run code', async () => {
  const blocks: Block[] = [{ type: 'button', text: 'Open', url: '{{ link }}' }]
  const { html } = await made(blocks, { link: 'javascript:alert(1)' })
  assert.match(html, /href="#"/)
  assert.ok(!html.includes('javascript'))
})

const addresses: [url: string, right: boolean][] = [
  ['https://shop.example/{{ path }}?a=1', true],
  ['HTTP://shop.example', true],
  ['mailto:ana@shop.example', true],
  ['tel:+34600000000', true],
  ['{{ shop_url }}', true],
  ['{{ shop_url }}/menu', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['//shop.example', false],
  ['shop.example', false],
  ['{{ empty }}javascript:alert(1)', false],
  ['{% if x %}https://shop.example{% endif %}', false],
  ['https://', false],
  ['https://shop.example/a b', false],
  ['java\nscript:alert(1)', false],
]

for (const [url, right] of addresses) {
  test(`a button and a text ${right ? 'may' : 'may not'} link to ${JSON.stringify(url)}`, async () => {
    const button: Block = { type: 'button', text: 'Open', url }
    const text: Block = { type: 'text', text: `See [this](${url}).` }
    const src = 'https://shop.example/a.png'
    const others: [block: Block, field: string][] = [
      [{ type: 'logo', src, alt: 'Shop', url }, 'url'],
      [{ type: 'social', links: [{ network: 'x', url }] }, 'links[0].url'],
      [{ type: 'product', src, name: 'Cake', url, button: 'Order' }, 'url'],
      [{ type: 'image_text', src, alt: 'Cake', url, text: 'x' }, 'url'],
    ]
    if (right) return void (await made([button, text, ...others.map(([block]) => block)]))
    assert.equal((await fault(button))[0], 'blocks[1].url')
    for (const [block, field] of others) assert.equal((await fault(block))[0], `blocks[1].${field}`)
    if (!url.includes('(')) assert.equal((await fault(text))[0], 'blocks[1].text')
  })
}

test('an image is loaded by http or https alone', async () => {
  for (const src of ['mailto:a@b.example', 'data:image/png;base64,AA', 'cid:x']) {
    const blocks: Block[] = [
      { type: 'image', src, decorative: true },
      { type: 'logo', src, alt: 'Shop' },
      { type: 'product', src, name: 'Cake' },
      { type: 'image_text', src, decorative: true, text: 'x' },
    ]
    for (const block of blocks) assert.equal((await fault(block))[0], 'blocks[1].src')
  }
})

const liquid: [block: Block, field: string, message: RegExp][] = [
  [{ type: 'text', text: '{{ a' }, 'blocks[1].text', /not closed/],
  [{ type: 'heading', text: '{% if a %}x' }, 'blocks[1].text', /not closed/],
  [{ type: 'list', items: ['x', '{{ a | raw }}'] }, 'blocks[1].items[1]', /undefined filter: raw/],
  [{ type: 'mjml', mjml: '{% if a %}' }, 'blocks[1].mjml', /not closed/],
  [
    { type: 'mjml', mjml: '<mj-text>x</mj-text>\n<mj-section></mj-section>' },
    'blocks[1].mjml',
    /in line 2: mj-section cannot be used inside mj-column/,
  ],
  [
    { type: 'mjml', mjml: '\n<mj-raw><style>p{color:{{ a }}}</style></mj-raw>' },
    'blocks[1].mjml',
    /of line 2, which stands within <style>/,
  ],
  [
    { type: 'columns', columns: [[{ type: 'divider' }], [{ type: 'text', text: '{{ a' }]] },
    'blocks[1].columns[1][0].text',
    /not closed/,
  ],
]

for (const [block, field, message] of liquid) {
  test(`a fault of ${JSON.stringify(block)} is told at ${field}`, async () => {
    const [at, text] = await fault(block)
    assert.equal(at, field)
    assert.match(text, message)
  })
}

test('the first heading is the title, and the others stand below it unless they say otherwise', async () => {
  const heading = (text: string, level?: number): Block => {
    return { type: 'heading', text, ...(level && { level }) } as Block
  }
  const { html } = await made([heading('A'), heading('B'), heading('C', 3), heading('D')])
  const levels = [...html.matchAll(/<h(\d)[^>]*>(\w)</g)].map(
    ([, level, text]) => `${text}${level}`,
  )
  assert.deepEqual(levels, ['A1', 'B2', 'C3', 'D2'])
})

test('a mail has the language, direction and colour of its business', async () => {
  const blocks: Block[] = [
    { type: 'text', text: '[x](https://shop.example)' },
    { type: 'button', text: 'x', url: 'https://shop.example' },
  ]
  const { html } = await made(blocks, {}, { language: 'ar-EG', colour: '#1d4ed8' })
  assert.match(html, /<html lang="ar-EG" dir="rtl"/)
  assert.match(html, /background:#1d4ed8;[^"]*color:#ffffff|bgcolor="#1d4ed8"/)
  assert.ok(!/direction: ?ltr/.test(html), 'a part of the mail is left to right')
  const pale = await made(blocks, {}, { language: 'de', colour: '#ffee00' })
  assert.match(pale.html, /<html lang="de" dir="ltr"/)
  assert.match(pale.html, /class="link" style="color: ?#24242b/)
})

test('a link to the view in the browser has the words of the mail’s language or its own', async () => {
  const view_url = 'https://crier.test/v/1'
  const text: Block = { type: 'text', text: 'Hello' }
  const link: Block = { type: 'view_link', align: 'center' }
  const german = await made([link, text], { view_url }, { language: 'de-AT', colour: null })
  const above = /<a href="https:\/\/crier\.test\/v\/1"[^>]*>Im Browser ansehen<\/a>/.exec(
    german.html,
  )
  assert.ok(above && above.index < german.html.indexOf('class="card'), 'it stands above the card')
  assert.match(german.text, /Im Browser ansehen/)
  assert.deepEqual(german.variables, ['view_url'])
  const evil = '<b>Page</b> {{ name }}'
  const own = await made([text, { ...link, text: evil }], { view_url, name: '"<i>' })
  const [, words] = /<a href="https:\/\/crier\.test\/v\/1"[^>]*>(.*?)<\/a>/.exec(own.html) ?? []
  assert.equal(words, '&lt;b&gt;Page&lt;/b&gt; &quot;&lt;i&gt;')
  assert.ok(own.html.indexOf('Hello') < own.html.indexOf('&lt;b&gt;Page'))
  for (const blocks of [
    [link, text],
    [text, link],
  ]) {
    const { html, text: said } = await made(blocks, { view_url: '' })
    assert.doesNotMatch(html + said, /View in browser|<a /, 'mail without a view has no link')
  }
  assert.deepEqual(await fault({ ...link, text: '{{ a' }), [
    'blocks[1].text',
    (await fault({ type: 'heading', text: '{{ a' }))[1],
  ])
})

const shop = 'https://shop.example'
const src = `${shop}/a.png`

test('a receipt is a table of data, and its prices stand below each other in the text', async () => {
  const { html, text } = await made([
    {
      type: 'receipt',
      rows: [
        { name: 'Apple cake', quantity: '2', price: '€ 8.40' },
        { name: 'Tea', price: '€ 12.00' },
        { name: 'A cake with a name that is longer than a line', quantity: '10', price: '€ 1' },
      ],
      totals: [{ name: 'Total', price: '€ 21.40' }],
    },
  ])
  assert.match(html, /<table class="crier-receipt"(?![^>]*role)/)
  assert.match(html, /<th scope="row"[^>]*>Apple cake<\/th><td[^>]*>2<\/td><td[^>]*>€ 8\.40<\/td>/)
  assert.match(html, /<th scope="row" colspan="2"[^>]*>Total<\/th>/)
  const gap = (width: number) => ' '.repeat(width)
  assert.equal(
    text,
    [
      `Apple cake${gap(34)}   2   € 8.40`,
      `Tea${gap(41)}      € 12.00`,
      'A cake with a name that is longer than a line',
      `${gap(44)}  10      € 1`,
      `Total${gap(39)}      € 21.40`,
    ].join('\n'),
  )
})

test('links to networks are pictures of ours with the name of each, and its name in the text', async () => {
  const links = (Object.keys(networks) as Network[]).map((network) => ({ network, url: shop }))
  const { html, text } = await made([{ type: 'social', links }])
  const icon =
    /<a href="https:\/\/shop\.example"[^>]*><!--\[if mso\]><img src="([^"]*)" alt="([^"]*)" width="32"/g
  const found = [...html.matchAll(icon)].map(([, address, alt]) => [address, alt])
  assert.deepEqual(
    found,
    Object.entries(networks).map(([network, name]) => [
      `http://localhost:8080/images/network-${network}.png`,
      name,
    ]),
  )
  assert.match(text, /^Facebook \[https:\/\/shop\.example\] Instagram \[/)
})

test('a product, a code, a logo and an image beside text say all that they have in the text', async () => {
  const { html, text } = await made([
    { type: 'logo', src, alt: 'Brindlequay', url: shop },
    {
      type: 'product',
      src,
      name: 'Cake',
      price: '€ 4',
      text: '**Good**',
      url: `${shop}/cake`,
      button: 'Order',
    },
    { type: 'product', src, name: 'Tea' },
    { type: 'code', code: 'SPRING-20', text: 'Your code' },
    { type: 'image_text', src, alt: 'A cup', text: 'Fresh.', side: 'right' },
  ])
  assert.deepEqual(text.split(/\n\s*/), [
    `Brindlequay [${shop}]`,
    `Cake [${shop}/cake]`,
    'Cake',
    '€ 4',
    'Good',
    `Order [${shop}/cake]`,
    'Tea',
    'Your code',
    'SPRING-20',
    'Fresh.',
  ])
  assert.match(html, /dashed[\s\S]*user-select: ?all/)
  assert.equal(
    html.match(/<img alt(?:="")?(?=[\s/>])/g)?.length,
    1,
    'the picture of a product without a link decorates',
  )
  // The columns stand the other way round, so that the image is first on a phone.
  assert.match(html, /direction: ?rtl[\s\S]*alt="A cup"[\s\S]*Fresh\./)
})

test('text on a background can be read there, in light and in dark mode', async () => {
  const look: Look = { language: 'en', colour: '#1d4ed8' }
  const words = `[x](${shop}) [y]{color=accent}`
  const on = async (background: string) =>
    (await made([{ type: 'text', text: words, background, padding: 'small' }], {}, look)).html
  const blue = await on('#eef2ff')
  assert.match(blue, /class="ground" style="[^"]*background: ?#eef2ff;[^"]*padding: ?8px 32px/)
  assert.match(blue, /class="link" style="color: ?#1d4ed8/)
  const night = await on('#1e1b4b')
  assert.match(night, /class="link" style="color: ?#ffffff/)
  assert.match(night, /class="accent" style="color: ?#ffffff/)
  assert.match(night, /line-height:1\.6;[^"]*color:#ffffff/)
  assert.match(night, /\.card \.ground\{background-color:#2f2f38!important\}/)
  const columns: Block = {
    type: 'columns',
    columns: [[{ type: 'heading', text: 'x' }], [{ type: 'text', text: words }]],
    background: '#1e1b4b',
  }
  const { html } = await made([columns], {}, look)
  assert.equal(html.match(/color:#ffffff;"><(?:h1|p)/g)?.length, 2)
})

test('a mail of every type is below 60 kB, and its tables are nested five deep at most', async () => {
  const frame = { background: '#eef2ff', padding: 'large' } as const
  const { html } = await made([
    { type: 'logo', src, alt: 'Shop', ...frame },
    { type: 'heading', text: 'x', ...frame },
    { type: 'text', text: 'x', ...frame },
    { type: 'image', src, alt: 'x', ...frame },
    { type: 'button', text: 'x', url: shop, ...frame },
    { type: 'list', items: ['x'], ...frame },
    { type: 'quote', text: 'x', by: 'x', ...frame },
    { type: 'divider', ...frame },
    { type: 'spacer' },
    { type: 'product', src, name: 'x', price: '1', text: 'x', url: shop, button: 'x', ...frame },
    { type: 'code', code: 'x', text: 'x', ...frame },
    { type: 'image_text', src, alt: 'x', text: 'x', ...frame },
    { type: 'receipt', rows: [{ name: 'x', quantity: '1', price: '1' }], ...frame },
    {
      type: 'columns',
      columns: [
        [{ type: 'product', src, name: 'x', url: shop, button: 'x', ...frame }],
        [
          { type: 'code', code: 'x', ...frame },
          { type: 'receipt', rows: [{ name: 'x', price: '1' }], ...frame },
        ],
      ],
      ...frame,
    },
    { type: 'social', links: [{ network: 'x', url: shop }], ...frame },
    { type: 'view_link' },
    { type: 'mjml', mjml: '<mj-text>x</mj-text>' },
  ])
  assert.ok(html.length < 60_000, `${html.length} characters`)
  for (const isForOutlook of [false, true]) {
    // Outlook reads what the comments of the layout hide from others, and skips what is not for it.
    const seen = isForOutlook
      ? html
          .replace(/<!--\[if !mso[\s\S]*?<!\[endif\]-->/g, '')
          .replace(/<!--\[if[^>]*>|<!\[endif\]-->/g, '')
      : html.replace(/<!--[\s\S]*?-->/g, '')
    let [depth, deepest] = [0, 0]
    for (const [tag] of seen.matchAll(/<(?:table(?=[\s>])|\/table>)/g)) {
      depth += tag === '</table>' ? -1 : 1
      deepest = Math.max(deepest, depth)
    }
    assert.equal(depth, 0)
    assert.ok(deepest <= (isForOutlook ? 9 : 5), `${deepest} deep, Outlook: ${isForOutlook}`)
  }
})

test('all tables of a mail of blocks are for layout', async () => {
  const { html } = await made([
    { type: 'columns', columns: [[{ type: 'divider' }], [{ type: 'spacer' }]] },
    { type: 'image', src: 'https://shop.example/a.png', alt: 'A cake' },
    { type: 'button', text: 'x', url: 'https://shop.example' },
  ])
  const tables = html.match(/<table/g)?.length ?? 0
  assert.ok(tables > 5)
  assert.equal(html.match(/<table[^>]*role="presentation"/g)?.length, tables)
})

test('texts of nothing but marks, brackets and values are compiled within the usual second', async () => {
  const strict = ownTemplates()
  const pieces = ['[', '](', '[a](', '*', '**', '* **', '{{ a }}', ']{u}', '[a]{u', '\\', '\\[']
  const blocks = pieces.map((piece): Block => {
    return { type: 'text', text: piece.repeat(Math.floor(9_000 / piece.length)) }
  })
  for (const block of blocks) {
    const answer = await strict.check({ subject: 'Hi', blocks: [block] })
    assert.ok(!isRefusal(answer) || answer.message.includes('address'), JSON.stringify(answer))
  }
  await strict.close()
})

test('the rows of a receipt are repeated for each entry of a list, in HTML and in text', async () => {
  const { html, text, variables } = await made(
    [
      {
        type: 'receipt',
        each: 'order.items',
        rows: [
          { name: '{{ item.name }}', quantity: '{{ item.quantity }}', price: '{{ item.price }}' },
        ],
        totals: [{ name: 'Total', price: '{{ order.total }}' }],
      },
    ],
    {
      order: {
        items: [
          { name: 'Tea <b>', quantity: 2, price: '9.00' },
          { name: 'Milk', quantity: 1, price: '1.50' },
        ],
        total: '10.50',
      },
    },
  )
  assert.deepEqual(variables, ['order.items', 'order.total'])
  assert.match(html, /<tr><th[^>]*>Tea &lt;b&gt;<\/th>.*<tr><th[^>]*>Milk<\/th>.*>Total<\/th>/s)
  const lines = text.split('\n').map((line) => line.trim().split(/\s{2,}/))
  assert.deepEqual(lines, [
    ['Tea <b>', '2', '9.00'],
    ['Milk', '1', '1.50'],
    ['Total', '10.50'],
  ])
})

test('a product is repeated for each entry of a list, with its picture, price and link', async () => {
  const { html, text, variables } = await made(
    [
      {
        type: 'product',
        each: 'event.items',
        src: '{{ item.image }}',
        name: '{{ item.name }}',
        price: '{{ item.price }}',
        url: '{{ item.url }}',
        button: 'Buy',
      },
      { type: 'text', text: 'Bye' },
    ],
    {
      event: {
        items: [
          {
            name: 'Tea <b>',
            price: '9.00',
            image: 'https://a.test/1.png',
            url: 'https://a.test/1',
          },
          {
            name: 'Milk',
            price: '1.50',
            image: 'https://a.test/2.png',
            url: 'javascript:alert(1)',
          },
        ],
      },
    },
  )
  assert.deepEqual(variables, ['event.items'])
  assert.match(html, /1\.png.*Tea &lt;b&gt;.*9\.00.*2\.png.*Milk.*1\.50.*Bye/s)
  assert.ok(!html.includes('javascript:'), 'an address is one of the web')
  assert.match(text, /Tea <b>.*9\.00.*Milk.*1\.50/s)
})

test('a footer has the legal lines, and the link to unsubscribe where there is one', async () => {
  const blocks: Block[] = [
    { type: 'footer', text: 'You bought tea.' },
    { type: 'text', text: 'P.S.' },
  ]
  const business = { name: 'Tea & Co', postal_address: '1 High Street\nLeeds' }
  const { html, text } = await made(blocks, {
    business,
    unsubscribe_url: 'https://a.test/u/1',
  })
  assert.match(
    html,
    /You bought tea\..*Tea &amp; Co<br ?\/?>1 High Street<br ?\/?>\s*Leeds.*P\.S\./s,
  )
  assert.match(html, /<a href="https:\/\/a\.test\/u\/1"/)
  assert.match(text, /Tea & Co\n1 High Street\n\s*Leeds.*https:\/\/a\.test\/u\/1/s)
  const own = await made(blocks, { business: { name: 'Tea', postal_address: 'Tea\nLeeds' } })
  assert.ok(!own.html.includes('<a '), own.html)
  assert.equal(own.text.split('Tea').length, 2)
})
