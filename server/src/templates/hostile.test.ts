/** Templates that never end, read files or exhaust memory, while other mail continues. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTemplates, ownTemplates } from '../../../tests/support/businesses/own-templates.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Rendered } from './compile.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates()
})
after(() => templates.close())

/** Loads the thread first, because its start is not part of the measurement. */
async function warm(): Promise<void> {
  await templates.check({ subject: 'Hi', html: '<p>Hello</p>' })
}

const ten = '{% assign a = "xxxxxxxxxx" %}'
const hostile: Record<string, string> = {
  'a loop of 10^9': '{% for i in (1..1000000000) %}{{ i }}{% endfor %}',
  'a loop in a loop in a loop':
    '{% for i in (1..9999) %}{% for j in (1..9999) %}{% for k in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
  'an include of a file': '{% include "/etc/passwd" %}',
  'a render of a file': '{% render "../../../etc/passwd" %}',
  'a layout of a file': '{% layout "/etc/passwd" %}',
  'an include by a variable': '{% assign f = "/etc/passwd" %}{% include f %}',
  '50 MB of output': `{% for i in (1..50000) %}${'x'.repeat(1000)}{% endfor %}`,
  'a text that doubles': `${ten}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}`,
  'a captured text that doubles': `${ten}{% for i in (1..60) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}`,
  'a replacement that grows': `${ten}{% for i in (1..30) %}{% assign a = a | replace: "x", "xxxxxxxx" %}{% endfor %}{{ a }}`,
  'a date of a billion digits': '{{ "now" | date: "%999999999d" }}',
  'a very long list sorted': '{% assign a = (1..7000000) | sort %}{{ a | join: "," }}',
  'the filter that skips escaping': '{{ x | raw }}',
  'an expression made at run time': '{{ list | where_exp: "a", "a.b == 1" }}',
}

async function outcome(html: string): Promise<Rendered | Refusal> {
  const compiled = await templates.check({ subject: 'Hi', html })
  return isRefusal(compiled) ? compiled : templates.render(compiled, { list: [{ b: 1 }] })
}

/**
 * The milliseconds that a refusal may take: a second, or five times what the same machine needs to
 * fill a list as long as the longest in `hostile`, which mostly costs fresh memory.
 */
function allowedMs(): number {
  const from = process.cpuUsage()
  const list: number[] = []
  for (let n = 0; n < 7_000_000; n++) list.push(n)
  const { user, system } = process.cpuUsage(from)
  return Math.max(1_000, (5 * (user + system)) / 1_000)
}

for (const [what, html] of Object.entries(hostile)) {
  test(`${what} is refused within a second of CPU time, and the refusal names the part`, async () => {
    await warm()
    const allowed = what === 'a very long list sorted' ? allowedMs() : 1_000
    const from = process.cpuUsage()
    const refusal = await outcome(html)
    const { user, system } = process.cpuUsage(from)
    const took = (user + system) / 1_000
    assert.ok(isRefusal(refusal), JSON.stringify(refusal).slice(0, 200))
    assert.equal(refusal.code, 'invalid_request')
    assert.equal(refusal.details.field, 'html')
    assert.match(refusal.message, /^html /)
    // CPU time of all threads; wall-clock time would include other work on the machine.
    assert.ok(took < allowed, `it took ${took} of ${allowed} ms`)
  })
}

