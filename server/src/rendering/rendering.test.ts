/** Messages rendered in the thread: identical bytes, each once, whatever else is stopped. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTemplates, ownTemplates } from '../../../tests/support/businesses/own-templates.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { ed25519Key, rsaKey } from '../../../tests/support/mail/dkim-keys.ts'
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { isRefusal, orRefusal, orThrow } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Utm } from '../core/utm.ts'
import type { Database } from '../lib/db/types.ts'
import { releaseBuffer } from '../lib/email/message-buffers.ts'
import { campaignContent } from '../messages/content.ts'
import type { Building, Sender, Templates as Words } from '../messages/dependencies.ts'
import { type ComposeDeps, compose } from '../messages/mail-carrier.ts'
import { surroundingVariables } from '../messages/mail-of.ts'
import type { Content, Message } from '../messages/message.ts'
import type { Filling } from '../messages/template-words.ts'
import type { Compiled } from '../templates/compile.ts'
import { type Recipient, templateVariables } from '../templates/variables.ts'
import type { Link } from '../tracking/links.ts'
import { installationOf } from '../tracking/track.ts'
import { preferencesUrl, trackMail, viewUrl } from '../tracking/track-mail.ts'
import { createBuilding, createRenderWorkers } from './rendering.ts'

const baseUrl = 'https://crier.test'
const now = new Date('2026-11-20T10:00:00Z')
const db = {} as Database
const senderProfile: SenderProfile = {
  name: 'Ana\'s "Shop" & Søns',
  postalAddress: '1 Main St\nSpringfield',
  sender: null,
  smsSender: null,
  timeZone: 'Europe/Lisbon',
  trackOpens: true,
  trackTransactional: true,
  tracking: 'everyone',
  trackClicks: true,
  language: 'en',
}
const sender: Sender = {
  from: 'Shop <hello@example.com>',
  domain: 'example.com',
  keys: [rsaKey().key, ed25519Key().key],
  trackingHost: 't.example.com',
  marketing: true,
}

let templates: OwnTemplates
let renderWorkers: ReturnType<typeof createRenderWorkers>
before(() => {
  renderWorkers = createRenderWorkers({ vault: testVault, baseUrl })
  templates = ownTemplates({ deadlineMs: 5_000, onward: renderWorkers.onward })
})
after(() => templates.close())

interface TemplateSource {
  html: string
  text?: string
  subject?: string
}

async function compiled({ html, text = '', subject = 'For {{ contact.name }}' }: TemplateSource) {
  const made = await templates.check({ subject, html, ...(text && { text }) })
  assert.ok(!isRefusal(made), isRefusal(made) ? made.message : '')
  return made
}

const person = (name: string, n = 0): Recipient => {
  return {
    email: 'ana@example.net',
    phone: null,
    name,
    first_name: null,
    last_name: null,
    language: null,
    attributes: { n },
    tags: ['a', 'b'],
  }
}

function message(changes: Partial<Message> = {}): Message {
  return {
    businessId: newId('business'),
    id: newId('message'),
    channel: 'email',
    kind: 'marketing',
    isReply: false,
    contactId: newId('contact'),
    campaignId: newId('campaign'),
    to: 'ana@example.net',
    zone: null,
    trackingConsent: null,
    templateVersionId: newId('templateVersion'),
    state: 'queued',
    attempts: 0,
    dueAt: now,
    queuedAt: now,
    ...changes,
  }
}

/** The parts with which sending composes, and the links that it stored. */
function setUpBuildings(
  template: Compiled,
  contact: Recipient,
  { utm, ...more }: Partial<Content> & { utm?: Utm } = {},
) {
  const filling: Filling = { compiled: template, business: senderProfile, contact, conditions: [] }
  const kept: (readonly Link[])[] = []
  const by = { vault: testVault, baseUrl, installation: installationOf(testVault) }
  const keep = async (_db: unknown, _id: unknown, links: readonly Link[]) => void kept.push(links)
  const words: Words = {
    async render({ variables, ...links }) {
      const around = surroundingVariables(filling, links)
      return orThrow(await templates.renderContent(template, templateVariables(around, variables)))
    },
    textOf: async (_, html) => orThrow(await templates.textOf(html)),
    languageOf: async () => null,
  }
  const inThread = createBuilding({
    db,
    renderWorkers,
    templates: templates.all,
    words: { fillingOf: async () => filling },
    tracking: { keep },
  })
  const deps = (building: Building): ComposeDeps => ({
    db,
    hmac: testVault.hmac,
    senders: { senderOf: async () => sender },
    readContent: async () => ({ ...campaignContent, ...more }),
    templates: words,
    tracking: {
      preferencesUrl: (what) => preferencesUrl(by, what),
      viewUrl: (what) => viewUrl(by, what),
      async prepare(_db, what) {
        const { links, ...tracked } = trackMail(by, senderProfile, what)
        await keep(db, what.businessId, links)
        return tracked
      },
    },
    building,
    utmOf: async () => utm,
    bounceDomain: undefined,
  })
  let threads = 0
  const counted: Building = {
    async build(what) {
      const built = await inThread.build(what)
      if (Buffer.isBuffer(built)) threads++
      return built
    },
  }
  const bytes = async (building: Building, row: Message) => {
    const composed = await orRefusal(() => compose(deps(building), row, now))
    return isRefusal(composed) ? composed.message : composed.source
  }
  return {
    kept,
    get threads() {
      return threads
    },
    inThread: (row: Message) => bytes(counted, row),
    here: (row: Message) => bytes({ build: async () => undefined }, row),
  }
}

