/** Mails of other programs as blocks: what is recognised, what is told, and what hostile ones cost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '../../blocks/block.ts'
import { readBlocks } from '../../blocks/read.ts'
import { blockTypes } from '../../blocks/types.ts'
import { convertMail } from './convert.ts'

const convert = (source: string, more: { isMjml?: boolean; ownFields?: string[] } = {}) =>
  convertMail({ source, isMjml: false, ownFields: [], year: 2026, ...more })
const textOf = (source: string, ownFields: string[] = []) => {
  const [block] = convert(`<p>${source}</p>`, { ownFields }).blocks
  return block && 'text' in block ? block.text : block?.type
}

const mailchimp = `<!DOCTYPE html><html><head><title>Autumn is here</title><style>p{color:red}</style></head><body>
<span class="mcnPreviewText" style="display:none;visibility:hidden">New roasts, *|FNAME|*</span>
<center><table id="bodyTable" role="presentation" width="100%"><tbody><tr><td align="center"><table class="templateContainer">
<tr><td class="mcnTextContent" style="text-align:center"><a href="*|ARCHIVE|*">View this email in your browser</a></td></tr>
<tr><td><a href="https://shop.example.com/?a=1&amp;b=2"><img src="https://mcusercontent.com/logo.png" width="196" alt="Shop"></a></td></tr>
<tr><td class="mcnTextContent" align="left"><h1>It&#39;s time</h1><p>Hello *|FNAME|*,<br>this is <strong>bold</strong> &amp; <a href="https://example.com/x">a link</a>.</p></td></tr>
<tr><td><table><tr><td width="50%"><p>Left</p></td><td width="50%"><p>Right</p></td></tr></table></td></tr>
<tr><td><table style="background-color:#2baadf"><tr><td class="mcnButtonContent" style="padding:18px"><a href="https://shop.example.com/buy">Buy now</a></td></tr></table></td></tr>
<tr><td><table style="border-top:2px solid #eaeaea"><tr><td><span></span></td></tr></table></td></tr>
<tr><td><table><tr><th>Size</th><th>Price</th></tr><tr><td>Small</td><td onclick="x()" style="color:red">10 <script>alert(1)</script></td></tr></table></td></tr>
<tr><td><ul><li>One <em>cup</em></li><li>Two<ul><li>Three</li></ul></li></ul></td></tr>
<tr><td><table><tr><td><a href="https://facebook.com/x"><img src="https://c.com/f.png"></a></td><td><a href="https://www.instagram.com/x"><img src="https://c.com/i.png"></a></td></tr></table></td></tr>
<tr><td><img src="images/beside.png" alt="Lost"><form action="x"><input name="q"></form></td></tr>
<tr><td>Copyright *|CURRENT_YEAR|* *|LIST:COMPANY|*<p>*|HTML:LIST_ADDRESS_HTML|*</p><p><a href="*|UNSUB|*">unsubscribe from this list</a></p></td></tr>
</table></td></tr></tbody></table></center><img src="https://t.com/open.gif" width="1" height="1"></body></html>`

test('an export of Mailchimp becomes blocks', () => {
  const { blocks, subject, preheader, losses, fields } = convert(mailchimp)
  readBlocks(blocks)
  assert.equal(subject, 'Autumn is here')
  assert.equal(preheader, 'New roasts, {{ contact.first_name }}')
  assert.deepEqual(
    blocks.map(({ type }) => type),
    [
      'view_link',
      'image',
      'heading',
      'text',
      'columns',
      'button',
      'divider',
      'mjml',
      'list',
      'social',
      'text',
      'footer',
    ],
  )
  assert.deepEqual(blocks[1], {
    type: 'image',
    src: 'https://mcusercontent.com/logo.png',
    alt: 'Shop',
    url: 'https://shop.example.com/?a=1&b=2',
    width: 196,
    align: 'center',
  })
  assert.deepEqual(blocks[2], { type: 'heading', text: "It's time", level: 1 })
  assert.deepEqual(blocks[3], {
    type: 'text',
    text: 'Hello {{ contact.first_name }},\nthis is [bold]{b} & [a link](https://example.com/x).',
  })
  assert.deepEqual(blocks[5], {
    type: 'button',
    text: 'Buy now',
    url: 'https://shop.example.com/buy',
    align: 'center',
  })
  const kept = blocks[7] as Extract<Block, { type: 'mjml' }>
  assert.match(kept.mjml, /<th>Size<\/th>/)
  assert.doesNotMatch(kept.mjml, /script|onclick|alert/)
  assert.deepEqual(blocks[8], { type: 'list', items: ['One [cup]{i}', 'Two', 'Three'] })
  assert.deepEqual(losses, { keptAsHtml: 1, removed: 2, picturesLost: 1, blocksLost: 0 })
  assert.deepEqual(
    fields.filter(({ becomes }) => becomes === null),
    [],
  )
})

test('MJML becomes blocks', () => {
  const { blocks, subject, preheader } = convert(
    `<mjml><mj-head><mj-title>News</mj-title><mj-preview>Read on</mj-preview></mj-head><mj-body>
    <mj-section><mj-column><mj-image src="https://e.com/a.png" alt="A" /><mj-text><h2>Hi</h2><p>There</p></mj-text>
    <mj-button href="https://e.com">Go</mj-button><mj-divider /></mj-column></mj-section>
    <mj-section><mj-column><mj-text>One</mj-text></mj-column><mj-column><mj-text>Two</mj-text></mj-column></mj-section>
    <mj-section><mj-column><mj-social><mj-social-element name="facebook" href="https://facebook.com/a">f</mj-social-element></mj-social>
    <mj-table><tr><td>1</td></tr></mj-table></mj-column></mj-section></mj-body></mjml>`,
    { isMjml: true },
  )
  readBlocks(blocks)
  assert.deepEqual([subject, preheader], ['News', 'Read on'])
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ['image', 'heading', 'text', 'button', 'divider', 'columns', 'social', 'mjml'],
  )
})

test('fields of other services become ours, and unknown ones empty slots', () => {
  const cases: [string, string][] = [
    ['Hi *|FNAME|*', 'Hi {{ contact.first_name }}'],
    ["Hi {{ first_name|default:'there' }}", 'Hi {{ contact.first_name | default: "there" }}'],
    ["{{ person|lookup:'City'|default:'' }}", '{{ contact.attributes.city }}'],
    ['{{ contact.FIRSTNAME }}', '{{ contact.first_name }}'],
    ['{{ contact.LASTNAME | default : "friend" }}', '{{ contact.last_name | default: "friend" }}'],
    ['{{ contact.CITY }} {{ params.code }}', '{{ contact.attributes.city }} [[params.code]]'],
    ['{{ contact.first_name | default: "you" }}', '{{ contact.first_name | default: "you" }}'],
    ['*|CITY|* *|FOO|*', '{{ contact.attributes.city }} [[FOO]]'],
    ['*|IF:FNAME|*Hi*|END:IF|*', '[[IF:FNAME]]Hi[[END:IF]]'],
    ['{% if x %}a{% endif %}', '[[if x]]a[[endif]]'],
    ['a {{ {% b', 'a \\{ \\{ \\{ % b'],
    ['a*b [c] {d} \\*', 'a\\*b \\[c\\] \\{d} \\\\\\*'],
  ]
  for (const [source, expected] of cases) assert.equal(textOf(source, ['city']), expected, source)
  const { fields } = convert('<p>*|FOO|* *|FOO|* *|EMAIL|*</p>')
  assert.deepEqual(fields, [
    { written: '*|FOO|*', becomes: null },
    { written: '*|EMAIL|*', becomes: '{{ contact.email }}' },
  ])
})

test('words within a condition of another service are all kept, and each part of it is named', () => {
  const { blocks, fields } = convert(
    '<p>*|IF:CITY=Bonn|*Come by.*|ELSEIF:VIP|*We deliver.*|ELSE:|*We post it.*|END:IF|*</p><p>{% if a %}A{% else %}B{% endif %}</p>',
  )
  assert.deepEqual(blocks, [
    {
      type: 'text',
      text: '[[IF:CITY=Bonn]]Come by.[[ELSEIF:VIP]]We deliver.[[ELSE:]]We post it.[[END:IF]]\n\n[[if a]]A[[else]]B[[endif]]',
    },
  ])
  assert.deepEqual(
    fields.map(({ written, becomes }) => [written, becomes]),
    [
      '*|IF:CITY=Bonn|*',
      '*|ELSEIF:VIP|*',
      '*|ELSE:|*',
      '*|END:IF|*',
      '{% if a %}',
      '{% else %}',
      '{% endif %}',
    ].map((written) => [written, null]),
  )
})

test('of conditional comments, what all programs but Outlook show is kept, once', () => {
  const { blocks, losses } = convert(`<table role="presentation"><tr><td>
    <!--[if mso]><v:roundrect href="https://e.com/sale" fillcolor="#0f766e"><center>Shop</center></v:roundrect><![endif]-->
    <!--[if !mso]><!--><a class="button" href="https://e.com/sale" style="background:#0f766e;padding:12px">Shop</a><!--<![endif]-->
    <![if !mso]><p>For all others.</p><![endif]>
    <!--[if (gte mso 9)|(IE)]><table width="600"><tr><td><![endif]--><p>Within a table for Outlook.</p><!--[if mso]></td></tr></table><![endif]-->
    </td></tr></table>`)
  assert.deepEqual(
    blocks.map((block) => [block.type, 'text' in block ? block.text : '']),
    [
      ['button', 'Shop'],
      ['text', 'For all others.\n\nWithin a table for Outlook.'],
    ],
  )
  assert.deepEqual(losses, { keptAsHtml: 0, removed: 0, picturesLost: 0, blocksLost: 0 })
})

test('links that run code lose their address, and keep their words', () => {
  const { blocks } = convert(
    '<p><a href="javascript:alert(1)">Press</a> <a href="data:text/html,x">this</a></p><p><a href="https://e.com/{{ x }}">ok</a></p>',
  )
  assert.deepEqual(blocks, [{ type: 'text', text: 'Press this\n\n[ok](https://e.com/)' }])
})

test('a long mail is cut to what blocks take, and says so', () => {
  const { blocks, losses } = convert('<h1>a</h1>'.repeat(150))
  assert.deepEqual([blocks.length, losses.blocksLost], [100, 50])
  const long = convert(`<p>${'word '.repeat(9_000)}</p>`)
  readBlocks(long.blocks)
  assert.equal(long.blocks.length, 5)
})

const hostile: Record<string, string> = {
  'open tables': '<table><tr><td>'.repeat(40),
  lists: '<li>'.repeat(20_000),
  'bars and stars': '*|'.repeat(60_000),
  braces: '{{'.repeat(60_000),
  backslashes: '\\'.repeat(120_000),
  brackets: '['.repeat(120_000),
  slots: '<td>[[a'.repeat(10_000),
  buttons: '<div style="background:red;padding:1px"><a href="https://x.y">'.repeat(70),
  styles: `<p style="${'a:b;'.repeat(30_000)}">x`,
  rows: '<table><tr><td>a</td><td>b</td></tr>'.repeat(140),
  'words in bold': '<b>x</b> '.repeat(10_000),
  attributes: `<p ${'a="b" '.repeat(20_000)}>x`,
}

test('hostile mails become blocks that are valid, in time', () => {
  for (const [kind, part] of Object.entries(hostile)) {
    const { user } = process.cpuUsage()
    const { blocks } = convert(`${part}<p>end</p>`)
    const took = (process.cpuUsage().user - user) / 1_000
    readBlocks(blocks)
    assert.ok(took < 1_000, `${kind}: ${took} ms`)
  }
  assert.throws(() => convert('<div>'.repeat(5_000)), /nested too deeply/)
})

test('any mixture of tags gives blocks that the service takes', () => {
  let seed = 7
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % most
  }
  const parts = [
    '<table>',
    '</table>',
    '<tr>',
    '</tr>',
    '<td align="center">',
    '</td>',
    '<th>',
    '<p>',
    '</p>',
    '<div style="display:inline-block;width:50%">',
    '</div>',
    '<h2>',
    '</h2>',
    '<a href="https://e.com/a b">',
    '</a>',
    '<img src="https://e.com/{{ x }}.png">',
    '<img src=" " alt="*|X|*">',
    '<ul>',
    '<li>',
    '</ul>',
    '<blockquote>',
    '</blockquote>',
    '<hr>',
    '<br>',
    '<b>',
    '</b>',
    '<i>',
    '</i>',
    'words',
    ' *|FNAME|* ',
    '[[x]]',
    '*|UNSUB|*',
    '{{ mirror }}',
    '](',
    ']{b}',
    '\\',
    '**',
    '<a class="btn" href="https://e.com">',
    '<mj-column>',
    '<mj-table>',
    '\u200b',
    '&nbsp;',
    '<form>',
  ]
  for (let n = 0; n < 400; n++) {
    const source = Array.from({ length: 40 }, () => parts[random(parts.length)]).join('')
    const { blocks } = convert(source)
    assert.doesNotThrow(() => readBlocks(blocks), source)
    for (const { type } of blocks) assert.ok(blockTypes.includes(type))
  }
})
