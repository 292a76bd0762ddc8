/**
 * An assistant's whole story, from the address of the endpoint to a campaign in a mailbox. It gets
 * wishes in plain words and follows what the service says: its documents, instructions, list of
 * tools, schemas, and the fixes in its answers.
 */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { freshCatalog } from '../../scripts/generators/catalog.ts'
import { noonZone } from '../support/businesses/campaigns.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { createAssistant } from './assistant.ts'
import { connectTo } from './connection.ts'
import { type Fact, remembered } from './fill-in.ts'
import { newOwner } from './person.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const known = (about: string, is: Fact['is']): Fact => ({ about, is })

const reader = 'reader-of-mine@example.com'

test('an assistant gets from nothing to a delivered campaign by following the responses', async () => {
  const owner = newOwner()
  // The wishes go beyond the everyday tools.
  const connection = await connectTo(`${service.endpoint}?areas=all`, owner.signIn)
  const assistant = await createAssistant(connection, {
    told: [
      known(
        'postal address: street, postcode, town, country',
        '7 Mill Lane, 12345 Oldtown, Utopia',
      ),
      known('your own domain', 'mail.mill-lane.example'),
    ],
    visit: owner.visit,
  })

  assert.match(JSON.stringify(await assistant.begin()), /bus_/)
  await assistant.wish('Change settings of a business: no recipients without approval, time zone', [
    known('recipients without approval of a person', 0),
    known('time zone', noonZone()),
  ])
  const agreed = [
    known('to email', [
      known('status: subscribed', 'they subscribed'),
      known('source where the person said so', 'checkout page'),
    ]),
  ]
  const form = await assistant.wish('Save a form: create it, published, with its fields', [
    known('name for the business', 'Newsletter'),
    known('status published', 'it is published'),
    known('all fields in their order', {
      list: [
        [
          known('key of letters', 'mailbox'),
          known('label that people read', 'Your address'),
          known('type of the field', 'an email address'),
          known('required', true),
        ],
        [
          known('key of letters', 'agreed'),
          known('label that people read', 'Send me news by email.'),
          known('type of the field', 'their consent'),
        ],
      ],
    }),
  ])
  assert.match(JSON.stringify(form), /frm_/)
  const submitted = await assistant.wish('Submit answers to a published form for a person', [
    known('fields: answers as strings by key', [known('mailbox', reader), known('agreed', 'true')]),
  ])
  assert.match(JSON.stringify(submitted), /sub_/)
  const imported = await assistant.wish('Import many contacts in one call', [
    known('contacts, each with its fields', {
      list: ['one', 'two', 'three'].map((n) => [
        known('email: who it is', `${n}@example.com`),
        known('consent agreed to', agreed),
      ]),
    }),
  ])
  assert.match(JSON.stringify(imported), /:3,/)

  const draft = await assistant.wish('Make a draft of a campaign from a brief', [
    known(
      'brief: what to tell',
      'Tell everyone that the mill opens on Sunday 6 December at 10:30.',
    ),
    known('by which channel', 'by email'),
  ])
  assert.match(JSON.stringify(draft), /10:30/)
  const plan = await assistant.wish('Plan what deploying the campaign would do: recipients, gates')
  assert.doesNotMatch(JSON.stringify(plan), /"block"/)
  await assistant.wish('Send a campaign: the draft to its audience now, with the plan', [
    known('the hash of the preview', remembered),
  ])
  assert.equal(owner.visited.length, 1)
  await assistant.wishUntil('Look at one campaign, its state and what came of it', '"completed"')
  for (const address of [reader, 'one@example.com', 'two@example.com', 'three@example.com']) {
    assert.equal(await owner.mailsTo(service.url, address), 1, address)
  }
  const why = await assistant.wish('Explain why a recipient, a contact, got it or not', [
    known('the contact id', remembered),
  ])
  assert.match(JSON.stringify(why), /form frm_/)

  const hook = await assistant.wish('Save a webhook: have events sent to a URL', [
    known('its url', 'https://93.184.216.34/events'),
    known('which events', { list: ['form submitted', 'message delivered'] }),
  ])
  assert.match(JSON.stringify(hook), /whsec_/)
  const domain = await assistant.wish('Add a domain to send from, for DNS records', [
    known('the domain', 'news.mill-lane.example'),
  ])
  assert.match(JSON.stringify(domain), /_domainkey/)
  const mail = await assistant.wish('Send one email to one person', [
    known('to address', 'one@example.com'),
    known('its subject', 'Your order'),
    known('its text', 'It is on its way.'),
  ])
  assert.match(JSON.stringify(mail), /msg_/)
  const sms = await assistant.wish('Send one SMS text', [
    known('to the phone number', '+33612345678'),
    known('its text', 'Your order is on its way.'),
  ])
  assert.match(JSON.stringify(sms), /msg_/)
})

/** Words of the protocols and of the instructions, which the assistant may know in advance. */
const protocol = new Set(
  'id name title description headers type status content text url fix tool arguments possible properties required items enum code message version state'.split(
    ' ',
  ),
)

interface Nested {
  properties?: Record<string, Nested>
  items?: Nested
  anyOf?: Nested[]
}

function fieldsIn({ properties = {}, items, anyOf = [] }: Nested): string[] {
  const within = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  return [...Object.keys(properties), ...within.flatMap(fieldsIn)]
}

test('the assistant’s code contains no names of tools or fields that it did not read', async () => {
  const folder = new URL('.', import.meta.url)
  // The person, and the assistants that follow a script, are others.
  const others = new Set([
    'person.ts',
    'automation.test.ts',
    'wishes.test.ts',
    'injections.test.ts',
    // Owners, their jobs and what these cost: `worker.ts` carries them out.
    'jobs.ts',
    'jobs-of-lists.test.ts',
    'jobs-of-mailings.test.ts',
    'job-costs.ts',
    'job-costs.test.ts',
    'scrambled.ts',
    'transcripts.ts',
  ])
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !others.has(file))
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  assert.ok(sources.length >= 5)
  const source = sources.join('\n')
  const catalog = freshCatalog()
  for (const { name, aliases = [] } of catalog) {
    for (const spelling of [name, name.replace('.', '_'), ...aliases]) {
      assert.ok(!source.includes(spelling), spelling)
    }
  }
  // Names are keys, members and whole strings; words within plain wishes do not count.
  const strings = source.match(/(?<=')[^'\n]+(?=')/g) ?? []
  // Methods of the language do not count either, though some of them are also field names.
  const said = source.replaceAll(/'[^'\n]*'/g, '')
  const code = said
    .replaceAll('Promise.all', '')
    .replaceAll(/\.(?:add|every|filter|values)\(/g, '(')
    .replaceAll('.search =', ' =')
  const held = new Set([...strings, ...(code.match(/(?<=\.)\w+|\w+(?=\??:)/g) ?? [])])
  const inputs = new Set(catalog.flatMap(({ input }) => fieldsIn(input as Nested)))
  const outputs = new Set(catalog.flatMap(({ output }) => fieldsIn(output as Nested)))
  assert.ok(inputs.size > 50 && outputs.size > 100)
  const asked = [...inputs].filter((field) => held.has(field) && !protocol.has(field))
  const read = [...inputs, ...outputs].filter(
    (field) => field.includes('_') && source.includes(field),
  )
  assert.deepEqual([...asked, ...read], [])
})
