/** Who may send from which address, with domains that a real DNS server verified. */
import assert from 'node:assert/strict'
import { createPublicKey, sign, verify } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type DomainBench,
  domainBench,
  publishing,
} from '../../../../tests/support/businesses/domains.ts'
import { withoutBind } from '../../../../tests/support/network/bind.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { DomainSettings } from '../model/domain.ts'
import type { DomainView } from '../operations/view.ts'
import { createSenders, type Sender } from './senders.ts'
import { createServiceKeys } from './service-keys.ts'

describe('choosing the sender', { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench({ ed25519: true })
  })
  after(() => bench.close())

  /** A new instance each time, with nothing cached. */
  const senders = (settings: Partial<DomainSettings> = {}) =>
    createSenders({
      db: bench.database.db,
      clock: bench.clock,
      vault: bench.facility.vault,
      settings: { ...bench.facility.settings, ...settings },
    })
  const set = (id: Id<'business'>, key: string, value: string) =>
    setBusiness(bench.database.db, id, { key, value, now: bench.clock.now() })
  const refusalOf = (answer: Sender | Refusal, words: RegExp) => {
    assert.ok(isRefusal(answer))
    assert.match(answer.message, words)
    return answer.details.fix
  }
  const senderOf = (answer: Sender | Refusal) => {
    assert.ok(!isRefusal(answer))
    return answer
  }

  test('with an open gate, unsigned mail may be sent from the own sender’s domain without verification', async () => {
    const { id } = await bench.newOwner()
    const open = senders({ gate: 'off' })
    const own = senderOf(await open.senderOf(id))
    assert.deepEqual(own, {
      from: 'crier@operator.test',
      domain: 'operator.test',
      keys: [],
      verified: false,
      marketing: true,
    })
    assert.equal(senderOf(await open.senderOf(id, 'Ana <a@Operator.test>')).domain, 'operator.test')
    const foreign = await open.senderOf(id, 'Ana <a@Müller.example>')
    refusalOf(
      foreign,
      /sender, and xn--mller-kva.example is neither. .* set the business's sender in its settings/,
    )
    refusalOf(await open.senderOf(id, 'nobody'), /must be an address/)
    const inbox = senders({ gate: 'off', staysHere: true })
    const local = senderOf(await inbox.senderOf(id, 'App <app@localhost.test>'))
    assert.deepEqual([local.domain, local.verified, local.keys], ['localhost.test', false, []])
    const strict = await senders({ staysHere: true }).senderOf(id, 'app@localhost.test')
    refusalOf(strict, /not a domain of this/)
  })

  test('with a strict gate, mail is sent only from verified domains, and a refusal says what to do', async () => {
    const { id, caller } = await bench.newOwner()
    refusalOf(await senders().senderOf(id), /no verified domain/)
    const foreign = refusalOf(await senders().senderOf(id, 'a@shop.test'), /not a domain of this/)
    assert.deepEqual(foreign, { tool: 'domain.add', arguments: { domain: 'shop.test' } })
    const added = await caller.get<DomainView>(bench.tools.add, { domain: 'shop.test' })
    const pending = refusalOf(await senders().senderOf(id, 'a@shop.test'), /not verified/)
    assert.equal(pending?.tool, 'domain.status')

    // Only the keys; the return path, the policy and the tracking name come later.
    const keys = added.records.filter(({ name }) => name.includes('_domainkey'))
    assert.equal(keys.length, 2)
    await bench.bind.update(...publishing(keys))
    await bench.nextChecks()
    await bench.nextChecks()
    const sender = senderOf(await senders().senderOf(id))
    assert.equal(sender.from, 'A business <hello@shop.test>')
    // One that a connected app added is nobody's sender by itself, until a person adds it too.
    const awaits = (waits: boolean) =>
      bench.database.db.run(sql`
        update domains set awaits_person = ${waits} where business_id = ${id}
      `)
    await awaits(true)
    refusalOf(await senders().senderOf(id), /counts once a person has added it/)
    assert.equal(senderOf(await senders().senderOf(id, 'a@shop.test')).domain, 'shop.test')
    await awaits(false)
    assert.deepEqual(
      sender.keys.map(({ selector, algorithm, domain }) => [selector, algorithm, domain]),
      [
        ['s1', 'rsa-sha256', 'shop.test'],
        ['e1', 'ed25519-sha256', 'shop.test'],
      ],
    )
    const { db } = bench.database
    const serviceKeys = createServiceKeys({ ...bench.facility, db, clock: bench.clock })
    const forService = await serviceKeys('shop.test')
    assert.deepEqual(
      forService.map(({ selector }) => selector),
      ['s1', 'e1'],
      "the service's own mail from there is signed by the same keys",
    )
    assert.deepEqual(await serviceKeys('elsewhere.test'), [])
    assert.deepEqual([sender.returnPathDomain, sender.trackingHost], [undefined, undefined])
    const waits = sender.marketing
    assert.ok(isRefusal(waits))
    assert.match(waits.message, /MX send\.shop\.test, TXT send\.shop\.test, TXT _dmarc\.shop\.test/)
    assert.ok(isRefusal(await senders().senderOf(id, 'a@other.test')))

    const others = added.records.filter(({ name }) => !name.includes('_domainkey'))
    await bench.bind.update(...publishing(others))
    await bench.nextChecks()
    const ready = senderOf(await senders().senderOf(id))
    assert.deepEqual(
      [ready.returnPathDomain, ready.trackingHost],
      ['send.shop.test', 't.shop.test'],
    )
    assert.ok(isRefusal(ready.marketing) && /postal/.test(ready.marketing.message))
    await set(id, 'postal_address', '1 High St')
    await set(id, 'sender', 'Ana <ana@shop.test>')
    const full = senderOf(await senders().senderOf(id))
    assert.deepEqual([full.from, full.marketing], ['Ana <ana@shop.test>', true])
  })

  test('the decrypted DKIM key matches the public key in DNS', async () => {
    const { id, caller } = await bench.newOwner()
    const added = await caller.get<DomainView>(bench.tools.add, { domain: 'a.other.test' })
    await bench.bind.update(...publishing(added.records))
    await bench.nextChecks()
    await bench.nextChecks()
    const [rsa] = senderOf(await senders().senderOf(id)).keys
    const published = added.records[0]?.value.split('p=')[1] ?? ''
    const publicKey = createPublicKey({
      key: Buffer.from(published, 'base64'),
      type: 'spki',
      format: 'der',
    })
    assert.ok(rsa)
    const signature = sign('sha256', Buffer.from('mail'), rsa.privateKey)
    assert.ok(verify('sha256', Buffer.from('mail'), publicKey, signature))
  })

  test('a sender is cached for ten seconds and no longer', async () => {
    const { id } = await bench.newOwner()
    const kept = senders({ gate: 'off' })
    const domainOf = async () => senderOf(await kept.senderOf(id)).domain
    assert.equal(await domainOf(), 'operator.test')
    await set(id, 'sender', 'a@new.test')
    assert.equal(await domainOf(), 'operator.test')
    bench.clock.forward(seconds(10))
    assert.equal(await domainOf(), 'new.test')
  })

  test('a refusal is not cached, so that mail can be sent as soon as the cause is fixed', async () => {
    const { id } = await bench.newOwner()
    const kept = senders()
    refusalOf(await kept.senderOf(id), /no verified domain/)
    await set(id, 'sender', 'a@nowhere.test')
    refusalOf(await kept.senderOf(id), /nowhere\.test is not a domain/)
  })
})