const page = `<html><body><p>Dear {{ contact.name }}, {{ contact.attributes.n }}</p>
${Array.from({ length: 30 }, (_, n) => `<p>  Offer  ${n} <a href="https://shop.test/${n}?a=1&amp;b">größer</a></p>`).join('\n')}
<p>From {{ contact.name }}</p><a href="https://shop.test/of/{{ contact.attributes.n }}">yours</a></body></html>`

const utm = { source: 'news', campaign: 'größer & more' }

test('a render thread builds the same mail as the main thread, byte for byte, with the same links', async () => {
  const template = await compiled({ html: page, text: 'Dear {{ contact.name }}\n{{ own }}' })
  const people = ['Ana', 'Zoë "Z" <b>', '漢字 👩‍👩‍👧‍👦', '', 'From here\r\n.\r\nQUIT']
  const kinds = ['marketing', 'transactional'] as const
  await setUpBuildings(template, person('first')).here(message())
  for (const name of people) {
    for (const kind of kinds) {
      for (const more of [
        {},
        { subject: 'Another', trackOpens: false, variables: { own: 'x' }, utm },
      ]) {
        const at = setUpBuildings(template, person(name, name.length), more)
        const row = message({ kind, ...(kind === 'transactional' && { campaignId: null }) })
        const [built, here] = [await at.inThread(row), await at.here(row)]
        assert.ok(Buffer.isBuffer(built) && Buffer.isBuffer(here))
        assert.equal(built.toString('latin1'), here.toString('latin1'))
        assert.equal(at.threads, 1)
        const [inThread = [], direct = []] = at.kept
        assert.equal(inThread.length, 31)
        assert.deepEqual(inThread, direct)
        releaseBuffer(built)
      }
    }
  }
})

test('of many mails from a new template, one is built in the main thread and the rest in the render thread', async () => {
  const template = await compiled({ html: '<p>A new one for {{ contact.name }}</p>' })
  const all = Array.from({ length: 30 }, (_, n) => setUpBuildings(template, person(`Person ${n}`)))
  const rows = all.map(() => message())
  const built = await Promise.all(all.map((at, n) => at.inThread(rows[n] ?? message())))
  assert.equal(
    all.reduce((sum, { threads }) => sum + threads, 0),
    29,
  )
  for (const [n, at] of all.entries())
    assert.deepEqual(built[n], await at.here(rows[n] ?? message()))
})

