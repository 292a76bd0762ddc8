/**
 * Text that is nested thousands of levels deep, of every kind that a template or mail takes. The
 * libraries that read it call themselves for each level and overflow the stack. The answer is a
 * refusal with the field, never a failure, and the next caller is served.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { RestCaller } from '../support/clients/rest-caller.ts'

let testbed: OwnTestbed
let neighbour: RestCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  neighbour = await newCaller()
})

/** Each attack has a business of its own, since a business is refused after two stopped templates. */
async function newCaller(): Promise<RestCaller> {
  return testbed.restCaller({ businesses: [await testbed.newBusiness()] })
}
after(() => testbed.close())

const levels = 6_000
const around = (open: string, close: string, n = levels) => `${open.repeat(n)}x${close.repeat(n)}`
const styled = (css: string) => `<style>${css}</style><p>Hello</p>`
const mjml = (body: string) =>
  `<mjml><mj-body><mj-section><mj-column>${body}</mj-column></mj-section></mj-body></mjml>`

/** Each with the field that it is refused for, if it is refused. */
const sources: Record<string, [field: string, source: Record<string, string>]> = {
  'media queries that are left open': ['html', { html: styled('@media a{'.repeat(levels)) }],
  'media queries that are closed': ['html', { html: styled(around('@media a{', '}')) }],
  'CSS blocks': ['html', { html: styled(around('a{', '}')) }],
  'CSS brackets in a value': ['html', { html: styled(`a{width:${around('calc(', ')')}}`) }],
  'CSS brackets in a style attribute': [
    'html',
    { html: `<style>p{color:red}</style><p style="width:${around('(', ')')}">x</p>` },
  ],
  'CSS selectors': ['html', { html: styled(`${around(':not(', ')')}{color:red}`) }],
  'CSS attribute selectors': ['html', { html: styled(`${'['.repeat(levels)}{color:red}`) }],
  'HTML elements': ['html', { html: around('<div>', '</div>', 20_000) }],
  'HTML elements beside styles': [
    'html',
    { html: `<style>div{color:red}</style>${around('<div>', '</div>', 20_000)}` },
  ],
  'HTML tables': ['html', { html: around('<table><tr><td>', '</td></tr></table>', 5_000) }],
  'HTML lists': ['html', { html: around('<ul><li>', '</li></ul>', 10_000) }],
  'HTML comments of programs': ['html', { html: around('<!--[if mso]>', '<![endif]-->', levels) }],
  'MJML elements': ['mjml', { mjml: mjml(around('<mj-text>', '</mj-text>')) }],
  'MJML wrappers': [
    'mjml',
    { mjml: `<mjml><mj-body>${around('<mj-wrapper>', '</mj-wrapper>')}</mj-body></mjml>` },
  ],
  'HTML within MJML': ['mjml', { mjml: mjml(`<mj-raw>${around('<i>', '</i>', 20_000)}</mj-raw>`) }],
  'CSS within MJML': [
    'mjml',
    {
      mjml: `<mjml><mj-head><mj-style inline="inline">${'@media a{'.repeat(levels)}</mj-style></mj-head><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>`,
    },
  ],
  'Liquid conditions': ['text', { text: around('{% if contact.name %}', '{% endif %}', 4_000) }],
  'Liquid conditions in HTML': [
    'html',
    { html: `<p>${around('{% if contact.name %}', '{% endif %}', 4_000)}</p>` },
  ],
  'Liquid loops': ['text', { text: around('{% for a in (1..1) %}', '{% endfor %}', 4_000) }],
  'Liquid captures': ['text', { text: around('{% capture a %}', '{% endcapture %}', 4_000) }],
  'Liquid brackets': ['text', { text: `{{ a${'[a'.repeat(20_000)}${']'.repeat(20_000)} }}` }],
  'Liquid parentheses': ['text', { text: `{{ ${around('(', ')', 20_000)} }}` }],
  'Liquid properties': ['text', { text: `{{ a${'.b'.repeat(40_000)} }}` }],
  'Liquid filters': ['text', { text: `{{ a${' | upcase'.repeat(10_000)} }}` }],
  'Liquid operators': ['text', { text: `{% if a${' or a'.repeat(20_000)} %}x{% endif %}` }],
  'Liquid properties in a subject': [
    'subject',
    { subject: `{{ a${'.b'.repeat(200)} }}`, text: 'x' },
  ],
}

for (const [kind, [field, source]] of Object.entries(sources)) {
  test(`a template with deep ${kind} is saved or refused with its field`, async (t) => {
    const whole = { name: kind, subject: 'News', ...source }
    for (const operation of ['template.save', 'template.preview']) {
      const attacker = await newCaller()
      const input = operation === 'template.save' ? whole : { ...whole, name: undefined }
      const { status, body } = await attacker.call(operation, JSON.parse(JSON.stringify(input)))
      t.diagnostic(`${operation}: ${status} ${JSON.stringify(body).slice(0, 120)}`)
      assert.ok([200, 400].includes(status), `${operation}: ${status} ${JSON.stringify(body)}`)
      if (status === 400) {
        assert.deepEqual([body['code'], body['field']], ['invalid_request', field], operation)
        assert.match(String(body['message']), new RegExp(`^${field} `))
        assert.doesNotMatch(String(body['message']), /call stack/i)
      }
    }
    const plain = { name: kind, subject: 'News', html: '<style>p{color:red}</style><p>Hello</p>' }
    const beside = await neighbour.call('template.save', plain)
    assert.equal(beside.status, 200, JSON.stringify(beside.body))
  })
}

test('what overflows the stack of a library is refused for what it is', async () => {
  const { text } = sources['Liquid brackets']?.[1] ?? {}
  const { status, body } = await neighbour.call('template.save', { name: 'x', subject: 'x', text })
  assert.equal(status, 400)
  assert.match(String(body['message']), /^text is nested too deeply/)
})

test('a mail with deep HTML is sent or refused with its field', async () => {
  const attacker = await newCaller()
  for (const html of [
    styled('@media a{'.repeat(levels)),
    around('<div>', '</div>', 20_000),
    around('<table><tr><td>', '</td></tr></table>', 5_000),
  ]) {
    const mail = { to: 'ana@example.com', subject: 'x', html }
    const { status, body } = await attacker.call('email.send', mail)
    assert.ok(status < 500, `${status} ${JSON.stringify(body)}`)
    if (status === 400) assert.equal(body['field'], 'html')
  }
})
