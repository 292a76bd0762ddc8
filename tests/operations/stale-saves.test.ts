/**
 * Two editors of one object. A save that names the version it was made from never overwrites what
 * another wrote since: it is refused, with both texts.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let businessId: Id<'business'>
let ana: EntryCaller
let ben: EntryCaller
let program: EntryCaller

before(async () => {
  testbed = await openTestbed({ idle: true })
  businessId = await testbed.newBusiness()
  const businesses = [businessId]
  ana = await testbed.appCaller({ businesses })
  ben = await testbed.appCaller({ businesses })
  program = await testbed.caller({ businesses })
})
after(() => testbed.close())

const email = { key: 'email', label: 'Email', type: 'email', required: true }

interface Kind {
  save: string
  /** Makes one and returns the field that names it, with its id. */
  make(): Promise<Record<string, string>>
  read(id: Record<string, string>): Promise<{ version: number; saved?: Saved }>
  /** A change of one field, by its path, to this text. */
  change(text: string): { input: object; path: string; value: unknown }
}

interface Saved {
  at: string
  by?: string
  by_you: boolean
  through_connection: boolean
}

let made = 0
const kinds: Kind[] = [
  {
    save: 'form.save',
    async make() {
      const input = { name: 'Join us', fields: [email] }
      const { form_id } = await ana.get<{ form_id: string }>('form.save', input)
      return { form_id }
    },
    read: (id) => ana.get('form.get', id),
    change: (text) => ({
      input: { tags: [text] },
      path: 'tags',
      value: [text],
    }),
  },
  {
    save: 'segment.save',
    async make() {
      made += 1
      const input = { name: `Segment ${made}`, filter: { tag: 'vip' } }
      const { segment_id } = await ana.get<{ segment_id: string }>('segment.save', input)
      return { segment_id }
    },
    read: (id) => ana.get('segment.get', id),
    change: (text) => ({ input: { filter: { tag: text } }, path: 'filter', value: { tag: text } }),
  },
  {
    save: 'template.save',
    async make() {
      const input = { name: 'Hello', subject: 'Hello', html: '<p>Hello</p>' }
      const { template_id } = await ana.get<{ template_id: string }>('template.save', input)
      return { template_id }
    },
    async read(id) {
      type Listed = { templates: { version: number; saved?: Saved }[] }
      const { templates } = await ana.get<Listed>('template.list', id)
      const [template] = templates
      assert.ok(template)
      return template
    },
    change: (text) => ({ input: { subject: text }, path: 'subject', value: text }),
  },
  {
    save: 'campaign.save',
    async make() {
      const content = { subject: 'Hello', html: '<p>Hello</p>' }
      const input = { name: 'News', channel: 'email', content }
      const { campaign_id } = await ana.get<{ campaign_id: string }>('campaign.generate', input)
      return { campaign_id }
    },
    read: (id) => ana.get('campaign.get', id),
    change: (text) => ({
      input: { content: { subject: text } },
      path: 'content.subject',
      value: text,
    }),
  },
  {
    save: 'business.save',
    make: async () => ({ business_id: formatId('business', businessId) }),
    read: (id) => ana.get('business.get', id),
    change: (text) => ({ input: { sms_help: text }, path: 'sms_help', value: text }),
  },
]

for (const { save, make, read, change } of kinds) {
  test(`${save} refuses a save made from an older version, and tells who saved what`, async () => {
    const id = await make()
    const { version } = await read(id)
    const theirs = change('by-ben')
    await ben.get(save, { ...id, ...theirs.input, if_version: version })
    const now = await read(id)
    assert.equal(now.version, version + 1)
    assert.equal(now.saved?.by_you, false)
    assert.match(now.saved?.by ?? '', /@/)
    const yours = change('by-ana')
    const refused = await ana.call(save, { ...id, ...yours.input, if_version: version })
    assert.equal(refused.kind, 'refusal')
    const { code, field, version: current, differs, saved, fix } = refused.body
    assert.deepEqual(
      { code, field, current, differs, saved },
      {
        code: 'conflict',
        field: 'if_version',
        current: version + 1,
        differs: { [yours.path]: { yours: yours.value, theirs: theirs.value } },
        saved: now.saved,
      },
    )
    assert.ok(fix)
    assert.equal((await read(id)).version, version + 1, 'nothing was saved')
    await ana.get(save, { ...id, ...yours.input, if_version: version + 1 })
    assert.equal((await read(id)).saved?.by_you, true)
  })

  test(`${save} takes the repetition of a save whose answer was lost`, async () => {
    const id = await make()
    const { version } = await read(id)
    const input = { ...id, ...change('once').input, if_version: version }
    await ana.get(save, input)
    await ana.get(save, input)
    assert.equal((await read(id)).version, version + 1)
  })

  test(`of ten simultaneous ${save} from one version, exactly one is saved`, async () => {
    const id = await make()
    const { version } = await read(id)
    const calls = Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? ana : ben).call(save, { ...id, ...change(`try-${n}`).input, if_version: version }),
    )
    const outcomes = await Promise.all(calls)
    assert.equal(outcomes.filter(({ kind }) => kind !== 'refusal').length, 1)
    const refusals = outcomes.filter(({ kind }) => kind === 'refusal')
    for (const { body } of refusals) assert.equal(body['code'], 'conflict')
    assert.equal((await read(id)).version, version + 1)
  })

  test(`a program that saves too late by ${save} sees both texts, and no member's address`, async () => {
    const id = await make()
    const { version } = await read(id)
    await ben.get(save, { ...id, ...change('by-ben').input })
    const input = { ...id, ...change('by-program').input, if_version: version }
    const { kind, text } = await program.call(save, input)
    assert.equal(kind, 'refusal')
    assert.match(text, /by-ben/)
    assert.doesNotMatch(text, /@/)
  })
}

test('if_version without an existing object is refused', async () => {
  for (const [save, input] of [
    ['form.save', { name: 'New', fields: [email] }],
    ['segment.save', { name: 'New', filter: { tag: 'new' } }],
    ['template.save', { name: 'New', subject: 'Hello', html: '<p>Hello</p>' }],
  ] as const) {
    const { body } = await ana.call(save, { ...input, if_version: 1 })
    assert.deepEqual([body['code'], body['field']], ['invalid_request', 'if_version'])
  }
})