test('a first render that fails holds up the other mails only for a moment', async (t) => {
  const template = await compiled({ html: '<p>Another {{ contact.name }}</p>' })
  const at = setUpBuildings(template, person('Ana'))
  const { mock } = t.mock.method(globalThis, 'setTimeout')
  // The caller gets the turn to render it first, and does not render.
  assert.equal(await templates.hand(template, () => undefined), undefined)
  const moment: NodeJS.Timeout = mock.calls[0]?.result ?? assert.fail('nothing ends the wait')
  assert.equal(moment.hasRef(), false, 'nobody waits')
  const row = message()
  const waiting = at.inThread(row)
  await new Promise(setImmediate)
  assert.equal(moment.hasRef(), true, 'the process does not end while a mail waits')
  assert.deepEqual(await waiting, await at.here(row))
})

test('a mail too large for a buffer, or built when all buffers are in use, is transferred whole', async () => {
  const large = await compiled({ html: `<p>${'many words '.repeat(9_000)}{{ contact.name }}</p>` })
  const small = await compiled({ html: '<p>{{ contact.name }}</p>' })
  for (const template of [large, small]) {
    const at = setUpBuildings(template, person('Ana'))
    await at.here(message())
    const rows = Array.from({ length: 70 }, () => message())
    const built = await Promise.all(rows.map((row) => at.inThread(row)))
    assert.equal(at.threads, 70)
    for (const [n, row] of rows.entries()) assert.deepEqual(built[n], await at.here(row))
    for (const one of built) if (Buffer.isBuffer(one)) releaseBuffer(one)
  }
})

test('a refusal by the mail builder is returned from the render thread in the same words', async () => {
  const at = setUpBuildings(await compiled({ html: '<p>{{ contact.name }}</p>' }), person('Ana'))
  await at.here(message())
  const row = message({ to: 'no address' })
  const said = await at.inThread(row)
  assert.equal(typeof said, 'string')
  assert.equal(said, await at.here(row))
})

test('when slow mails have their thread stopped, the other mails are built once each and no mail is lost', async () => {
  const slow = '{% for i in (1..n) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}'
  const loops = slow.replace('n)', 'contact.attributes.n)')
  const template = await compiled({ html: `<p>{{ contact.name }}${loops}</p>` })
  await setUpBuildings(template, person('first')).here(message())
  const all = Array.from({ length: 40 }, (_, n) => {
    const isSlow = n === 10 || n === 25
    const row = message()
    return { isSlow, row, at: setUpBuildings(template, person(`Person ${n}`, isSlow ? 9_999 : 1)) }
  })
  const built = await Promise.all(all.map(({ at, row }) => at.inThread(row)))
  for (const [n, { isSlow, at, row }] of all.entries()) {
    if (isSlow) assert.match(String(built[n]), /takes too long|asks for too much/)
    else assert.deepEqual(built[n], await at.here(row), `message ${n}`)
  }
})

test('a message is not handed on before its links are stored', async () => {
  const template = await compiled({ html: '<a href="https://shop.test/kept">here</a>' })
  await setUpBuildings(template, person('first')).here(message())
  const order: string[] = []
  const building = createBuilding({
    db,
    renderWorkers,
    templates: templates.all,
    words: {
      fillingOf: async () => ({
        compiled: template,
        business: senderProfile,
        contact: person('Ana'),
        conditions: [],
      }),
    },
    tracking: {
      async keep() {
        await new Promise((resolve) => setTimeout(resolve, 20))
        order.push('kept')
      },
    },
  })
  const what = { message: { ...message(), ...campaignContent }, sender, now }
  for (let n = 0; n < 2; n++) {
    const built = await building.build(what)
    assert.ok(Buffer.isBuffer(built))
    order.push('built')
  }
  assert.deepEqual(order, ['kept', 'built', 'kept', 'built'])
})
