import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTemplates, ownTemplates } from '../../../tests/support/businesses/own-templates.ts'
import { refused } from '../../../tests/support/refused.ts'
import { isRefusal } from '../core/errors.ts'
import type { Compiled, Variables } from './compile.ts'
import { type EmailSource, type TemplateSource, templateLimits } from './source.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ deadlineMs: 30_000 })
})
after(() => templates.close())

async function compiled(source: TemplateSource): Promise<Compiled> {
  const answer = await templates.check(source)
  assert.ok(!isRefusal(answer), JSON.stringify(answer))
  return answer
}

async function rendered(source: Partial<EmailSource>, variables: Variables = {}) {
  const answer = await templates.render(await compiled({ subject: 'Hi', ...source }), variables)
  assert.ok(!isRefusal(answer), JSON.stringify(answer))
  return answer
}

async function fault(source: Partial<EmailSource>): Promise<{ field: string; message: string }> {
  const { message, details } = refused(await templates.check({ subject: 'Hi', ...source }))
  return { field: details.field ?? '', message }
}

const stranger = `<b>"Ana" & 'co'</b> {{ secret }}{% if true %}`

test('template values are escaped in HTML and written unescaped in text and subject', async () => {
  const mail = await rendered(
    { subject: 'For {{ name }}', html: '<p title="{{ name }}">{{ name }}</p>' },
    { name: stranger, secret: 'told' },
  )
  const escaped = '&lt;b&gt;&quot;Ana&quot; &amp; &#39;co&#39;&lt;/b&gt; {{ secret }}{% if true %}'
  assert.equal(mail.html, `<p title="${escaped}">${escaped}</p>`)
  assert.equal(mail.subject, `For ${stranger}`)
  assert.equal(mail.text, stranger)
})

test('no filter or tag writes a value into HTML unescaped', async () => {
  const ways = [
    '{{ x | escape }}',
    '{{ x | escape_once }}',
    '{{ x | newline_to_br }}',
    '{{ x | append: x | prepend: x }}',
    '{{ x | split: "" | join: "" }}',
    '{{ list }}',
    '{{ list | first }}',
    '{{ x | json }}',
    '{{ x | default: x }}',
    '{{ nothing | default: x }}',
    '{% echo x %}',
    '{% capture a %}{{ x }}{% endcapture %}{{ a }}',
    '{% capture a %}{{ x }}{% endcapture %}{{ a | append: x }}',
    '{% assign a = x %}{{ a }}',
    '{% cycle x, x %}',
    '{% for i in list %}{{ i }}{% endfor %}',
    '{% tablerow i in list %}{{ i }}{% endtablerow %}',
    '{% liquid echo x %}',
    '{{ x | url_decode }}',
    '{{ coded | base64_decode }}',
    '{{ coded | base64_decode | newline_to_br }}',
    '{{ map.k }}',
    '{{ map | json }}',
    '{{ map | inspect }}',
  ]
  const x = '<script>alert(1)</script>'
  const variables = { x, list: [x], map: { k: x }, coded: Buffer.from(x).toString('base64') }
  for (const way of ways) {
    const { html } = await rendered({ html: `<p>${way}</p>` }, variables)
    assert.ok(!/<script/.test(html ?? ''), `${way}: ${html}`)
    assert.match(html ?? '', /script/, way)
  }
  assert.match((await fault({ html: '{{ x | raw }}' })).message, /undefined filter: raw/)
})

test('markup that a template captures itself stays markup', async () => {
  const html =
    '{% capture a %}<b>{{ x }}</b>{% endcapture %}<p>{{ a }}{% if a == "" %}none{% endif %}'
  assert.equal((await rendered({ html }, { x: '<' })).html, '<p><b>&lt;</b>')
  const br = await rendered({ html: '{{ x | newline_to_br }}' }, { x: 'a\n<b' })
  assert.equal(br.html, 'a<br>\n&lt;b')
})

