/** What a call says is what is sent: repetitions, text that looks like Liquid, missing values. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { EntryCaller, ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { listInbox } from '../core/inbox/mail-queries.ts'

let testbed: OwnTestbed
let tool: ToolCaller
let rest: EntryCaller
before(async () => {
  testbed = await openTestbed()
  const grant = { businesses: [await testbed.newBusiness('scale')] }
  tool = await testbed.caller(grant)
  rest = await testbed.restCaller(grant)
})
after(() => testbed.close())

interface Sent {
  message_id: string
  duplicate?: boolean
  warnings?: string[]
}
interface Batch {
  queued: number
  results: { duplicate?: boolean; warnings?: string[]; error?: { message: string } }[]
}

const operations = {
  'email.send': { subject: 'Your code', text: 'Hello' },
  'sms.send': { text: 'Hello' },
} as const
type Name = keyof typeof operations
const names = Object.keys(operations) as Name[]
let people = 0
const someone = (name: Name) =>
  name === 'sms.send' ? `+336123${10_000 + ++people}` : `told-${++people}@example.com`

const sent = async (caller: EntryCaller, name: Name, input: object) => {
  const { kind, body, text } = await caller.call(name, input)
  assert.equal(kind, 'answer', text.slice(0, 300))
  return body as unknown as Sent
}

const mailTo = async (to: string) => {
  const [mail] = await eventually(
    () => listInbox(testbed.db, to, 10),
    (all) => all.length > 0,
  )
  assert.ok(mail)
  return mail
}

for (const name of names) {
  test(`${name}: different idempotency keys are different messages at both entry points, also at once`, async () => {
    for (const caller of [tool, rest]) {
      const words = { to: someone(name), ...operations[name] }
      const send = (key: string, more: object = {}) =>
        sent(caller, name, { ...words, idempotency_key: `${words.to} ${key}`, ...more })
      const [first, second] = await Promise.all([send('order 1'), send('order 2')])
      const third = await send('order 3', { allow_duplicate: false })
      const ids = [first, second, third].map(({ message_id }) => message_id)
      assert.equal(new Set(ids).size, 3)
      assert.ok([first, second, third].every(({ duplicate }) => !duplicate))
      assert.equal((await send('order 1')).message_id, first.message_id)
    }
  })

  test(`${name}: without a key a tool call that repeats another gives the first message, and REST sends again`, async () => {
    const words = { to: someone(name), ...operations[name] }
    const first = await sent(tool, name, words)
    const again = await sent(tool, name, words)
    assert.deepEqual([again.message_id, again.duplicate], [first.message_id, true])
    const program = { to: someone(name), ...operations[name] }
    const ids = [await sent(rest, name, program), await sent(rest, name, program)]
    assert.equal(new Set(ids.map(({ message_id }) => message_id)).size, 2)
    const guarded = { to: someone(name), ...operations[name], allow_duplicate: false }
    await sent(rest, name, guarded)
    assert.equal((await sent(rest, name, guarded)).duplicate, true, 'unless it asks for the rule')
  })

  test(`${name}_batch: the rule of repetitions is that of a single call`, async () => {
    const messages = [{ to: someone(name), ...operations[name] }]
    const duplicates = async (caller: EntryCaller, more: object = {}) => {
      const { body } = await caller.call(`${name}_batch`, { messages, ...more })
      return (body as unknown as Batch).results.map(({ duplicate }) => duplicate ?? false)
    }
    assert.deepEqual(await duplicates(tool), [false])
    assert.deepEqual(await duplicates(tool), [true])
    assert.deepEqual(await duplicates(tool, { idempotency_key: `${name} batch` }), [false])
    assert.deepEqual(await duplicates(rest), [false])
  })

  test(`${name}: text without variables goes out as it stands, with a warning where it looks like Liquid`, async () => {
    for (const text of ['Hello {{ oops, here is your link', 'Hi {{ name }} {% if', '{{']) {
      const single = await sent(rest, name, { to: someone(name), ...operations[name], text })
      assert.match(single.warnings?.join() ?? '', /^Sent as it stands.*: text\..*variables \(\{\}/)
      const { body } = await rest.call(`${name}_batch`, {
        messages: [{ to: someone(name), ...operations[name], text }],
      })
      const [result] = (body as unknown as Batch).results
      assert.deepEqual([result?.warnings, result?.error], [single.warnings, null])
    }
    const plain = await sent(rest, name, { to: someone(name), ...operations[name] })
    assert.equal(plain.warnings, null)
    const filled = {
      to: someone(name),
      ...operations[name],
      text: '{{ 1 | plus: 1 }}',
      variables: {},
    }
    assert.equal((await sent(rest, name, filled)).warnings, null)
  })

  test(`${name}: a template with a value missing is refused and named, and conditions and defaults may deal with it`, async () => {
    const saved = async (text: string) => {
      const channel = name === 'sms.send' ? { channel: 'sms' } : { subject: 'Reset' }
      const template = { name: `${name} ${++people}`, ...channel, text }
      return tool.get<{ template_id: string }>('template.save', template)
    }
    const refusal = async (text: string, input: object = {}) => {
      const call = { to: someone(name), ...(await saved(text)), ...input }
      const template = { to: call.to, template_id: call.template_id, ...input }
      const { kind, body } = await rest.call(name, template)
      const { body: batch } = await rest.call(`${name}_batch`, { messages: [template] })
      const [result] = (batch as unknown as Batch).results
      assert.equal(result?.error == null, kind === 'answer', text)
      return kind === 'refusal' ? [body['code'], body['field'], body['unknown']] : undefined
    }
    const lacks = (...unknown: string[]) => ['invalid_request', 'variables', unknown]
    assert.deepEqual(await refusal('Hi {{ name }}, {{ order.id }}'), lacks('name', 'order.id'))
    assert.deepEqual(await refusal('Hi {{ name }}', { variables: { name: null } }), lacks('name'))
    assert.deepEqual(await refusal('Hi {{ contact.nmae }}'), lacks('contact.nmae'))
    assert.equal(await refusal('Hi {{ contact.name }}'), undefined, 'empty, as in a campaign')
    const nested = '{% if vip %}{% for i in list %}{{ coupon }}{% endfor %}{% endif %}Bye'
    assert.deepEqual(
      await refusal(nested, { variables: { vip: true, list: [1] } }),
      lacks('coupon'),
    )
    assert.equal(await refusal(nested, { variables: { vip: true, list: [] } }), undefined)
    assert.equal(await refusal(nested), undefined)
    const optional = '{% if coupon %}{{ coupon }}{% endif %}{{ name | upcase | default: "you" }}'
    assert.equal(await refusal(optional), undefined)
    const named = 'Hello{% if contact.name %} {{ contact.name }}{% endif %}{{ code }}'
    assert.equal(await refusal(named, { variables: { code: '' } }), undefined)
  })
}

test('a value that holds Liquid is a value, in own words and in templates', async () => {
  const variables = { name: '{{ oops', note: '{% raw %}{{ business.name }}' }
  const subject = 'For {{ name }}'
  const html = '<p>{{ name }}|{{ note }}</p>'
  const own = someone('email.send')
  await sent(rest, 'email.send', { to: own, subject, html, variables })
  const { template_id } = await tool.get<{ template_id: string }>('template.save', {
    name: 'Reset',
    subject,
    html,
  })
  const templated = someone('email.send')
  await sent(rest, 'email.send', { to: templated, template_id, variables })
  for (const to of [own, templated]) {
    const mail = await mailTo(to)
    assert.equal(mail.subject, 'For {{ oops')
    assert.match(mail.html ?? '', /<p>\{\{ oops\|\{% raw %\}\{\{ business\.name \}\}<\/p>/)
  }
})

test('mail as React Email makes it, with braces of its styles, arrives as it was written', async () => {
  const to = someone('email.send')
  const html =
    '<html><head><style>@media (max-width:600px){{.a{color:red}}}</style></head><body><p>{{ oops {%</p></body></html>'
  const { warnings } = await sent(rest, 'email.send', { to, subject: 'A {{ b', html })
  assert.match(warnings?.join() ?? '', /: subject, html\./)
  const mail = await mailTo(to)
  assert.equal(mail.subject, 'A {{ b')
  assert.ok(mail.html?.includes('<p>{{ oops {%</p>'))
  assert.ok(mail.html?.includes('{{.a{color:red}}}'))
})