test('a template cannot reach any prototype property', async () => {
  const names = ['constructor', '__proto__', 'toString', 'constructor.constructor', 'prototype']
  const html = names
    .map((name) => `{{ contact.${name} }}{{ "".${name} }}{{ list.${name} }}`)
    .join('')
  const mail = await outcome(`<p>${html}</p>`)
  assert.ok(!isRefusal(mail))
  assert.equal(mail.html, '<p></p>')
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

const endless = '{% for i in (1..9999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'
const deadlineMs = 150

test('an endless template is stopped together with its thread', async (t) => {
  const strict = ownTemplates({ deadlineMs })
  t.after(() => strict.close())
  for (let n = 0; n < 3; n++) {
    const compiled = await strict.check({ subject: 'Hi', html: endless })
    assert.ok(!isRefusal(compiled))
    const answer = await strict.render(compiled, {})
    assert.ok(isRefusal(answer))
    assert.match(answer.message, /^html takes too long/)
    assert.equal(answer.details.field, 'html')
  }
})

test('MJML and style sheets count towards the time of a check, and later checks continue', async (t) => {
  const strict = ownTemplates({ checkMs: 300 })
  t.after(() => strict.close())
  const section = '<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>'
  const mjml = `<mjml><mj-body>${section.repeat(3_000)}</mj-body></mjml>`
  assert.ok(mjml.length < 256 * 1024)
  const [large, small] = await Promise.all([
    strict.check({ subject: 'Hi', mjml }),
    strict.check({ subject: 'Hi', text: 'Hello' }),
  ])
  assert.ok(isRefusal(large))
  assert.match(large.message, /^mjml takes too long/)
  assert.ok(!isRefusal(small))
})

test('while one template is being stopped, all previously rendered templates still render', async (t) => {
  const strict = ownTemplates({ deadlineMs: 3_000 })
  t.after(() => strict.close())
  const endsNever = await strict.check({ subject: 'Hi', html: endless })
  const compiled = await strict.check({ subject: 'Hi {{ n }}', html: '<p>Hello {{ n }}</p>' })
  assert.ok(!isRefusal(compiled) && !isRefusal(endsNever))
  const render = async (n: number) => {
    const mail = await strict.render(compiled, { n })
    assert.ok(!isRefusal(mail))
    assert.equal(mail.subject, `Hi ${n}`)
  }
  await render(0)
  await render(1)

  let over = false
  const stopped = strict.render(endsNever, {}).then((answer) => {
    over = true
    return answer
  })
  let rendered = 0
  while (!over) await render(++rendered)
  assert.ok(isRefusal(await stopped))
  // If they waited, the count would be 0; its size depends on the load of the machine.
  assert.ok(rendered > 2, `${rendered} were rendered meanwhile`)
})

test('first renders that wait behind a stopped template are rendered after it', async (t) => {
  const strict = ownTemplates({ deadlineMs: 1_500 })
  t.after(() => strict.close())
  const check = async (html: string) => {
    const compiled = await strict.check({ subject: 'Hi', html })
    assert.ok(!isRefusal(compiled))
    return compiled
  }
  const [never, ...others] = await Promise.all([endless, 'a', 'b', 'c'].map(check))
  assert.ok(never)
  const slow = strict.render(never, {})
  const mails = await Promise.all(others.map((other) => strict.render(other, {})))
  assert.ok(isRefusal(await slow))
  for (const mail of mails) assert.ok(!isRefusal(mail), JSON.stringify(mail))
})

test('a template that is slow for one recipient is stopped only for that recipient', async (t) => {
  const strict = ownTemplates({ deadlineMs: 3_000 })
  t.after(() => strict.close())
  const compiled = await strict.check({
    subject: 'Hi',
    html: '<p>{% for i in (1..n) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}{{ n }}</p>',
  })
  assert.ok(!isRefusal(compiled))
  const rendered = async (n: number) => {
    const mail = await strict.render(compiled, { n })
    return isRefusal(mail) ? 'refused' : mail.html
  }
  const all = await Promise.all([1, 2, 1, 9999, 1, 1].map(rendered))
  assert.deepEqual(all, ['<p>1</p>', '<p>2</p>', '<p>1</p>', 'refused', '<p>1</p>', '<p>1</p>'])
  assert.equal(await rendered(1), '<p>1</p>')
  assert.equal(await rendered(9999), 'refused')
  assert.equal(await rendered(3), '<p>3</p>')
})