test('a template may place a value only where escaping makes it safe', async () => {
  for (const html of [
    '<a href={{ x }}>a</a>',
    '<a {{ x }}>a</a>',
    '<a href="/"{{ x }}>a</a>',
    '<script>{{ x }}</script>',
    '<style>.a { color: {{ x }} }</style>',
    '<p onclick="go({{ x }})">a</p>',
    `<p title='a' data-b={{ x }}>`,
  ]) {
    const { field, message } = await fault({ html })
    assert.equal(field, 'html', html)
    assert.match(message, /\{\{ x \}\} of line 1, which stands/)
  }
  await rendered({ html: '<td {% if a %}class="b"{% endif %}>{{ x }}</td>' })
})

test('a link built from a value leads only to the web or to a mailbox', async () => {
  const html =
    '<a href="{{ url }}">a</a><img src="{% if url %}{{ url }}{% endif %}"><a href="/{{ url }}">'
  const first = async (url: string) => {
    const mail = await rendered({ html }, { url })
    return /href="([^"]*)"/.exec(mail.html ?? '')?.[1]
  }
  assert.equal(await first('https://example.com/?a=1&b'), 'https://example.com/?a=1&amp;b')
  assert.equal(await first('mailto:a@example.com'), 'mailto:a@example.com')
  for (const url of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'VBScript:x',
  ]) {
    assert.equal(await first(url), '#', url)
    const { text } = await rendered({ html: '<a href="{{ url }}">a</a>' }, { url })
    assert.equal(text, 'a [#]')
  }
})

test('style sheet rules are inlined where they apply, and Liquid survives inlining', async () => {
  const { html } = await rendered(
    {
      html: '<style>td { color: red } @media (max-width: 9px) { td { color: blue } }</style><table>{% for row in rows %}<tr><td>{{ row.a }}</td></tr>{% endfor %}</table>',
    },
    { rows: [{ a: 1 }, { a: '<' }] },
  )
  assert.match(html ?? '', /@media/)
  const cells = [...(html ?? '').matchAll(/<tr><td style="color: red;">([^<]*)<\/td><\/tr>/g)]
  assert.deepEqual(
    cells.map(([, text]) => text),
    ['1', '&lt;'],
  )
})

test('HTML without a style sheet is unchanged', async () => {
  const html = '<P Class=a>1 < 2 &amp; {{ x }}<br/>\n</P>'
  assert.equal((await compiled({ subject: 'Hi', html })).parts.html, html)
})

test('MJML becomes HTML, with Liquid in its texts and links', async () => {
  const mjml = `<mjml><mj-body><mj-section><mj-column>
    <mj-text>Hello {{ name }}{% if n < 3 %}, soon{% endif %}</mj-text>
    <mj-button href="{{ url }}">Go</mj-button></mj-column></mj-section></mj-body></mjml>`
  const mail = await rendered({ mjml }, { name: '<Ana>', n: 1, url: 'https://example.com/' })
  assert.match(mail.html ?? '', /Hello &lt;Ana&gt;, soon<\/div>/)
  assert.match(mail.html ?? '', /href="https:\/\/example\.com\/"/)
  assert.doesNotMatch(mail.html ?? '', /fonts\.googleapis/)
  assert.match(mail.text, /Hello <Ana>, soon/)
  assert.match(mail.text, /Go \[https:\/\/example\.com\/\]/)
})

test('every MJML error is reported, and no part of the MJML is dropped silently', async () => {
  const column = (inner: string) =>
    `<mjml><mj-body><mj-section><mj-column>${inner}</mj-column></mj-section></mj-body></mjml>`
  const message = async (mjml: string) => {
    const { field, message } = await fault({ mjml })
    assert.equal(field, 'mjml')
    return message
  }
  assert.match(await message(column('<mj-foo />')), /line 1.*mj-foo/)
  assert.match(await message('<p>Hello</p>'), /mjml/)
  assert.match(await message(column('<mj-include path="/etc/passwd" />')), /mj-include/)
  assert.match(await message(column('{{ lost }}<mj-text>Hello</mj-text>')), /\{\{ lost \}\}/)
})

