/** Forms under the host names of their businesses' domains, which a real DNS server has verified. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contactsOf, eventsOf } from '../../../../../tests/support/businesses/contacts.ts'
import { type DomainBench, domainBench } from '../../../../../tests/support/businesses/domains.ts'
import { publishedForm } from '../../../../../tests/support/businesses/forms.ts'
import { testVault } from '../../../../../tests/support/clients/calls.ts'
import { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { withoutBind } from '../../../../../tests/support/network/bind.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { createSenderProfileReader } from '../../../accounts/businesses/sender-profile.ts'
import { setBusiness } from '../../../accounts/settings/settings.ts'
import { isRefusal, orRefusal } from '../../../core/errors.ts'
import { formatId } from '../../../core/ids.ts'
import { createEngine } from '../../../core/writes/unit-of-work.ts'
import { formGet } from '../../../forms/get.ts'
import { formList } from '../../../forms/list.ts'
import { formSubmit } from '../../../forms/submit.ts'
import { sql } from '../../../lib/db/db.ts'
import { createLocalLimit } from '../../../lib/rate-limit/local-limit.ts'
import { seconds } from '../../../lib/time/clock.ts'
import { createOwnHosts } from '../../../sender-domains/senders/own-hosts.ts'
import { createSenders } from '../../../sender-domains/senders/senders.ts'
import { createTemplates } from '../../../templates/compile.ts'
import { createServer } from '../../server.ts'
import { registerArchives } from '../archive/routes.ts'
import { registerHostedForms } from './routes.ts'

const appUrl = 'https://app.example'
const urlEncoded = { 'content-type': 'application/x-www-form-urlencoded' }

const visits = 6
const templates = createTemplates()

interface Shared {
  url: string
  share: { link: string; iframe: string; html: string }
}

describe('a form under the own host name of its business', { skip: withoutBind() }, () => {
  let bench: DomainBench
  let visitor: PageVisitor
  let shop: Awaited<ReturnType<DomainBench['newOwner']>>
  let other: typeof shop
  before(async () => {
    bench = await domainBench()
    shop = await bench.newOwner()
    other = await bench.newOwner()
    await bench.verified(shop.caller, 'shop.test')
    await bench.verified(other.caller, 'other.test')
    const { clock } = bench
    const { db } = bench.database
    const server = createServer({
      log: silentLog,
      bodyLimit: 9_999,
      trustProxy: false,
      https: true,
    })
    registerHostedForms(server, {
      db,
      clock,
      log: silentLog,
      vault: testVault,
      addresses: { appUrl, ...hosts(appUrl) },
      senderProfileOf: createSenderProfileReader(db, clock),
      writingFor: (id, callId) =>
        createEngine({ db, clock }).writingFor({
          businessId: id,
          operation: 'form.submit',
          input: {},
          origin: { connectionId: null, callId },
        }),
    })
    registerArchives(server, {
      db,
      templates,
      baseUrl: appUrl,
      addresses: { appUrl, ...hosts(appUrl) },
      visitLimit: createLocalLimit({ clock, perMinute: visits }),
    })
    visitor = new PageVisitor(server, 'app.example')
  })
  after(async () => {
    await templates.close()
    await bench.close()
  })

  /** Nothing is cached yet. */
  const hosts = (address: string) => {
    const { clock, facility } = bench
    const { db } = bench.database
    const senders = createSenders({ ...facility, db, clock })
    return createOwnHosts({ db, clock, senders, appUrl: address })
  }
  const shareOf = (address: string, formId: string) => {
    const get = formGet({ appUrl: address, ...hosts(address) })
    return shop.caller.get<Shared>(get, { form_id: formId })
  }

  test('its address, its frame, its plain form and the source of a call are on that host', async () => {
    const formId = await publishedForm(shop.caller, [], { double_opt_in: false })
    const { url, share } = await shareOf(appUrl, formId)
    const own = `https://t.shop.test/f/${formId}`
    assert.deepEqual([url, share.link], [own, own])
    assert.ok(share.iframe.includes(`src="${own}/embed"`), share.iframe)
    assert.ok(share.html.includes(`action="${own}"`), share.html)
    const addresses = { appUrl, ...hosts(appUrl) }
    const { forms: listed } = await shop.caller.get<{ forms: Shared[] }>(formList(addresses), {})
    assert.equal(listed[0]?.url, own)
    const submit = formSubmit(addresses)
    await shop.caller.get(submit, { form_id: formId, fields: { email: 'b@example.com' } })
    const events = await eventsOf(bench.database.db, shop.id)
    const submitted = events.find(({ type }) => type === 'form.submitted')
    assert.equal(submitted?.data['source_url'], own)
  })

  test('without TLS at the service, and for a business without a domain, it stays on the service’s', async () => {
    const formId = await publishedForm(shop.caller)
    const plain = 'http://app.example'
    assert.equal((await shareOf(plain, formId)).url, `${plain}/f/${formId}`)
    const { caller } = await bench.newOwner()
    const bare = await publishedForm(caller)
    const get = formGet({ appUrl, ...hosts(appUrl) })
    assert.equal((await caller.get<Shared>(get, { form_id: bare })).url, `${appUrl}/f/${bare}`)
  })

  test('the page, its frame and its thanks answer there, and a post from there is taken', async () => {
    const formId = await publishedForm(shop.caller, [], { double_opt_in: false })
    const there = { host: 't.shop.test' }
    for (const path of ['', '/embed', '/thanks', '/embed/thanks']) {
      assert.equal((await visitor.get(`/f/${formId}${path}`, there)).status, 200, path)
    }
    const page = await visitor.get(`/f/${formId}`, { host: 'T.Shop.test' })
    bench.clock.forward(seconds(3))
    const sent = await visitor.submit(page, { email: 'ana@example.com' }, there)
    assert.deepEqual([sent.status, sent.to], [303, `/f/${formId}/thanks`])
    const contacts = await contactsOf(bench.database.db, shop.id)
    assert.ok(contacts.some(({ email }) => email === 'ana@example.com'))
  })

  test('on the service’s own name it answers too, and on the host of another business nothing does', async () => {
    const mine = await publishedForm(shop.caller, [], { double_opt_in: false })
    const theirs = await publishedForm(other.caller, [], { double_opt_in: false })
    assert.equal((await visitor.get(`/f/${mine}`)).status, 200)
    assert.equal((await visitor.get(`/f/${mine}`, { host: 't.unknown.test' })).status, 200)
    for (const [formId, host] of [
      [mine, 't.other.test'],
      [theirs, 't.shop.test'],
    ] as const) {
      for (const path of ['', '/embed', '/thanks', '/embed/thanks']) {
        const { status, body } = await visitor.get(`/f/${formId}${path}`, { host })
        assert.equal(status, 404, path)
        assert.doesNotMatch(body, /A form/)
      }
      const sent = await visitor.send({
        method: 'POST',
        url: `/f/${formId}`,
        headers: { ...urlEncoded, host, accept: 'application/json' },
        payload: 'email=stranger%40example.com',
      })
      assert.deepEqual([sent.status, JSON.parse(sent.body).code], [404, 'not_found'])
    }
    for (const { id } of [shop, other]) {
      const contacts = await contactsOf(bench.database.db, id)
      assert.ok(!contacts.some(({ email }) => email === 'stranger@example.com'))
    }
  })

  test('the archive of a business is there too, and its links, not on the host of another; few visits', async () => {
    const { db } = bench.database
    const now = bench.clock.now()
    const formId = await publishedForm(shop.caller)
    const theirs = await publishedForm(other.caller)
    const show = (form_id: string) => {
      const value = JSON.stringify({ on: true, form_id })
      return setBusiness(db, shop.id, { key: 'archive', value, now })
    }
    await show(formId)
    const path = `/archive/${formatId('business', shop.id)}`
    const there = { host: 't.shop.test' }
    const list = await visitor.get(path, there)
    assert.equal(list.status, 200)
    assert.ok(list.body.includes(`href="https://t.shop.test${path}/feed.xml"`), list.body)
    const form = `<a href="https://t.shop.test/f/${formId}" class="button">Subscribe</a>`
    assert.ok(list.body.includes(form), list.body)
    const refused = await orRefusal(() => show(theirs))
    assert.ok(isRefusal(refused), 'the form of another business')
    // One that was stored before such forms were refused is not shown either.
    await db.run(sql`
      update businesses set archive = jsonb_set(archive, '{form_id}', to_jsonb(${theirs}::text))
      where id = ${shop.id}
    `)
    const without = await visitor.get(path)
    assert.deepEqual([without.status, without.body.includes('Subscribe')], [200, false])
    for (const below of ['', '/feed.xml', '/personal-link']) {
      assert.equal((await visitor.get(path + below, { host: 't.other.test' })).status, 404)
    }
    assert.equal((await visitor.get(path, there)).status, 200)
    const tooMany = await visitor.get(path, { ...there, 'accept-language': 'fr-CA' })
    assert.deepEqual([tooMany.status, tooMany.headers['retry-after']], [429, '60'])
    assert.ok(tooMany.body.includes('Trop de pages ont été ouvertes'), tooMany.body)
  })
})
