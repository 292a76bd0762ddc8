import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Kannel, startKannel, withoutKannel } from '../../../../tests/support/sms/kannel.ts'
import { type QueryKeeper, queryKeeper } from '../../../../tests/support/sms/query-keeper.ts'
import {
  type OpenTransport,
  openSmsTransport,
} from '../../../../tests/support/sms/sms-transport.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { parseKannelInbound, parseKannelReceipt } from './kannel.ts'

const noon = new Date('2026-11-20T12:00:00Z')
const skip = withoutKannel() ?? false
const to = '+33612345678'

interface Peer {
  kannel: Kannel
  callbacks: QueryKeeper
  transport: OpenTransport
}

async function peer(t: TestContext): Promise<Peer> {
  const callbacks = await queryKeeper()
  t.after(() => callbacks.close())
  const inbound = 'from=%p&to=%P&text=%b&charset=%C&time=%T&id=%I'
  const kannel = await startKannel({ inboundUrl: `${callbacks.url}/in?key=k&${inbound}` })
  t.after(() => kannel.stop())
  const transport = openSmsTransport(kannel.url('?key=s%26cret'), callbacks.url)
  t.after(() => transport.close())
  return { kannel, callbacks, transport }
}

test('Kannel accepts texts and returns receipts and texts that phones send', {
  skip,
}, async (t) => {
  const { kannel, callbacks, transport } = await peer(t)

  await t.test('a text in the GSM alphabet arrives, and its receipt carries its id', async () => {
    const sent = await transport.sendOne({ body: 'é€[1] & 100% of it + more' })
    assert.ok(sent.result === 'accepted', JSON.stringify(sent))
    assert.equal(sent.segments, 1)
    // 3 means that it waits until its network has connected.
    assert.match(sent.words, /^(0: Accepted|3: Queued) for /)
    const [query] = await eventually(
      () => callbacks.kept,
      ({ length }) => length > 0,
    )
    assert.equal(query?.get('key'), 's&cret')
    const receipt = parseKannelReceipt(query ?? new URLSearchParams(), noon)
    assert.equal(receipt?.providerId, sent.providerId)
    assert.deepEqual([receipt?.state, receipt?.final], ['delivered', true])
    assert.deepEqual(kannel.got, [`12345 ${to} text é€[1] & 100% of it + more`])
  })

  await t.test('a long text arrives in the parts that we cut and has one receipt', async () => {
    callbacks.kept.length = kannel.got.length = 0
    const body = `${'ж'.repeat(66)}👍${'ж'.repeat(70)}`
    const sent = await transport.sendOne({ body })
    assert.equal(sent.result === 'accepted' && sent.segments, 3)
    await eventually(
      () => callbacks.kept,
      ({ length }) => length > 0,
    )
    assert.equal(callbacks.kept.length, 1)
    const parts = await eventually(
      () => kannel.got,
      ({ length }) => length === 3,
    )
    const headers = parts.map((part) => octetsOf(/ udh (\S+) data /.exec(part)?.[1] ?? ''))
    const reference = headers[0]?.[3] ?? -1
    assert.deepEqual(
      headers.map((header) => [...header]),
      [1, 2, 3].map((part) => [5, 0, 3, reference, 3, part]),
    )
    const octets = parts.map((part) => octetsOf(part.split(' data ')[1] ?? ''))
    const texts = octets.map((part) => part.swap16().toString('utf16le'))
    assert.equal(texts.join(''), body)
    assert.equal(texts[1]?.startsWith('👍'), true)
  })

  await t.test('a text that a phone sends reaches our endpoint', async () => {
    callbacks.kept.length = 0
    await kannel.phoneSends('33612345678 12345 text Arrêt €')
    const [query] = await eventually(
      () => callbacks.kept,
      ({ length }) => length > 0,
    )
    const text = parseKannelInbound(query ?? new URLSearchParams(), noon)
    assert.deepEqual([text?.from, text?.to, text?.body], [to, '12345', 'Arrêt €'])
  })

  await t.test('a wrong password is reported, and the text is untouched', async () => {
    const stranger = openSmsTransport(kannel.url().replace('pa%3Ass', 'wrong'), callbacks.url)
    const sent = await stranger.sendOne()
    assert.equal(sent.result, 'untouched')
    assert.match(sent.result === 'untouched' ? sent.fault : '', /password of SMS_URL/)
    await stranger.close()
  })

  await t.test('an invalid number is refused permanently', async () => {
    const sent = await transport.sendOne({ to: 'nobody' })
    assert.deepEqual(sent.result === 'refused' && [sent.final, sent.kind], [true, 'unknown'])
  })
})

function octetsOf(escaped: string): Buffer {
  return Buffer.from(
    escaped.replace(/%(..)|(.)/gs, (_, hex?: string, plain?: string) =>
      hex ? hex.toLowerCase() : Buffer.from(plain ?? '').toString('hex'),
    ),
    'hex',
  )
}

test('an unreachable Kannel leaves the text untouched', async () => {
  const transport = openSmsTransport('kannel://crier:x@127.0.0.1:9', 'http://127.0.0.1:9')
  const sent = await transport.sendOne()
  assert.equal(sent.result, 'untouched')
  await transport.close()
})