test('the text part is made from the HTML where it is missing, and used as given where it is present', async () => {
  const html = '<h1>Dear {{ name }}</h1><p>See <a href="{{ url }}">this</a> &amp; that</p>'
  const mail = await rendered({ html }, { name: 'Ana', url: 'https://example.com/' })
  assert.equal(mail.text, 'Dear Ana\n\nSee this [https://example.com/] & that')
  const own = await rendered({ html, text: 'Dear {{ name }}' }, { name: '<Ana>' })
  assert.equal(own.text, 'Dear <Ana>')
  assert.deepEqual(await rendered({ text: 'Only text' }), { subject: 'Hi', text: 'Only text' })
})

test('the text part of a loop over rows has a line for each, and none for the loop', async () => {
  const mail = await rendered(
    {
      html: '<p>Dear</p>{% if x %}<p>A</p>{% endif %}<table>{% for row in rows %}<tr><td>{{ row.a }}</td><td>{{ row.b }}</td></tr>{% endfor %}<tr><td>Total</td><td>3</td></tr></table>',
    },
    {
      x: true,
      rows: [
        { a: 'Tea', b: 1 },
        { a: 'Milk', b: 2 },
      ],
    },
  )
  assert.equal(mail.text, 'Dear\n\nA\n\nTea 1\nMilk 2\nTotal 3')
})

test('the preheader is hidden at the start of the HTML body and is not in the text', async () => {
  const mail = await rendered(
    { html: '<html><body class="a>b"><p>Hello</p></body></html>', preheader: '1 < 2 {{ x }}' },
    { x: '<i>' },
  )
  assert.match(
    mail.html ?? '',
    /<body class="a>b"><div style="display:none[^>]*>1 &lt; 2 &lt;i&gt;/,
  )
  assert.equal(mail.text, 'Hello')
})

test('compiling a template returns the variables that it uses', async () => {
  const { variables } = await compiled({
    subject: '{{ contact.name }}',
    html: '{% for item in order.items %}{{ item.name }}{% endfor %}{% assign a = 1 %}{{ a }}',
  })
  assert.deepEqual(variables, ['contact.name', 'order.items'])
})

test('a text message can be compiled and rendered as a template', async () => {
  const sms = await compiled({ text: 'Hello {{ name }}' })
  const answer = await templates.render(sms, { name: '<Ana>' })
  assert.deepEqual(answer, { subject: '', text: 'Hello <Ana>' })
})

test('each part of a template has a maximum size, and one more character is refused', async () => {
  const edges: [keyof EmailSource, number][] = [
    ['subject', templateLimits.subjectLength],
    ['preheader', templateLimits.preheaderLength],
    ['html', templateLimits.bodyLength],
    ['text', templateLimits.bodyLength],
  ]
  for (const [part, most] of edges) {
    await compiled({ subject: 'Hi', html: 'x', [part]: 'x'.repeat(most) })
    const { field } = await fault({ html: 'x', [part]: 'x'.repeat(most + 1) })
    assert.equal(field, part)
  }
  const long = await templates.check({ text: 'x'.repeat(templateLimits.smsLength + 1) })
  assert.ok(isRefusal(long))
  await compiled({ text: 'x'.repeat(templateLimits.smsLength) })
})

test('a template without a body or a subject, or with both html and mjml, is refused', async () => {
  assert.equal((await fault({})).field, 'html')
  assert.equal((await fault({ html: ' \n' })).field, 'html')
  assert.equal((await fault({ subject: ' ', html: 'x' })).field, 'subject')
  assert.equal((await fault({ html: 'x', mjml: '<mjml>' })).field, 'mjml')
})

test('a loop that would break apart in the generated text part is refused with an explanation', async () => {
  const loops = [
    '{% for i in (1..3) %}<a {% endfor %}',
    '<p>Hi</p>{% if x %}<img alt="{% endif %}">',
    '<b>{% for i in (1..3) %}</b><i {% endfor %}>',
  ]
  for (const html of loops) {
    const { field, message } = await fault({ html })
    assert.equal(field, 'html', html)
    assert.match(message, /does not stay together: .+; move .+ or give text as well\.$/, html)
    assert.match((await compiled({ subject: 'Hi', html, text: 'Hello' })).parts.text, /Hello/)
  }
  const kept = '{% for i in (1..2) %}<a {% if i %}class="b"{% endif %} href="/x">go</a>{% endfor %}'
  assert.equal((await rendered({ html: kept })).text, 'go [/x]go [/x]')
})
