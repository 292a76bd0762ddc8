/**
 * Receivers written from the contract's text alone, in three languages. A few lines of this file
 * sign the requests, and share nothing with the service or the SDK.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { languages, type ReceiverProcess, startReceiver, whyMissing } from './receiver-process.ts'

const secret = 'whsec_dGhlIHdob2xlIHN0cmluZyBpcyB0aGUga2V5'
const now = new Date('2026-11-20T12:00:00Z')
const seconds = now.getTime() / 1000
const body = JSON.stringify({
  id: 'evt_01k9v2d4qz6ysk1p5tg8e9nb3m',
  type: 'form.submitted',
  created_at: '2026-11-20T11:59:58.120Z',
  business_id: 'bus_01k9rv0c6e1t7yhs4m8pgq2x5d',
  data: { fields: { name: 'Zoë Łuc', note: 'two\nlines, a dot . and a \u2028' } },
})

const hex = (key: string, time: number | string, text = body) =>
  createHmac('sha256', key).update(`${time}.${text}`).digest('hex')

function headersOf(time: number, ...keys: string[]): Record<string, string> {
  const v1 = keys.map((key) => `,v1=${hex(key, time)}`)
  return {
    'content-type': 'application/json',
    'x-svc-event': 'form.submitted',
    'x-svc-delivery': 'dlv_01k9v2e7h0r4wx5yc6zq8dts1k',
    'x-svc-timestamp': String(time),
    'x-svc-signature': `t=${time}${v1.join('')}`,
  }
}

for (const language of languages) {
  describe(`a webhook receiver in ${language.name}`, { skip: whyMissing(language) }, () => {
    let receiver: ReceiverProcess
    before(async () => {
      receiver = await startReceiver(language, secret)
      await receiver.set({ now })
    })
    after(() => receiver.stop())

    async function send(headers: Record<string, string>, text = body) {
      const answer = await fetch(receiver.url, { method: 'POST', headers, body: text })
      return { status: answer.status, ...(await receiver.verdict()) }
    }
    const good = headersOf(seconds, secret)

    test('the receiver accepts a delivery as the contract describes it', async () => {
      assert.deepEqual(await send(good), {
        status: 200,
        id: 'evt_01k9v2d4qz6ysk1p5tg8e9nb3m',
        delivery: 'dlv_01k9v2e7h0r4wx5yc6zq8dts1k',
        signatures: 1,
      })
    })

    test('the receiver refuses a body with one byte changed or added', async () => {
      const tampered = body.replace('lines', 'Lines')
      assert.equal((await send(good, tampered)).refused, 'signature')
      assert.equal((await send(good, `${body} `)).refused, 'signature')
    })

    test('the receiver refuses another secret, and the secret without its prefix', async () => {
      for (const key of ['whsec_another', secret.slice('whsec_'.length)]) {
        assert.equal((await send(headersOf(seconds, key))).refused, 'signature')
      }
    })

    test('the receiver refuses a delivery more than 300 seconds old or ahead, and accepts 300', async () => {
      for (const time of [seconds - 301, seconds + 301]) {
        assert.equal((await send(headersOf(time, secret))).refused, 'stale')
      }
      for (const time of [seconds - 300, seconds + 300]) {
        assert.equal((await send(headersOf(time, secret))).status, 200)
      }
    })

    test('the receiver refuses a timestamp that is not the signed one', async () => {
      const renewed = { ...headersOf(seconds - 900, secret), 'x-svc-timestamp': String(seconds) }
      assert.equal((await send(renewed)).refused, 'signature-header')
      const forged = `t=${seconds},v1=${hex(secret, seconds - 900)}`
      assert.equal((await send({ ...good, 'x-svc-signature': forged })).refused, 'signature')
    })

    test('the receiver accepts any of several v1= signatures, as during a rotation', async () => {
      for (const keys of [
        ['whsec_new', secret],
        [secret, 'whsec_old'],
      ]) {
        const { status, signatures } = await send(headersOf(seconds, ...keys))
        assert.deepEqual([status, signatures], [200, 2])
      }
      const neither = await send(headersOf(seconds, 'whsec_new', 'whsec_old'))
      assert.equal(neither.refused, 'signature')
    })

    test('the receiver refuses a delivery that lacks one of the headers', async () => {
      for (const name of Object.keys(good)) {
        const { [name]: _, ...rest } = good
        const { refused } = await send({ 'content-type': 'text/plain', ...rest })
        assert.ok(refused, name)
      }
    })
  })
}
