/**
 * From a domain's records in a real DNS server to a message in a mailbox: it is signed by the
 * published key and has the unsubscribe link, and nothing is sent earlier.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { DomainView } from 'crier-server/sender-domains/operations/view.ts'
import nodemailer from 'nodemailer'
import { submissionSettings } from '../submission/support/submission-service.ts'
import { publishing } from '../support/businesses/domains.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { verifiers } from '../support/mail/dkim-verifiers.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { type Bind, startBind, withoutBind } from '../support/network/bind.ts'
import { eventually } from '../support/time/eventually.ts'

const marketing = { kind: 'marketing', allow_duplicate: true }
const person = 'ana@far.test'

/** Milliseconds by which the service's clock is ahead of ours. */
let ahead = 0

describe('mail of a verified domain', { skip: withoutBind() }, () => {
  let bind: Bind
  let relay: FakeRelay
  let mail: MailService
  let submission: Awaited<ReturnType<typeof submissionSettings>>
  before(async () => {
    bind = await startBind(['shop.test', 'operator.test'])
    relay = await startFakeRelay()
    submission = await submissionSettings()
    mail = await mailService(relay.url('?warmup=no'), {
      clock: { now: () => new Date(Date.now() + ahead) },
      settings: {
        ...submission.settings,
        SENDER_GATE: 'strict',
        FEEDBACK_GATE: 'off',
        DNS_SERVERS: `${bind.server.address}:${bind.server.port}`,
        BOUNCE_DOMAIN: 'bounce.operator.test',
        MAIL_FROM: 'crier@operator.test',
        BASE_URL: 'https://crier.operator.test',
      },
    })
    await mail.owner.get('contact.upsert', {
      email: person,
      name: 'Ana',
      consent: { email: { status: 'subscribed', source: 'a test' } },
    })
  })
  after(async () => {
    await mail?.close()
    await relay?.stop()
    await bind?.stop()
    await submission?.remove()
  })

  /** Moves the clock past the sender cache, so that the sender is read again. */
  const aWhileLater = () => {
    ahead += 11_000
  }
  const set = async (key: string, value: string) => {
    await setBusiness(mail.testbed.db, mail.businessId, { key, value, now: new Date() })
    aWhileLater()
  }
  const refused = async (input: object) => {
    const asked = mail.send(person, { ...input })
    return asked.then(
      () => assert.fail('it was taken'),
      (error: Error) => error.message,
    )
  }
  /** Two checks that are minutes apart, as in the schedule. */
  async function check(): Promise<DomainView | undefined> {
    for (let look = 0; look < 2; look++) {
      await mail.owner.get('domain.status', { domain: 'shop.test', check: true })
      await mail.testbed.db.run(sql`update domains set passed_at = passed_at - interval '1 hour'`)
    }
    aWhileLater()
    const { domains } = await mail.owner.get<{ domains: DomainView[] }>('domain.status', {
      domain: 'shop.test',
    })
    return domains[0]
  }

  async function publishedKeys(): Promise<Record<string, string>> {
    const records = (await check())?.records ?? []
    const ofKeys = records.filter(({ name }) => name.includes('_domainkey'))
    return Object.fromEntries(ofKeys.map(({ name, value }) => [name, value]))
  }
  /** CI has them all. */
  const installed = () =>
    verifiers.filter((verifier) => {
      if (process.env['CI']) assert.equal(verifier.missing, undefined, verifier.name)
      return verifier.missing === undefined
    })

  test('no mail is sent from an unverified domain, and no marketing before its records are right', async () => {
    await set('sender', 'Ana <ana@shop.test>')
    assert.match(await refused({}), /shop\.test is not a domain of this business/)
    const { records } = await mail.owner.get<DomainView>('domain.add', { domain: 'shop.test' })
    aWhileLater()
    assert.match(await refused(marketing), /shop\.test is not verified/)

    const isKey = ({ name }: { name: string }) => name.includes('_domainkey')
    await bind.update(...publishing(records.filter(isKey)))
    assert.equal((await check())?.status, 'verified')
    assert.match(await refused(marketing), /Marketing from shop\.test waits for DNS records/)

    await bind.update(...publishing(records.filter((record) => !isKey(record))))
    await check()
    assert.match(await refused(marketing), /postal address/)
    assert.equal(relay.taken.length, 0)
  })

  test('mail spliced from a template is signed with the published key and has the unsubscribe link', async () => {
    await set('postal_address', '1 High Street\nTown')
    const offer = (n: number) =>
      `<p>Größe ${n}: <a href="https://shop.test/offers/${n}?a=1&amp;b=2">look at offer ${n}</a></p>\n`
    const { template_id } = await mail.owner.get<{ template_id: string }>('template.save', {
      channel: 'email',
      name: 'Offers',
      subject: 'For {{ contact.name }}',
      html: `<html><body>\n<p>Dear {{ contact.name }}</p>\n${offer(1)}    ${offer(2)}<a href="{{ unsubscribe_url }}">leave</a> <a href="{{ preferences_url }}">choose</a> <a href="{{ own }}">yours</a></body></html>`,
    })
    const input = { template_id, subject: undefined, text: undefined, ...marketing }
    const sent = (n: number) =>
      mail.send(person, { ...input, variables: { own: `https://shop.test/p/${n}` } })
    for (let n = 0; n < 5; n++) await sent(n)
    await eventually(
      () => relay.taken.length,
      (n) => n === 5,
    )
    assert.equal(relay.taken.length, 5)

    const keys = await publishedKeys()
    const messages = relay.taken.map(({ source }) => Buffer.from(source))
    for (const verifier of installed()) {
      for (const signatures of await verifier.verify(messages, keys)) {
        assert.deepEqual(signatures, [['s1', true]], verifier.name)
      }
      const changed = messages.map((message) =>
        Buffer.from(message.toString().replace('leave', 'stay!')),
      )
      for (const signatures of await verifier.verify(changed, keys)) {
        assert.deepEqual(signatures, [['s1', false]], `${verifier.name}, tampered`)
      }
    }
    for (const { source, from } of relay.taken) {
      assert.match(from, /^b\+msg_\w{26}\.[0-9a-f]{20}@send\.shop\.test$/)
      const [, way = ''] = /^List-Unsubscribe:\s+<(https:[^>]+)>/m.exec(source) ?? []
      assert.match(way, /^https:\/\/t\.shop\.test\/u\/[\w-]+$/)
      const page = source.replace(/=\r\n/g, '').replaceAll('=3D', '=')
      assert.equal(page.split(`href="${way}"`).length - 1, 3, 'twice its own, once in the footer')
      assert.equal(
        page.match(/https:\/\/t\.shop\.test\/c\//g)?.length,
        4,
        'three links and the hidden one',
      )
      assert.ok(page.includes('1 High Street<br>Town'))
      assert.ok(!/href="https:\/\/shop\.test/.test(page))
    }
  })

  test('the fields of a list in a submitted mail are signed, and changing one breaks the signature', async () => {
    const { secret } = await newApiKey(mail.testbed.db, { businessId: mail.businessId })
    const client = nodemailer.createTransport({
      host: 'localhost',
      port: submission.port,
      requireTLS: true,
      auth: { user: 'crier', pass: secret },
      tls: { ca: submission.cert },
    })
    const fields = {
      'List-Unsubscribe': '<https://blog.example.com/u/1>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Id': '<weekly.blog.example.com>',
      Precedence: 'bulk',
      'Auto-Submitted': 'auto-generated',
    }
    const to = 'list@far.test'
    const source = [
      'From: Ana <ana@shop.test>',
      `To: Pat <${to}>`,
      'Cc: Bo <bo@far.test>',
      'Subject: Weekly',
      'Reply-To: a@example.com, b@example.com',
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
      '',
      'hi',
    ]
    const envelope = { from: 'ana@shop.test', to: [to] }
    await client.sendMail({ envelope, raw: source.join('\r\n') })
    const [sent] = await eventually(
      () => relay.taken.filter((taken) => taken.to === to),
      ({ length }) => length === 1,
    )
    assert.ok(sent)
    const whole = sent.source
    const [, signed = ''] = /^DKIM-Signature:(?:.|\r\n[ \t])*?\bh=([^;]+);/m.exec(whole) ?? []
    const names = signed.toLowerCase().replaceAll(/\s/g, '').split(':')
    for (const name of [...Object.keys(fields), 'Reply-To', 'To', 'Cc']) {
      assert.ok(names.includes(name.toLowerCase()), `${name} is not in h=${names.join(':')}`)
    }
    const changed = Object.keys(fields).map((name) =>
      whole.replace(new RegExp(`^${name}: .`, 'm'), (start) => `${start}x`),
    )
    const keys = await publishedKeys()
    for (const verifier of installed()) {
      const results = await verifier.verify(
        [whole, ...changed].map((text) => Buffer.from(text)),
        keys,
      )
      assert.deepEqual(results[0], [['s1', true]], verifier.name)
      for (const [i, signatures] of results.slice(1).entries()) {
        assert.deepEqual(signatures, [['s1', false]], `${verifier.name}, ${Object.keys(fields)[i]}`)
      }
    }
  })
})
